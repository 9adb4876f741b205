import { expect, it } from 'vitest';
import { shrunkList, specificationPage, specificationProblems } from './setup/specification.mjs';
import { testTitles } from './setup/test-titles.mjs';

const rows = { '§1-built': 'Built.', '§1-later': 'A | B.' };
const tests = new Map([['§1-built', ['web/src/a.test.ts']]]);
const notBuilt = { most: 1, rows: ['§1-later'] };
const sound = { rows, tests, notBuilt, committed: [notBuilt] };

it('a row has a test or a place in the list', () => {
  expect(specificationProblems(sound)).toEqual([]);
  expect(specificationProblems({ ...sound, tests: new Map() })).toEqual([
    '§1-built has neither a test nor a place in docs/specification-not-built.json',
  ]);
});

it('a listed row has no test, and leaves the list by itself', () => {
  const tested = new Map([...tests, ['§1-later', ['web/src/b.test.ts']]]);
  expect(specificationProblems({ ...sound, tests: tested })).toEqual([
    expect.stringContaining('§1-later is listed as not built, but tested by web/src/b.test.ts'),
  ]);
  expect(shrunkList({ notBuilt, tests: tested })).toEqual({ most: 0, rows: [] });
});

it('a title names rows that exist', () => {
  const typed = new Map([...tests, ['§1-biult', ['web/src/b.test.ts']]]);
  expect(specificationProblems({ ...sound, tests: typed })).toEqual([
    '§1-biult of web/src/b.test.ts is no row of docs/specification-rows.json',
  ]);
});

it.each([
  ['by a higher limit', { most: 2, rows: ['§1-later', '§1-built'] }],
  ['by an exchange', { most: 1, rows: ['§1-built'] }],
  ['beyond its limit', { most: 0, rows: ['§1-later'] }],
])('the list does not grow: %s', (_how, grown) => {
  const problems = specificationProblems({ rows, notBuilt: grown, committed: [notBuilt], tests: new Map() });
  expect(problems).toContainEqual(expect.stringMatching(/came back|may hold/));
});

it('the page shows each row with its tests', () => {
  const page = specificationPage(sound);
  expect(page).toContain('2 rows: 1 tested, 1 not built.');
  expect(page).toContain('| §1-built | Built. | [a.test.ts](../web/src/a.test.ts) |');
  expect(page).toContain('| §1-later | A \\| B. | not built |');
});

it.each([
  ["test('§1-a', () => {});", ['§1-a']],
  ["it.runIf(true)('§1-a', () => {});", ['§1-a']],
  ["test.describe('§1-a', () => {});", ['§1-a']],
  ['test(`§1-a in ' + '$' + '{look}`, () => {});', ['§1-a in $']],
  ["test('§1-a ' + '§1-b', () => {});", ['§1-a §1-b']],
  ["tillTest('§1-a', () => {});", ['§1-a']],
  ["test.for([['§1-a', 1]])('%s', () => {});", ['%s', '§1-a']],
  [
    "const forms = { 'A (§1-a)': 1 };\ndescribe.each(Object.entries(forms))('%s', () => {});",
    ['%s', 'A (§1-a)'],
  ],
  ["test.for([['§1-a', 1]])('case', () => {});", ['case']],
  [
    "describeScreen('/', { rows: '§1-a', path: '/', more: { 'long (§1-b)': {} } });",
    ['/', '§1-a', 'long (§1-b)'],
  ],
  ["// test('§1-a')\nconst title = '§1-b';\nexpect('§1-c');", []],
  ["test.skip('§1-a', () => {});", []],
  ["it.todo('§1-a');", []],
  ["test('x', () => { expect('§1-a').toBe(1); });", ['x']],
])('the titles of %j are %j', (source, titles) => {
  expect(testTitles(source)).toEqual(titles);
});
