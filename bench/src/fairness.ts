// `npm run bench fairness`: another member's feed, sign-ins and uploads while few members and guests send the most expensive
// inputs they may, compared with as many cheap requests of the same senders.
// `-- --only 3,7` sends some of them, `-- --each` each kind in a round of its own.
import { flag, readOptions, text } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import type { Attack } from './fairness/attack.ts';
import { type Attacker, expensiveInputs, registerMember } from './fairness/inputs.ts';
import {
  allowedP99,
  findViolations,
  type InputResult,
  medianP99,
  type ProbeResults,
  probes,
  type Round,
  sumInputs,
} from './fairness/judge.ts';
import type { LoopSecond } from './fairness/monitor.ts';
import type { Probe } from './fairness/probe.ts';
import { startChild } from './measure/child.ts';
import { milliseconds, ratio } from './measure/figures.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers } from './setup/members.ts';
import { addPosts } from './setup/posts.ts';
import { startServer } from './setup/server.ts';

const options = readOptions('npm run bench fairness', { only: text('3,7'), each: flag() });
const counts = { members: 10_000, posts: 20_000, likes: 40_000, saves: 10_000 };
const rounds = 3;
/** ms of each half of a round. */
const halfMs = 18_000;

function printLoop(name: string, seconds: readonly LoopSecond[]): void {
  const list = (figure: (second: LoopSecond) => number) =>
    seconds.map((second) => Math.round(figure(second))).join(' ');
  console.log(`${name}: event loop delayed by ${list(({ delayMs }) => delayMs)} ms in its seconds`);
  console.log(`${name}: its thread worked ${list(({ threadMs }) => threadMs)} ms`);
  console.log(`${name}: the server's process worked ${list(({ processMs }) => processMs)} ms`);
}

function printRounds(results: readonly Round[]): void {
  printTable(
    ['input', 'sent', 'taken', 'refused (4xx)', '5xx or no answer', 'slowest', 'answers'],
    Object.entries(sumInputs(results)).map(([name, { sent, taken, refused, failed, slowestMs, answers }]) => [
      name,
      ...[sent, taken, refused, failed].map(String),
      milliseconds(slowestMs),
      Object.entries(answers)
        .map(([answer, count]) => `${count} ${answer}`)
        .join(', '),
    ]),
  );
  printTable(
    ['another member', 'quiet p50', 'quiet p99', 'beside p50', 'beside p99', 'times', '5xx'],
    results.flatMap(({ quiet, attacked }, round) =>
      probes.map((name) => [
        `round ${round + 1}: ${name}`,
        milliseconds(quiet[name].p50),
        milliseconds(quiet[name].p99),
        milliseconds(attacked[name].p50),
        milliseconds(attacked[name].p99),
        ratio(attacked[name].p99 / quiet[name].p99),
        String(quiet[name].failed + attacked[name].failed),
      ]),
    ),
  );
  for (const name of probes) {
    const { quiet, attacked } = medianP99(results, name);
    console.log(
      `${name}: median p99 ${milliseconds(attacked)}, quiet ${milliseconds(quiet)}, allowed ${milliseconds(allowedP99(quiet))}`,
    );
  }
}

/** Which inputs each round sends: all, the numbered ones of `--only 3,7`, or with `--each` one kind a round. */
function planRounds(attacker: Attacker): string[][] {
  const { only, each } = options;
  const names = expensiveInputs(attacker).map(({ name }) => name);
  const numbers = new Set(only?.split(',').map(Number));
  const chosen = names.filter((_name, index) => numbers.size === 0 || numbers.has(index + 1));
  return each ? chosen.map((name) => [name]) : Array.from({ length: rounds }, () => chosen);
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
  const probe = startChild<Probe, ProbeResults>(new URL('./fairness/probe.ts', import.meta.url), elsewhere);
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
    const attacker = await registerMember(database, port, 'attacker@example.com');
    const { email, password } = await registerMember(database, port, 'other@example.com');
    const other = { port, email, password, durationMs: halfMs };
    const plan = planRounds(attacker);
    // Not counted: code is compiled, and pictures are drawn.
    await probe.ask({ ...other, durationMs: 4_000 });
    await attack.ask({ ...attacker, names: [], durationMs: 1 });
    const results: Round[] = [];
    for (const [index, names] of plan.entries()) {
      const round = index + 1;
      const [attacked, inputs] = await watch(`round ${round}, beside`, () =>
        Promise.all([probe.ask(other), attack.ask({ ...attacker, names, durationMs: halfMs })]),
      );
      const cheap = Object.fromEntries(
        Object.entries(inputs).map(([name, { requests }]) => [name, requests]),
      );
      const [quiet] = await watch(`round ${round}, quiet`, () =>
        Promise.all([probe.ask(other), attack.ask({ ...attacker, names, cheap, durationMs: halfMs })]),
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
