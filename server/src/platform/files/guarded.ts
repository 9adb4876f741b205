import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type S3Store, statusOf } from './s3.ts';
import { type FileStore, StoreAway } from './store.ts';

/** A store whose calls fail at once while it is away. */
export interface GuardedStore extends FileStore {
  isAway(): boolean;
  stop(): void;
}

/**
 * Refuses what needs the store from the first time that it does not answer until a probe is answered: so callers learn it at
 * once, and neither places nor memory are held by what waits for the store. An error that it answers may be that of one file,
 * and counts once a probe fails, too.
 * @param isAway whether it did not answer at the start.
 */
export function guardStore(
  store: S3Store,
  {
    log,
    isAway: startsAway = false,
    intervalMs = 1_000,
  }: { log: Pick<Log, 'error' | 'warn'>; isAway?: boolean; intervalMs?: number },
): GuardedStore {
  const stopped = new AbortController();
  let isAway = false;

  async function probeUntilBack(): Promise<void> {
    while (!stopped.signal.aborted) {
      const answers = await store.probe().then(
        () => true,
        () => false,
      );
      if (answers) {
        isAway = false;
        log.warn('the file store answers again');
        return;
      }
      await delay(intervalMs, undefined, { ref: false, signal: stopped.signal }).catch(() => undefined);
    }
  }
  function noteAway(error?: unknown): void {
    if (isAway || stopped.signal.aborted) return;
    isAway = true;
    log.error({ err: error }, 'the file store does not answer: what needs it answers 503');
    void probeUntilBack();
  }
  let isProbing = false;
  async function noteError(error: unknown): Promise<void> {
    if (statusOf(error) === undefined) return noteAway(error);
    if (isAway || isProbing) return;
    isProbing = true;
    await store.probe().catch(noteAway);
    isProbing = false;
  }
  function requireAvailable(): void {
    if (isAway) throw new StoreAway('The file store does not answer.');
  }
  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    requireAvailable();
    try {
      return await work();
    } catch (error) {
      if (error instanceof StoreAway) void noteError(error.cause);
      throw error;
    }
  }
  if (startsAway) noteAway();

  return {
    put: async (key, content) => {
      try {
        await run(() => store.put(key, content));
      } catch (error) {
        // What fills a stream must end, too.
        if (!(content instanceof Uint8Array)) content.destroy();
        throw error;
      }
    },
    read: (key, range) => run(() => store.read(key, range)),
    delete: (key) => run(() => store.delete(key)),
    exists: (key) => run(() => store.exists(key)),
    list: () => store.list(),
    requireAvailable,
    isAway: () => isAway,
    stop: () => {
      stopped.abort();
      store.close();
    },
  };
}
