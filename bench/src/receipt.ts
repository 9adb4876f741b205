// `npm run bench receipt`: per-plan chats of 100 connected pairs, compared with a baseline `ws` relay of one INSERT per message.
import { startChild } from './measure/child.ts';
import { median } from './measure/latencies.ts';
import { milliseconds, perSecond, printTable, ratio } from './measure/print-table.ts';
import type { BaselineRelay } from './receipt/baseline.ts';
import type { ChatLoad, ChatResult, Target } from './receipt/load.ts';
import { highestRate } from './receipt/search.ts';
import { addChats } from './setup/chats.ts';
import { type BenchDatabase, openDatabase } from './setup/database.ts';
import { addMembers, profileIds } from './setup/members.ts';
import { startServer } from './setup/server.ts';

const pairs = 100;
const targets = ['baseline', 'Tara'] as const satisfies Target[];
const rounds = 3;
/** Messages per second at which the median latency is compared. */
const lowRate = 100;
/** Limit of the 99th percentile at the highest rate, in ms. */
const maxP99Ms = 100;
/** Maximum ratio of the median latencies, and minimum ratio of the highest rates. */
const required = { latency: 4, rate: 0.75 };
const search = { from: 1_000, upTo: 32_000, halvings: 3 };

type Run = (target: Target, rate: number) => Promise<ChatResult>;

async function compareLatency(run: Run): Promise<boolean> {
  const results: { target: Target; result: ChatResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) results.push({ target, result: await run(target, lowRate) });
  }
  printTable(
    [`receipt, ${pairs} pairs, ${lowRate} messages/s`, 'p50', 'p99', 'all arrived'],
    results.map(({ target, result: { p50, p99, sustained } }) => [
      target,
      milliseconds(p50),
      milliseconds(p99),
      sustained ? 'yes' : 'no',
    ]),
  );
  const medianLatency = (name: Target) =>
    median(results.flatMap(({ target, result }) => (target === name ? [result.p50] : [])));
  const times = medianLatency('Tara') / medianLatency('baseline');
  console.log(
    `median ${milliseconds(medianLatency('Tara'))} against ${milliseconds(medianLatency('baseline'))}: ${ratio(times)} times, required at most ${ratio(required.latency)}`,
  );
  return times <= required.latency && results.every(({ result }) => result.sustained);
}

async function compareRates(run: Run): Promise<boolean> {
  const rows: string[][] = [];
  const rates = { baseline: 0, Tara: 0 };
  for (const target of targets) {
    const isSustained = async (rate: number) => {
      const { sustained, p50, p99 } = await run(target, rate);
      const passed = sustained && p99 <= maxP99Ms;
      rows.push([target, perSecond(rate), milliseconds(p50), milliseconds(p99), passed ? 'yes' : 'no']);
      return passed;
    };
    // Each rate has two attempts, because a pause of the machine can spoil one.
    rates[target] = await highestRate(
      async (rate) => (await isSustained(rate)) || (await isSustained(rate)),
      search,
    );
  }
  printTable([`receipt, ${pairs} pairs`, 'messages', 'p50', 'p99', 'sustained'], rows);
  const share = rates.baseline === 0 ? 0 : rates.Tara / rates.baseline;
  console.log(
    `highest rate with p99 ≤ ${maxP99Ms} ms: ${perSecond(rates.Tara)} of ${perSecond(rates.baseline)}: ${ratio(share)}, required at least ${ratio(required.rate)}`,
  );
  return share >= required.rate;
}

async function measure(database: BenchDatabase): Promise<boolean> {
  // Half of the chats are for the baseline relay.
  await addMembers(database, pairs * 4);
  const chats = await addChats(database, pairs * 2);
  const writers = await profileIds(database);
  const server = await startServer(database, { rateLimits: false });
  const baseline = startChild<BaselineRelay, { port: number }>(
    new URL('./receipt/baseline.ts', import.meta.url),
  );
  const load = startChild<ChatLoad, ChatResult>(new URL('./receipt/load.ts', import.meta.url));
  try {
    const { port: baselinePort } = await baseline.ask({ databaseUrl: database.url, writers });
    await load.ask({ open: 'baseline', port: baselinePort, chats: chats.slice(pairs) });
    await load.ask({ open: 'Tara', port: server.port, chats: chats.slice(0, pairs) });
    const run: Run = (target, rate) => load.ask({ target, rate, warmUpMs: 500, measuredMs: 2_500 });
    // Warm up both before the comparison.
    for (const target of targets) await run(target, 500);
    const latencyPassed = await compareLatency(run);
    return (await compareRates(run)) && latencyPassed;
  } finally {
    await Promise.all([load.stop(), baseline.stop(), server.stop()]);
  }
}

const database = await openDatabase();
try {
  process.exitCode = (await measure(database)) ? 0 : 1;
} finally {
  await database.remove();
}
