// `npm run mutants`: puts one-line faults into copies of the working tree, one at a time, and runs the tests that have to notice them.
// Prints the faults that no test noticed; exit code 1 when there is one.
//   --row §9-toast    those of the rows that begin so
//   --kind steps      limits, notices, texts, defaults, permissions, steps, visibility, effects, matrices, money, chat or faults; those of
//                     money and chat are found by lives of the simulation, nine of ten within 500
//   --in planCan      those of the symbols that begin so
//   --changed         those whose code or tests differ from main
//   --part 50         so many of them, drawn by --seed
//   --sample 100      changes of operators and conditions of the server instead, drawn by --seed, for 30 minutes at most: which tests
//                     execute which lines is recorded before, once for the same sources and test
//   --list            only names them
//   --lanes 4         tries so many at once; by default twice as many as there are cores, because tests that fail mostly wait
// The list ends after 60 minutes. What was not tried by then is counted by kind, exits with 1, and is tried by the same command again:
// results are stored for the same files, of the last five trees; `--again` forgets them.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main, pinnedNode, runNode } from './setup/run.mjs';

const resultsPath = inRoot('test-results', 'mutants.json');

/** The files that differ from main, also those that are not committed. */
function changedFiles() {
  const git = (...args) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  const [base = 'main'] = git('merge-base', 'main', 'HEAD');
  return new Set([...git('diff', '--name-only', base), ...git('ls-files', '-o', '--exclude-standard')]);
}

/** The longest time of a sample, from when its tests are known, and of the list. */
const sampleMs = 30 * 60_000;
const listMs = 60 * 60_000;

await main(async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      row: { type: 'string', default: '' },
      changed: { type: 'boolean', default: false },
      kind: { type: 'string', default: '' },
      in: { type: 'string', default: '' },
      part: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      list: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      lanes: { type: 'string', default: String(2 * availableParallelism()) },
    },
  });
  await install();
  // The pinned Node reads the modules in TypeScript that a draw needs.
  if (realpathSync(pinnedNode()) !== realpathSync(process.execPath))
    return runNode(['scripts/mutants.mjs', ...args]);
  const { allMutants, draw, groupsOf, rowsWithout, sampledMutants, selectionOf } = await import(
    './mutants/list.mjs'
  );
  const { decisionSources, quotesWithoutPlace } = await import('./mutants/generate.mjs');
  const { executingTests, readExecutedLines } = await import('./mutants/executed-lines.mjs');
  const { applyMutant, nameOf } = await import('./mutants/apply.mjs');
  const { readSources, readTests } = await import('./mutants/sources.mjs');
  const { treeHash, tryMutants } = await import('./mutants/run.mjs');
  const { isSimulated, simulateMutants } = await import('./mutants/simulate.mjs');
  const { readResults, reportOf, storeResults, titleOf } = await import('./mutants/results.mjs');
  const sources = readSources();
  const tests = readTests();
  const tree = treeHash();
  const results = values.again ? {} : readResults(resultsPath, tree);
  const changed = values.changed ? changedFiles() : null;
  const isChanged = (mutant) => {
    if (changed === null) return true;
    if (selectionOf(mutant).files.some((path) => changed.has(path))) return true;
    try {
      return applyMutant(sources, mutant).some(({ path }) => changed.has(path));
    } catch {
      return true;
    }
  };
  const isWanted = (mutant) =>
    (mutant.row ?? '').startsWith(values.row) &&
    mutant.kind.startsWith(values.kind) &&
    mutant.in.startsWith(values.in) &&
    isChanged(mutant);
  const isSample = values.sample !== undefined;
  const every = isSample ? sampledMutants(sources) : allMutants(sources, tests);
  const isWantedRow = (row) => row.startsWith(values.row);
  const without = {
    rows: isSample ? [] : rowsWithout(every).filter(isWantedRow),
    quotes: isSample ? [] : quotesWithoutPlace(sources).filter(isWantedRow),
  };
  const matching = every.filter(isWanted);
  const count = Number(values.sample ?? values.part ?? matching.length);
  const wanted = count < matching.length ? draw(matching, count, Number(values.seed)) : matching;
  if (values.list) {
    for (const mutant of wanted) console.log(`${titleOf(mutant)}  ${nameOf(mutant)}`);
    console.log(`${wanted.length} mutants.`);
    return 0;
  }
  const left = wanted.filter((mutant) => !results[nameOf(mutant)]);
  const tell = (mutant, state, reason) => {
    results[nameOf(mutant)] = { state, reason };
    storeResults(resultsPath, tree, results);
    console.log(`${state.padEnd(8)}  ${titleOf(mutant)}  ${nameOf(mutant)}${reason ? `: ${reason}` : ''}`);
  };
  const lanes = Number(values.lanes);
  if (isSample) {
    const executed = await readExecutedLines(decisionSources(sources), tests);
    const withTests = left.map((mutant) => {
      const text = sources.get(mutant.at.path);
      return { ...mutant, tests: executingTests(executed, tests, text, mutant) };
    });
    await tryMutants(groupsOf(withTests), { lanes, sources, tell, endsAt: Date.now() + sampleMs });
  } else {
    const size = ({ selection }) => selection.files.length;
    const endsAt = Date.now() + listMs;
    await simulateMutants(left.filter(isSimulated), { sources, tell, endsAt });
    const groups = groupsOf(left.filter((mutant) => !isSimulated(mutant))).sort(
      (one, other) => size(one) - size(other),
    );
    await tryMutants(groups, { lanes, sources, tell, endsAt });
  }
  const { lines, code } = reportOf(wanted, results, without);
  for (const line of lines) console.log(line);
  return code;
});
