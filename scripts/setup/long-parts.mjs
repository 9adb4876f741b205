import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root } from './paths.mjs';
import { tool } from './run.mjs';

/** Minutes that all parts may take together; a longer proof gets a command of its own. */
export const mostMinutes = 110;

/** After so many times its minutes a part is stopped: it hangs. One that only takes longer, on a slow machine, says so. */
export const hangingFactor = 3;

const vitest = (...args) => [tool('vitest/vitest.mjs'), 'run', ...args];

/**
 * The parts of `npm run test:long`: what a part does, the minutes that it may take, and the script that it runs with its
 * arguments, `times` over. Adding one is a row here; the minutes of all are at most `mostMinutes`, a little more than
 * it takes on two cores with nothing beside it.
 */
export const longParts = {
  lives: {
    what: '5,000 random lives of requests, and beside them 500 schedules of what waits for members',
    minutes: 16,
    args: vitest('money.property', 'counts.property'),
    env: { MONEY_BATCHES: '200', COUNT_SCHEDULES: '500' },
  },
  steps: {
    what: 'kill -9 after each step, 5 times',
    minutes: 6,
    args: vitest('e2e/src/crash.test.ts'),
    times: 5,
  },
  chats: { what: '500 schedules and 50 kills of chats', minutes: 6, args: ['e2e/src/chaos/chat.ts'] },
  money: { what: '1,000 schedules and 100 kills of money', minutes: 24, args: ['e2e/src/chaos/money.ts'] },
  simulation: {
    what: '2,000 lives of money, in which a seed orders every step',
    minutes: 12,
    args: ['simulation/src/money.ts', '--seeds', '2000'],
  },
  conversations: {
    what: '1,000 lives of chats, in which a seed orders every step',
    minutes: 6,
    args: ['simulation/src/chat.ts', '--seeds', '1000'],
  },
  fuzz: { what: 'the fuzzer for 20 minutes', minutes: 21, args: ['fuzz/src/main.ts', '--minutes', '20'] },
  sdks: {
    what: 'SDKs after cuts and a restart, at their own pace',
    minutes: 1,
    args: vitest('realtime/reconnect'),
    env: { REALTIME_SPEED: '1' },
  },
  growth: {
    what: 'what calls and jobs read at the whole size',
    minutes: 4,
    args: vitest('server/src/growth.test.ts'),
    env: { GROWTH: 'whole' },
  },
  payments: {
    what: 'the payment sandbox under published clients',
    minutes: 1,
    args: ['sandbox/src/conformance/payments.ts'],
  },
  backend: {
    what: 'the backend service under the official SDKs',
    minutes: 2,
    args: ['e2e/src/conformance/backend.ts'],
  },
  redis: {
    what: 'Redis paused for 20 s, failed over by Sentinel, and out of memory',
    minutes: 2,
    args: vitest('server/src/redis-away.test.ts'),
    env: { REDIS_FAULTS: 'all' },
  },
  journey: { what: 'the journey, 10 times', minutes: 9, args: ['scripts/e2e.mjs', '--repeat-each', '10'] },
};

/** The date, such as 2026-11-29. */
const today = () => new Date().toISOString().slice(0, 10);

/** The commit of the checkout; null when files differ from it or there is none: what passes then proves no commit. */
export function cleanCommit() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const { status, stdout } = git('status', '--porcelain');
  if (status !== 0 || stdout !== '') return null;
  return git('rev-parse', 'HEAD').stdout.trim() || null;
}

/**
 * The seconds of the parts that passed on a commit, in a file that is about one commit and one day at a time: on the next day parts
 * have other seeds.
 */
export function openResults(file, commit, day = today()) {
  const read = () => {
    try {
      const results = JSON.parse(readFileSync(file, 'utf8'));
      return results.commit === commit && results.day === day && commit !== null ? results.passed : {};
    } catch {
      return {}; // Nothing passed yet.
    }
  };
  const passed = read();
  return {
    secondsOf: (name) => passed[name],
    pass(name, seconds) {
      passed[name] = seconds;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ commit, day, passed }));
    },
  };
}

/**
 * Runs parts one after the other, but those that passed on this commit, and prints a line for each and a summary.
 * @param runPart returns the exit code of a part, null when it was stopped.
 * @returns how many failed.
 */
export async function runParts(parts, { results, runPart, now = Date.now, print = console.log }) {
  const lines = [];
  let failed = 0;
  const report = (state, name, seconds, why = '') => {
    lines.push(`${state.padEnd(7)}  ${name.padEnd(9)} ${parts[name].what} (${seconds} s)${why}`);
    print(lines.at(-1));
  };
  for (const [name, part] of Object.entries(parts)) {
    const seconds = results.secondsOf(name);
    if (seconds !== undefined) {
      report('skipped', name, seconds, ': passed on this commit today');
      continue;
    }
    const startedAt = now();
    const code = await runPart(part);
    const taken = Math.round((now() - startedAt) / 1000);
    if (code === 0) results.pass(name, taken);
    else failed += 1;
    const isLate = taken > part.minutes * 60;
    const notes = {
      0: isLate ? `: longer than its ${part.minutes} minutes` : '',
      null: `: stopped after ${hangingFactor} times its ${part.minutes} minutes`,
    };
    report(code === 0 ? 'passed' : 'FAILED', name, taken, notes[code] ?? ` (exit code ${code})`);
  }
  print(['', ...lines, `${lines.length - failed} passed, ${failed} failed`].join('\n'));
  return failed;
}
