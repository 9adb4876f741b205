// What was tried, by the working tree that it was tried in, and what is printed at the end.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { nameOf } from './apply.mjs';
import { countFound, isSimulated, tableOf } from './simulate.mjs';

/** So many working trees have their results stored: another commit does not lose those of the one before. */
const storedTrees = 5;

/** The stored trees, the last one first: `{ tree, results }`. */
function readTrees(path) {
  try {
    const { trees } = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(trees) ? trees : [];
  } catch {
    return [];
  }
}

/** What was tried in a working tree: name of the mutant → `{ state, reason }`. */
export const readResults = (path, tree) => readTrees(path).find((one) => one.tree === tree)?.results ?? {};

export function storeResults(path, tree, results) {
  const others = readTrees(path).filter((one) => one.tree !== tree);
  const trees = [{ tree, results }, ...others].slice(0, storedTrees);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ trees }));
}

/** The row of a mutant; its kind where no row has it. */
export const titleOf = ({ row, kind }) => row ?? kind;

/**
 * What became of the mutants that were asked for.
 * @param wanted the mutants
 * @param results name of the mutant → `{ state, reason }`, without those that were not tried
 * @param without the `rows` that need a mutant and have none, and the `quotes` of rows that no text of a screen says
 * @returns `lines` to print, and the exit code: 1 unless every one was tried and noticed, of money and chat nine of ten
 */
export function reportOf(wanted, results, without) {
  const stateOf = (mutant) => results[nameOf(mutant)];
  const tried = wanted.filter(stateOf);
  const untried = wanted.filter((mutant) => !stateOf(mutant));
  const simulated = tried.filter(isSimulated).map((mutant) => ({ ...mutant, ...stateOf(mutant) }));
  const counts = countFound(simulated);
  const enough = new Set(counts.filter(({ isEnough }) => isEnough).map(({ kind }) => kind));
  const unnoticed = tried.filter((mutant) => stateOf(mutant).state !== 'killed');
  const bad = unnoticed.filter(({ kind }) => !enough.has(kind));
  const lines = simulated.length > 0 ? ['', tableOf(simulated)] : [];
  for (const { kind, tried: count, foundCount } of counts)
    lines.push(`${kind}: ${foundCount} of ${count} found.`);
  if (unnoticed.length > 0) lines.push('');
  for (const mutant of unnoticed) {
    const { state, reason } = stateOf(mutant);
    const what = mutant.what ?? nameOf(mutant);
    lines.push(`${state}: ${titleOf(mutant)} ${what}${reason ? ` (${reason})` : ''}`);
  }
  for (const row of without.rows) lines.push(`No mutant of ${row}.`);
  for (const quote of without.quotes) lines.push(`Said nowhere: ${quote}.`);
  for (const [kind, mutants] of Map.groupBy(untried, (mutant) => mutant.kind))
    lines.push(`Not tried in time: ${mutants.length} of ${kind}.`);
  if (untried.length > 0) lines.push('The same command goes on with them.');
  const within = unnoticed.length - bad.length;
  const allowed = within > 0 ? ` ${within} of them within the one of ten.` : '';
  const rest = untried.length > 0 ? ` ${untried.length} of ${wanted.length} were not tried.` : '';
  lines.push(`${tried.length - unnoticed.length} killed, ${unnoticed.length} not.${allowed}${rest}`);
  const code = bad.length + without.rows.length + without.quotes.length + untried.length === 0 ? 0 : 1;
  return { lines, code };
}
