// `npm run bench fairness`: another member's feed while one member and one guest send the most expensive inputs they may.
// `-- --only 3,7` sends some of them, `-- --each` each kind in a round of its own.
import { parseArgs } from 'node:util';
import type { Attack } from './fairness/attack.ts';
import { type Attacker, expensiveInputs, registerAttacker } from './fairness/inputs.ts';
import {
  allowedRatio,
  type FeedResult,
  findViolations,
  type InputResult,
  medianRatio,
  type Round,
  sumInputs,
} from './fairness/judge.ts';
import type { LoopSecond } from './fairness/monitor.ts';
import type { Probe } from './fairness/probe.ts';
import { startChild } from './measure/child.ts';
import { milliseconds, printTable, ratio } from './measure/print-table.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers } from './setup/members.ts';
import { addPosts } from './setup/posts.ts';
import { startServer } from './setup/server.ts';

const counts = { members: 10_000, posts: 20_000, likes: 40_000, saves: 10_000 };
const rounds = 3;
/** ms of each half of a round. */
const quietMs = 10_000;
const attackedMs = 18_000;

function printLoop(name: string, seconds: readonly LoopSecond[]): void {
  const list = (figure: (second: LoopSecond) => number) =>
    seconds.map((second) => Math.round(figure(second))).join(' ');
  console.log(`${name}: event loop delayed by ${list(({ delayMs }) => delayMs)} ms in its seconds`);
  console.log(`${name}: its thread worked ${list(({ threadMs }) => threadMs)} ms`);
  console.log(`${name}: the server's process worked ${list(({ processMs }) => processMs)} ms`);
}

function printRounds(results: readonly Round[]): void {
  printTable(
    ['input', 'sent', 'taken', 'refused (4xx)', '5xx', 'slowest'],
    Object.entries(sumInputs(results)).map(([name, { sent, taken, refused, failed, slowestMs }]) => [
      name,
      ...[sent, taken, refused, failed].map(String),
      milliseconds(slowestMs),
    ]),
  );
  printTable(
    ['feed of another member', 'quiet p50', 'quiet p99', 'beside p50', 'beside p99', 'times', '5xx'],
    results.map(({ quiet, attacked }, round) => [
      `round ${round + 1}`,
      milliseconds(quiet.p50),
      milliseconds(quiet.p99),
      milliseconds(attacked.p50),
      milliseconds(attacked.p99),
      ratio(attacked.p99 / quiet.p99),
      String(quiet.failed + attacked.failed),
    ]),
  );
  console.log(`medians: ${ratio(medianRatio(results))} times the quiet p99, allowed ${ratio(allowedRatio)}`);
}

/** Which inputs each round sends: all, the numbered ones of `--only 3,7`, or with `--each` one kind a round. */
function planRounds(attacker: Attacker): string[][] {
  const { values } = parseArgs({ options: { only: { type: 'string' }, each: { type: 'boolean' } } });
  const names = expensiveInputs(attacker).map(({ name }) => name);
  const numbers = new Set(values.only?.split(',').map(Number));
  const chosen = names.filter((_name, index) => numbers.size === 0 || numbers.has(index + 1));
  return values.each ? chosen.map((name) => [name]) : Array.from({ length: rounds }, () => chosen);
}

async function measure(database: BenchDatabase): Promise<Round[]> {
  await addMembers(database, counts.members);
  await addPosts(database, counts);
  const seconds: LoopSecond[] = [];
  const monitor = new URL('./fairness/monitor.ts', import.meta.url);
  const server = await startServer(database, {
    rateLimits: true,
    monitor: { module: monitor, report: (second: LoopSecond) => seconds.push(second) },
  });
  const elsewhere = { ownSession: true };
  const probe = startChild<Probe, FeedResult>(new URL('./fairness/probe.ts', import.meta.url), elsewhere);
  const attack = startChild<Attack, Record<string, InputResult>>(
    new URL('./fairness/attack.ts', import.meta.url),
    elsewhere,
  );
  /** With the seconds of the server's event loop meanwhile. */
  const watch = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    seconds.length = 0;
    const result = await work();
    printLoop(name, seconds);
    return result;
  };
  try {
    const { port } = server;
    const attacker = await registerAttacker(database, port);
    const plan = planRounds(attacker);
    // Not counted: code is compiled, and pictures are drawn.
    await probe.ask({ port, durationMs: 4_000 });
    await attack.ask({ ...attacker, names: [], durationMs: 1 });
    const results: Round[] = [];
    for (const [index, names] of plan.entries()) {
      const round = index + 1;
      const quiet = await watch(`round ${round}, quiet`, () => probe.ask({ port, durationMs: quietMs }));
      const [attacked, inputs] = await watch(`round ${round}, beside`, () =>
        Promise.all([
          probe.ask({ port, durationMs: attackedMs }),
          attack.ask({ ...attacker, names, durationMs: attackedMs }),
        ]),
      );
      results.push({ quiet, attacked, inputs });
    }
    return results;
  } finally {
    await Promise.all([probe.stop(), attack.stop(), server.stop()]);
  }
}

await runWorkload(async (database) => {
  const results = await measure(database);
  printRounds(results);
  const violations = findViolations(results);
  for (const violation of violations) console.error(`✗ ${violation}`);
  return violations.length === 0;
});
