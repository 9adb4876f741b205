import { setTimeout as delay } from 'node:timers/promises';
import { serveParent } from '../measure/child.ts';
import { countLatencies } from '../measure/latencies.ts';
import { sessionSecret } from '../setup/members.ts';
import type { FeedResult } from './judge.ts';
import { ask } from './send.ts';

/** Reads the feed for so long, 40 times a second, by members in turn so that none comes near their limit. */
export interface Probe {
  port: number;
  durationMs: number;
}

const everyMs = 25;
const members = 500;

async function run({ port, durationMs }: Probe): Promise<FeedResult> {
  const latencies = countLatencies();
  let failed = 0;
  let refused = 0;
  const read = async (number: number) => {
    const sentAt = performance.now();
    const headers = {
      'x-appwrite-session': sessionSecret(number % members),
      'x-forwarded-for': '198.51.100.7',
    };
    const { status } = await ask(port, '/api/post/feed', { headers });
    if (status >= 500) failed++;
    else if (status !== 200) refused++;
    latencies.record(performance.now() - sentAt);
  };
  const begin = performance.now();
  const reads: Promise<void>[] = [];
  // At fixed times, whether or not the one before was answered: a blocked server does not get fewer requests.
  for (let number = 0; number * everyMs < durationMs; number++) {
    await delay(Math.max(0, begin + number * everyMs - performance.now()));
    reads.push(read(number));
  }
  await Promise.all(reads);
  return { p50: latencies.percentile(0.5), p99: latencies.percentile(0.99), failed, refused };
}

serveParent<Probe, FeedResult>(run);
