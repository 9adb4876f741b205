import { expect, it } from 'vitest';
import { applyMutant, nameOf } from './mutants/apply.mjs';
import { allMutants, limitMutants, selectionOf } from './mutants/list.mjs';
import { literalsOf, placesOf, readSources } from './mutants/sources.mjs';

const limits = `/** ₱ */
export const pageSize = {
  feed: 10,
  admin: { plans: 2 * 10 },
} as const;
export function isLate(days: number) {
  return days > 7 &&
    days < 100;
}
`;
const sources = new Map([
  ['contract/src/limits.ts', limits],
  ['web/src/a.tsx', 'export const A = () => <p>{isLate(7) && <b>late</b>}</p>;\n'],
]);
const change = (mutant) => applyMutant(sources, { row: '§1-a', ...mutant });

it('a symbol is found by its name and keys, wherever it is', () => {
  const [place] = placesOf(sources, 'pageSize.admin.plans');
  expect(limits.slice(place.start, place.end)).toBe('2 * 10');
  expect(placesOf(sources, 'A')).toMatchObject([{ path: 'web/src/a.tsx' }]);
  expect(placesOf(sources, 'pageSize.nothing')).toEqual([]);
  expect(literalsOf('contract/src/limits.ts', limits, 'pageSize')).toEqual([
    ['pageSize.feed', '10'],
    ['pageSize.admin.plans', '2 * 10'],
  ]);
});

it('a mutant changes the value of its symbol, or one statement in it, whatever its line breaks', () => {
  expect(change({ in: 'pageSize.feed', to: '11' })).toEqual({
    path: 'contract/src/limits.ts',
    text: limits.replace('feed: 10', 'feed: 11'),
  });
  const { text } = change({ in: 'isLate', from: 'days > 7 && days < 100', to: 'true' });
  expect(text).toContain('return true;');
});

it('a mutant that nothing or more than one place has is a failure', () => {
  expect(() => change({ in: 'pageSize.gone', to: '1' })).toThrow('no place has it any more');
  expect(() => change({ in: 'isLate', from: 'days >= 7', to: '' })).toThrow('no place has it any more');
  expect(() => change({ in: 'isLate', from: 'days', to: '' })).toThrow('3 places have it');
});

it('each limit has one more and one less, each time twice as long', () => {
  const text = 'export const captionLength = 5000;\nexport const timer = { formToastMs: 3000 } as const;\n';
  const of = limitMutants(new Map([['contract/src/limits.ts', text]]));
  expect(of.map(nameOf)).toEqual([
    'captionLength: → (5000) + 1',
    'captionLength: → (5000) - 1',
    'timer.formToastMs: → (3000) * 2',
  ]);
});

it('every mutant of the list applies to one place, and its row has a test that can notice it', () => {
  const real = readSources();
  const mutants = allMutants(real);
  expect(mutants.length).toBeGreaterThan(100);
  const problems = mutants.flatMap((mutant) => {
    const untested = selectionOf(mutant).files.length === 0 ? [`${mutant.row} has no test of Vitest`] : [];
    try {
      applyMutant(real, mutant);
      return untested;
    } catch (error) {
      return [...untested, `${nameOf(mutant)}: ${error.message}`];
    }
  });
  expect([...new Set(problems)]).toEqual([]);
});
