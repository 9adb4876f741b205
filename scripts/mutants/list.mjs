// The mutants: those that are made of the code, those that are written by hand, and those of which a sample is drawn.
import { Random } from '../../proof/src/random.ts';
import { namedRows } from '../setup/specification.mjs';
import { nameOf } from './apply.mjs';
import { faults } from './faults.mjs';
import { chatFaults } from './faults-of-chats.mjs';
import { matrixFaults } from './faults-of-matrices.mjs';
import { moneyFaults } from './faults-of-money.mjs';
import { ruleFaults } from './faults-of-rules.mjs';
import { screenFaults } from './faults-of-screens.mjs';
import {
  defaultMutants,
  effectMutants,
  limitMutants,
  noticeMutants,
  permissionMutants,
  readRows,
  serverOperatorMutants,
  stepMutants,
  textMutants,
  visibilityMutants,
} from './generate.mjs';
import { leftOut } from './left-out.mjs';
import { numbered } from './places.mjs';
import { rowsWithoutMutant } from './row-kinds.mjs';

/** The kinds of mutants by their names, as `--kind` takes them. */
const kinds = {
  limits: limitMutants,
  notices: noticeMutants,
  texts: textMutants,
  defaults: defaultMutants,
  permissions: permissionMutants,
  steps: stepMutants,
  visibility: visibilityMutants,
  effects: effectMutants,
  matrices: () => matrixFaults,
  money: () => moneyFaults,
  chat: () => chatFaults,
  faults: () => [...faults, ...screenFaults, ...ruleFaults],
};

/** Every mutant of the list, without those that `left-out.mjs` has. @throws when two have the same name, and for one left out that is none. */
export function allMutants(sources, tests) {
  const every = numbered(
    Object.entries(kinds).flatMap(([kind, make]) =>
      make(sources, tests).map((mutant) => ({ kind, ...mutant })),
    ),
    nameOf,
  );
  const names = new Set(every.map(nameOf));
  const gone = Object.keys(leftOut).filter((name) => !names.has(name));
  if (gone.length > 0) throw new Error(`No mutants any more, but left out: ${gone.join(', ')}`);
  return every.filter((mutant) => !Object.hasOwn(leftOut, nameOf(mutant)));
}

/** The rows that need a mutant and have none. */
export const rowsWithout = (mutants) => rowsWithoutMutant(readRows(), mutants);

/** The mutants of which `--sample` draws: changes of operators and conditions of the server. */
export const sampledMutants = (sources) =>
  numbered(serverOperatorMutants(sources), nameOf).map((mutant) => ({ kind: 'sample', ...mutant }));

/** The same draw of `count` for the same seed. */
export function draw(mutants, count, seed) {
  const random = new Random(seed);
  const left = [...mutants];
  const drawn = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(random.int(0, left.length - 1), 1));
  return drawn;
}

const rowTests = namedRows();

/** The tests that have to notice a mutant: those whose titles name its row, or its own. Browser specs are not run. */
export function selectionOf({ row, tests }) {
  const files = (rowTests.get(row) ?? []).filter((path) => !/[.]spec[.]ts$/.test(path));
  return tests && files.length === 0 ? tests : { files, title: row };
}

/** The mutants by the files of their tests, which run once without a fault; `titles` are those of each mutant's tests. */
export function groupsOf(mutants) {
  const groups = new Map();
  for (const mutant of mutants) {
    const { title, ...selection } = selectionOf(mutant);
    const key = JSON.stringify([selection, title === undefined]);
    if (!groups.has(key)) groups.set(key, { selection, mutants: [] });
    groups.get(key).mutants.push({ ...mutant, titles: title === undefined ? [] : [title] });
  }
  return [...groups.values()];
}
