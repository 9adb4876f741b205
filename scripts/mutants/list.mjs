// The mutants: those that are made of the contract's limits, and those that are written by hand.
import { namedRows } from '../setup/specification.mjs';
import { nameOf } from './apply.mjs';
import { faults } from './faults.mjs';
import { limitRows } from './limit-rows.mjs';
import { literalsOf } from './sources.mjs';

const limitsPath = 'contract/src/limits.ts';
const isTime = (symbol) => /(?:Ms|Seconds|Days|Hours)$/.test(symbol);

/** The faults of one limit: one more and one less, or twice the time. */
function limitFaults(symbol, value) {
  if (isTime(symbol)) return [`(${value}) * 2`];
  return [`(${value}) + 1`, `(${value}) - 1`];
}

/** One mutant or two for each number of contract/src/limits.ts that is named in `limitRows`. */
export function limitMutants(sources) {
  const text = sources.get(limitsPath);
  return Object.entries(limitRows).flatMap(([name, row]) =>
    literalsOf(limitsPath, text, name.split('.')[0])
      .filter(
        ([symbol, value]) => (symbol === name || symbol.startsWith(`${name}.`)) && !/^['"`]/.test(value),
      )
      .flatMap(([symbol, value]) => limitFaults(symbol, value).map((to) => ({ row, in: symbol, to }))),
  );
}

/** Every mutant. @throws when two have the same name. */
export function allMutants(sources) {
  const mutants = [...limitMutants(sources), ...faults];
  const names = mutants.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Two mutants are called ${twice}.`);
  return mutants;
}

const tests = namedRows();

/** The tests that have to notice a mutant: those whose titles name its row. Browser specs are not run. */
export const selectionOf = ({ row }) => ({
  files: (tests.get(row) ?? []).filter((path) => !/[.]spec[.]ts$/.test(path)),
  title: row,
});

/** The mutants by their row, whose tests run once without a fault. */
export function groupsOf(mutants) {
  const rows = [...new Set(mutants.map(({ row }) => row))];
  return rows.map((row) => ({
    selection: selectionOf({ row }),
    mutants: mutants.filter((mutant) => mutant.row === row),
  }));
}
