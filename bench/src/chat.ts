// `npm run bench chat`: chats of both kinds, of 200 connected pairs each, compared with a bare `ws` relay of one INSERT per
// message.
import type { ChatKind } from '@tara/contract/messages/messages';
import { readOptions } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import type { BaselineRelay } from './chat/baseline.ts';
import type { ChatLoad, ChatResult, Target } from './chat/load.ts';
import { highestRate } from './chat/search.ts';
import { startChild } from './measure/child.ts';
import { milliseconds, perSecond } from './measure/figures.ts';
import { median } from './measure/latencies.ts';
import { requireFigure } from './measure/requirement.ts';
import { addChats } from './setup/chats.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers, profileIds } from './setup/members.ts';
import { startServer } from './setup/server.ts';

readOptions('npm run bench chat', {});

const pairs = 200;
const kinds = ['receipt', 'conversation'] as const satisfies ChatKind[];
const targets = ['baseline', ...kinds] as const satisfies Target[];
const names: Record<Target, string> = {
  baseline: 'bare relay',
  receipt: 'plan chats',
  conversation: 'conversations',
};
const rounds = 3;
/** Messages per second at which the median latency is compared. */
const lowRate = 200;
/** Limit of the 99th percentile at the highest rate, in ms. */
const maxP99Ms = 100;
/** Maximum ratio of the median latencies, and minimum ratio of the highest rates. */
const required = { latency: 2.5, rate: 0.75 };
const search = { from: 1_000, upTo: 32_000, halvings: 3 };

type Run = (target: Target, rate: number) => Promise<ChatResult>;

async function compareLatency(run: Run): Promise<boolean> {
  const results: { target: Target; result: ChatResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) results.push({ target, result: await run(target, lowRate) });
  }
  printTable(
    [`${pairs} pairs, ${lowRate} messages/s`, 'p50', 'p99', 'all arrived'],
    results.map(({ target, result: { p50, p99, sustained } }) => [
      names[target],
      milliseconds(p50),
      milliseconds(p99),
      sustained ? 'yes' : 'no',
    ]),
  );
  const medianLatency = (name: Target) =>
    median(results.flatMap(({ target, result }) => (target === name ? [result.p50] : [])));
  const passed = kinds.map((kind) => {
    const times = medianLatency(kind) / medianLatency('baseline');
    const [own, baseline] = [milliseconds(medianLatency(kind)), milliseconds(medianLatency('baseline'))];
    return requireFigure(`${names[kind]}: times the latency, median ${own} against ${baseline}`, times, {
      atMost: required.latency,
    });
  });
  return passed.every(Boolean) && results.every(({ result }) => result.sustained);
}

async function compareRates(run: Run): Promise<boolean> {
  const rows: string[][] = [];
  const rates = { baseline: 0, receipt: 0, conversation: 0 };
  for (const target of targets) {
    const isSustained = async (rate: number) => {
      const { sustained, p50, p99 } = await run(target, rate);
      const passed = sustained && p99 <= maxP99Ms;
      rows.push([
        names[target],
        perSecond(rate),
        milliseconds(p50),
        milliseconds(p99),
        passed ? 'yes' : 'no',
      ]);
      return passed;
    };
    // Each rate has two attempts, because a pause of the machine can spoil one.
    rates[target] = await highestRate(
      async (rate) => (await isSustained(rate)) || (await isSustained(rate)),
      search,
    );
  }
  printTable([`${pairs} pairs`, 'messages', 'p50', 'p99', 'sustained'], rows);
  const passed = kinds.map((kind) => {
    const share = rates.baseline === 0 ? 0 : rates[kind] / rates.baseline;
    const [own, baseline] = [perSecond(rates[kind]), perSecond(rates.baseline)];
    return requireFigure(
      `${names[kind]}: highest rate with p99 ≤ ${maxP99Ms} ms, ${own} of ${baseline}`,
      share,
      {
        atLeast: required.rate,
      },
    );
  });
  return passed.every(Boolean);
}

async function measure(database: BenchDatabase): Promise<boolean> {
  // Each target has pairs of its own.
  await addMembers(database, pairs * targets.length * 2);
  const chats = {
    baseline: await addChats(database, { first: 0, count: pairs, kind: 'receipt' }),
    receipt: await addChats(database, { first: pairs, count: pairs, kind: 'receipt' }),
    conversation: await addChats(database, { first: 2 * pairs, count: pairs, kind: 'conversation' }),
  };
  const writers = await profileIds(database);
  const server = await startServer(database, { rateLimits: false });
  const baseline = startChild<BaselineRelay, { port: number }>(
    new URL('./chat/baseline.ts', import.meta.url),
  );
  const load = startChild<ChatLoad, ChatResult>(new URL('./chat/load.ts', import.meta.url));
  try {
    const { port: baselinePort } = await baseline.ask({ databaseUrl: database.url, writers });
    for (const target of targets)
      await load.ask({
        ...{ open: target, chats: chats[target] },
        port: target === 'baseline' ? baselinePort : server.port,
      });
    const run: Run = (target, rate) => load.ask({ target, rate, warmUpMs: 500, measuredMs: 2_500 });
    // Warm up all before the comparison.
    for (const target of targets) await run(target, 500);
    const latencyPassed = await compareLatency(run);
    return (await compareRates(run)) && latencyPassed;
  } finally {
    await Promise.all([load.stop(), baseline.stop(), server.stop()]);
  }
}

await runWorkload(measure);
