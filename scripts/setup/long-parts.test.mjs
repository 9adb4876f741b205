import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { longParts, mostMinutes, openResults, runParts } from './long-parts.mjs';
import { root } from './paths.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-long-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the parts of test:long', () => {
  it('do not take longer together than is planned', () => {
    const minutes = Object.values(longParts).reduce((sum, part) => sum + part.minutes, 0);
    expect(minutes).toBeLessThanOrEqual(mostMinutes);
    expect(mostMinutes).toBe(110);
  });

  it('run scripts that exist, the fuzzer for 20 minutes among them', () => {
    for (const { args } of Object.values(longParts)) expect(existsSync(resolve(root, args[0]))).toBe(true);
    expect(longParts.fuzz.args).toEqual(['fuzz/src/main.ts', '--minutes', '20']);
  });
});

/** Runs three parts on a commit, with exit codes; returns the names that ran, what was printed, and how many failed. */
async function run(commit, codes = {}, day = '2026-11-29') {
  const parts = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [name, { name, what: name, minutes: name === 'c' ? 1 : 2 }]),
  );
  const ran = [];
  const printed = [];
  let clock = 0;
  const failed = await runParts(parts, {
    results: openResults(join(folder, 'long.json'), commit, day),
    runPart: async ({ name }) => {
      ran.push(name);
      clock += 61_000;
      return codes[name] === undefined ? 0 : codes[name];
    },
    now: () => clock,
    print: (text) => printed.push(text),
  });
  return { ran, failed, summary: printed.at(-1).split('\n').slice(1) };
}

describe('a run of test:long', () => {
  it('goes on after a failed part and does not hide it: its time and reason are in the summary', async () => {
    expect(await run('1', { a: 3, b: null })).toEqual({
      ran: ['a', 'b', 'c'],
      failed: 2,
      summary: [
        'FAILED   a         a (61 s) (exit code 3)',
        'FAILED   b         b (61 s): stopped after 3 times its 2 minutes',
        'passed   c         c (61 s): longer than its 1 minutes',
        '1 passed, 2 failed',
      ],
    });
  });

  it('does not repeat a part that passed on this commit, only those that failed', async () => {
    await run('1', { b: 1 });
    const second = await run('1');
    expect(second.ran).toEqual(['b']);
    expect(second.summary).toEqual([
      'skipped  a         a (61 s): passed on this commit today',
      'passed   b         b (61 s)',
      'skipped  c         c (61 s): passed on this commit today',
      '3 passed, 0 failed',
    ]);
  });

  it('repeats on the next day what passed on this commit: its seeds are others then', async () => {
    await run('1');
    expect((await run('1', {}, '2026-11-30')).ran).toEqual(['a', 'b', 'c']);
  });

  it('does not take another commit, or files that are no commit, for proven', async () => {
    await run('1');
    expect((await run('2')).ran).toEqual(['a', 'b', 'c']);
    await run(null);
    expect((await run(null)).ran).toEqual(['a', 'b', 'c']);
  });
});
