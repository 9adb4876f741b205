import { steadyMs } from '@tara/contract/clock';
import { LRUCache } from 'lru-cache';

/** A cache in memory, in which what has a `ttl` (ms) grows old by the clock. The one that was read longest ago goes first. */
export class MemoryCache<Key extends {}, Value extends {}> extends LRUCache<Key, Value> {
  constructor(options: LRUCache.Options<Key, Value, unknown>) {
    // Without a resolution it asks the clock each time; with one it waits for a timer of the system.
    super({ ...options, perf: { now: steadyMs }, ttlResolution: 0 });
  }
}
