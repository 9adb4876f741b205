import { expect, it } from 'vitest';
import { specificationPage, specificationProblems } from './setup/specification.mjs';
import { readTitles, testTitles } from './setup/test-titles.mjs';
import { threatProblems, threatsPage } from './setup/threats.mjs';

const rows = { '§1-built': 'A | B.' };
const tests = new Map([['§1-built', ['web/src/a.test.ts']]]);

it('a row has a test', () => {
  expect(specificationProblems({ rows, tests })).toEqual([]);
  expect(specificationProblems({ rows, tests: new Map() })).toEqual(['§1-built has no test that names it']);
});

it('a title names rows that exist', () => {
  const typed = new Map([...tests, ['§1-biult', ['web/src/b.test.ts']]]);
  expect(specificationProblems({ rows, tests: typed })).toEqual([
    '§1-biult of web/src/b.test.ts is no row of docs/specification-rows.json',
  ]);
});

it('a row stands in the title of one test, not in that of a group or a table of cases', () => {
  const shared = new Map([['§1-built', ['web/src/b.test.ts']]]);
  expect(specificationProblems({ rows, tests, shared })).toEqual([
    '§1-built of web/src/b.test.ts belongs into the title of one test, not of many',
  ]);
  const source = `describe('group', () => {
    test.for([['§1-a']])('%s in a table', () => {});
    it.each([1])('each', () => {});
    it.runIf(true)('one', () => {});
  });
  const forms = { '§1-b': 1 };
  describe.each(Object.entries(forms))('%s of a table', () => {});
  describeScreen('/', { empty: { shows: ['§1-c'] }, more: { 'a state (§1-d)': {} } });`;
  const names = (isWanted) =>
    readTitles(source)
      .filter(isWanted)
      .map(({ text }) => text);
  expect(names(({ isShared }) => isShared)).toEqual([
    ...['group', '%s in a table', 'each'],
    ...['%s of a table', '§1-b'],
  ]);
  expect(names(({ isShared }) => !isShared)).toEqual(['§1-a', 'one', '/', 'a state (§1-d)']);
});

it('the page shows each row with its tests', () => {
  const page = specificationPage({ rows, tests });
  expect(page).toContain('not edited by hand. 1 rows.');
  expect(page).toContain('| §1-built | A \\| B. | [a.test.ts](../web/src/a.test.ts) |');
});

it('a row of docs/security.md shows the tests that name it, and has one', () => {
  const page = 'Text.\n\n| threat-theft | A \\| B | a lock | old |\n| threat-fire | C | water |  |\n';
  const proofs = new Map([['threat-theft', ['web/src/a.test.ts', 'scripts/b.test.mjs']]]);
  const current = threatsPage({ page, tests: proofs });
  expect(current).toBe(
    'Text.\n\n| threat-theft | A \\| B | a lock | [a.test.ts](../web/src/a.test.ts), [b.test.mjs](../scripts/b.test.mjs) |\n| threat-fire | C | water |  |\n',
  );
  expect(threatProblems({ page, tests: proofs })).toEqual([
    'threat-fire has no test that names it',
    'docs/security.md is not current: npm run specification',
  ]);
  const typed = new Map([...proofs, ['threat-fire', ['a.test.ts']], ['threat-flod', ['a.test.ts']]]);
  expect(threatProblems({ page: threatsPage({ page, tests: typed }), tests: typed })).toEqual([
    'threat-flod of a.test.ts is no row of docs/security.md',
  ]);
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
    "describeScreen('/', { path: '/', full: { shows: ['§1-a'] }, more: { 'long (§1-b)': { shows: ['§1-c'] } } });",
    ['/', 'long (§1-b)'],
  ],
  ["// test('§1-a')\nconst title = '§1-b';\nexpect('§1-c');", []],
  ["test.skip('§1-a', () => {});", []],
  ["it.todo('§1-a');", []],
  ["test('x', () => { expect('§1-a').toBe(1); });", ['x']],
])('the titles of %j are %j', (source, titles) => {
  expect(testTitles(source)).toEqual(titles);
});
