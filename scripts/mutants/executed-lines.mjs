// Which files of tests execute which lines of the sources that a sample is drawn from.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { inRoot } from '../setup/paths.mjs';
import { pinnedNode, run } from '../setup/run.mjs';

const resultsPath = (key) => inRoot('test-results', `executed-lines-${key}.json`);

function hashTexts(sources) {
  const hash = createHash('sha256');
  for (const [path, text] of sources) hash.update(`${path}\0${text}\0`);
  return hash.digest('hex').slice(0, 16);
}

function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Runs every test of the server once and records the lines of the sources that each file executes. What was recorded for the
 * same sources is read again.
 * @param sources path → text of those that a sample is drawn from.
 * @returns `sources`: path → file of tests → lines; `tests`: file → `state` and `durationMs`.
 */
export async function readExecutedLines(sources) {
  const path = resultsPath(hashTexts(sources));
  const known = readResults(path);
  if (known) return known;
  console.log('Which tests execute which lines: every test of the server runs once.');
  const written = `${path}.new`;
  mkdirSync(dirname(path), { recursive: true });
  rmSync(written, { force: true });
  const coverage = ['--coverage.enabled', '--coverage.provider=custom', '--coverage.reportOnFailure'];
  const provider = '--coverage.customProviderModule=scripts/mutants/line-coverage.mjs';
  const vitest = inRoot('node_modules/vitest/vitest.mjs');
  // A test that fails is not used.
  await run(pinnedNode(), [vitest, 'run', 'server/src/', '--reporter=dot', ...coverage, provider], {
    env: { LINE_COVERAGE_FILE: written },
  });
  const results = readResults(written);
  if (!results) throw new Error('The tests of the server could not be run.');
  renameSync(written, path);
  return results;
}

const lineNumber = (text, position) => text.slice(0, position).split('\n').length;

/**
 * The tests that execute the changed lines, with how long they take: those beside the source first, then the shortest. What is
 * outside of functions is executed by the tests of what is in them.
 */
export function executingTests(executed, tests, text, { at, isOutside }) {
  const byTest = Object.entries(executed.sources[at.path] ?? {});
  const [first, last] = [lineNumber(text, at.start), lineNumber(text, at.end)];
  const chosen = byTest.filter(([, lines]) => lines.some((line) => line >= first && line <= last));
  const folder = dirname(at.path);
  const isBeside = (path) => dirname(path) === folder;
  const duration = (path) => executed.tests[path]?.durationMs ?? 0;
  const known = (chosen.length === 0 && isOutside ? byTest : chosen)
    .map(([path]) => path)
    .filter((path) => tests.has(path) && executed.tests[path]?.state === 'pass');
  const added = [...tests.keys()].filter((path) => isBeside(path) && !executed.tests[path]);
  const files = [...known, ...added].sort(
    (one, other) => isBeside(other) - isBeside(one) || duration(one) - duration(other),
  );
  return { files, durationMs: Math.round(files.reduce((sum, path) => sum + duration(path), 0)) };
}
