// `npm run bench receipt`: the per-plan chat of 100 connected pairs against a bare `ws` relay with one INSERT per message.
import { startChild } from './measure/child.ts';
import { median } from './measure/latencies.ts';
import { milliseconds, perSecond, printTable, ratio } from './measure/print-table.ts';
import type { BareRelay } from './receipt/bare.ts';
import type { ChatLoad, ChatResult, Target } from './receipt/load.ts';
import { highestRate } from './receipt/search.ts';
import { addChats } from './world/chats.ts';
import { openWorld, type World } from './world/database.ts';
import { addMembers, profileIds } from './world/members.ts';
import { startServer } from './world/server.ts';

const pairs = 100;
const targets = ['bare', 'Tara'] as const satisfies Target[];
const rounds = 3;
/** Messages a second at which the median latency is compared. */
const calm = 100;
/** ms that 99 of 100 messages must not exceed at the highest rate. */
const slowest = 100;
/** The median may be so many times the bare relay's, and the highest rate must be such a share of its. */
const wanted = { latency: 4, rate: 0.4 };
const search = { from: 1_000, upTo: 32_000, halvings: 3 };

type Run = (target: Target, rate: number) => Promise<ChatResult>;

async function compareLatency(run: Run): Promise<boolean> {
  const results: { target: Target; result: ChatResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) results.push({ target, result: await run(target, calm) });
  }
  printTable(
    [`receipt, ${pairs} pairs, ${calm} messages/s`, 'p50', 'p99', 'all arrived'],
    results.map(({ target, result: { p50, p99, sustained } }) => [
      target,
      milliseconds(p50),
      milliseconds(p99),
      sustained ? 'yes' : 'no',
    ]),
  );
  const middle = (name: Target) =>
    median(results.flatMap(({ target, result }) => (target === name ? [result.p50] : [])));
  const times = middle('Tara') / middle('bare');
  console.log(
    `median ${milliseconds(middle('Tara'))} against ${milliseconds(middle('bare'))}: ${ratio(times)} times, wanted at most ${ratio(wanted.latency)}`,
  );
  return times <= wanted.latency && results.every(({ result }) => result.sustained);
}

async function compareRates(run: Run): Promise<boolean> {
  const rows: string[][] = [];
  const rates = { bare: 0, Tara: 0 };
  for (const target of targets) {
    const holds = async (rate: number) => {
      const { sustained, p50, p99 } = await run(target, rate);
      const held = sustained && p99 <= slowest;
      rows.push([target, perSecond(rate), milliseconds(p50), milliseconds(p99), held ? 'yes' : 'no']);
      return held;
    };
    // A rate has two tries: one pause of the machine is not the relay's limit.
    rates[target] = await highestRate(async (rate) => (await holds(rate)) || (await holds(rate)), search);
  }
  printTable([`receipt, ${pairs} pairs`, 'messages', 'p50', 'p99', 'holds'], rows);
  const share = rates.bare === 0 ? 0 : rates.Tara / rates.bare;
  console.log(
    `highest rate with p99 ≤ ${slowest} ms: ${perSecond(rates.Tara)} of ${perSecond(rates.bare)}: ${ratio(share)}, wanted at least ${ratio(wanted.rate)}`,
  );
  return share >= wanted.rate;
}

async function measure(world: World): Promise<boolean> {
  // Half of the chats is the bare relay's.
  await addMembers(world, pairs * 4);
  const chats = await addChats(world, pairs * 2);
  const writers = await profileIds(world);
  const server = await startServer(world, { rateLimits: false });
  const bare = startChild<BareRelay, { port: number }>(new URL('./receipt/bare.ts', import.meta.url));
  const load = startChild<ChatLoad, ChatResult>(new URL('./receipt/load.ts', import.meta.url));
  try {
    const { port: barePort } = await bare.ask({ databaseUrl: world.url, writers });
    await load.ask({ open: 'bare', port: barePort, chats: chats.slice(pairs) });
    await load.ask({ open: 'Tara', port: server.port, chats: chats.slice(0, pairs) });
    const run: Run = (target, rate) => load.ask({ target, rate, warmUp: 500, measured: 2_500 });
    // Both have compiled their hot code before anything is compared.
    for (const target of targets) await run(target, 500);
    const calmly = await compareLatency(run);
    return (await compareRates(run)) && calmly;
  } finally {
    await Promise.all([load.stop(), bare.stop(), server.stop()]);
  }
}

const world = await openWorld();
try {
  process.exitCode = (await measure(world)) ? 0 : 1;
} finally {
  await world.remove();
}
