// Which files of tests execute which lines of the sources that a sample is drawn from.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { inRoot } from '../setup/paths.mjs';
import { pinnedNode, run } from '../setup/run.mjs';

const resultsPath = (key) => inRoot('test-results', `executed-lines-${key}.json`);

function hashTexts(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text}\0`);
  return hash.digest('hex').slice(0, 16);
}

function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** So many files of tests run before what they executed is stored: a gathering that is stopped goes on there. */
const filesPerRun = 20;

/** Runs files of tests once and returns what they executed; null where the run itself failed. */
async function runOnce(files, written) {
  rmSync(written, { force: true });
  const coverage = ['--coverage.enabled', '--coverage.provider=custom', '--coverage.reportOnFailure'];
  const provider = '--coverage.customProviderModule=scripts/mutants/line-coverage.mjs';
  const vitest = inRoot('node_modules/vitest/vitest.mjs');
  await run(pinnedNode(), [vitest, 'run', ...files, '--reporter=dot', ...coverage, provider], {
    env: { LINE_COVERAGE_FILE: written },
  });
  return readResults(written);
}

/**
 * Adds to `known` what the tests execute that it does not have, also those that changed since: `runFiles` runs some of them and
 * returns what they executed, or null where the run itself failed; `store` is called after each run.
 * @param tests path → text
 */
export async function gatherLines(known, tests, runFiles, store) {
  const hashes = new Map([...tests].map(([file, text]) => [file, hashTexts(text)]));
  const left = [...tests.keys()].filter((file) => known.tests[file]?.hash !== hashes.get(file));
  for (let first = 0; first < left.length; first += filesPerRun) {
    const files = left.slice(first, first + filesPerRun);
    const results = await runFiles(files);
    for (const file of files) {
      known.tests[file] = { ...(results?.tests[file] ?? { state: 'fail' }), hash: hashes.get(file) };
      for (const byTest of Object.values(known.sources)) delete byTest[file];
    }
    for (const [source, byTest] of Object.entries(results?.sources ?? {}))
      known.sources[source] = { ...known.sources[source], ...byTest };
    store(known);
  }
  return known;
}

/**
 * Runs every test of the server once and records the lines of the sources that each file executes. What was recorded for the
 * same sources and the same text of a test is read again.
 * @param sources path → text of those that a sample is drawn from.
 * @param tests path → text of the tests.
 * @returns `sources`: path → file of tests → lines; `tests`: file → `state` and `durationMs`. A file that fails is not used.
 */
export async function readExecutedLines(sources, tests) {
  const path = resultsPath(hashTexts(...[...sources].flat()));
  const known = readResults(path) ?? { sources: {}, tests: {} };
  mkdirSync(dirname(path), { recursive: true });
  console.log('Which tests execute which lines: every test of the server runs once.');
  return gatherLines(
    known,
    new Map([...tests].filter(([test]) => test.startsWith('server/src/'))),
    (files) => runOnce(files, `${path}.new`),
    (results) => writeFileSync(path, JSON.stringify(results)),
  );
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
