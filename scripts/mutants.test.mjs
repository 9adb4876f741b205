import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyMutant, nameOf } from './mutants/apply.mjs';
import { isDecision } from './mutants/decisions.mjs';
import { executingTests, gatherLines } from './mutants/executed-lines.mjs';
import {
  defaultMutants,
  effectMutants,
  limitMutants,
  limitsElsewhere,
  limitsLeftOut,
  noticeMutants,
  permissionMutants,
  quotesElsewhere,
  quotesWithoutPlace,
  readRows,
  stepMutants,
  testsElsewhere,
  textMutants,
  visibilityMutants,
} from './mutants/generate.mjs';
import { limitRows } from './mutants/limit-rows.mjs';
import { allMutants, draw, groupsOf, rowsWithout, sampledMutants, selectionOf } from './mutants/list.mjs';
import { operatorMutants } from './mutants/places.mjs';
import { readResults, reportOf, storeResults } from './mutants/results.mjs';
import { rowsLeftOut, rowsWithoutMutant, sameFacts } from './mutants/row-kinds.mjs';
import { tryGroup } from './mutants/run.mjs';
import { countFound, tryFaults } from './mutants/simulate.mjs';
import { literalsOf, placesOf, readSources, readTests } from './mutants/sources.mjs';

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
  expect(change({ in: 'pageSize.feed', to: '11' })).toEqual([
    { path: 'contract/src/limits.ts', text: limits.replace('feed: 10', 'feed: 11') },
  ]);
  const [{ text }] = change({ in: 'isLate', from: 'days > 7 && days < 100', to: 'true' });
  expect(text).toContain('return true;');
});

it('a mutant that nothing or more than one place has is a failure', () => {
  expect(() => change({ in: 'pageSize.gone', to: '1' })).toThrow('no place has it any more');
  expect(() => change({ in: 'isLate', from: 'days >= 7', to: '' })).toThrow('no place has it any more');
  expect(() => change({ in: 'isLate', from: 'days', to: '' })).toThrow('3 places have it');
});

it('each limit has one more and one less, each time twice as long', () => {
  const text = [
    'export const captionLength = 5000;',
    'export const timer = { formToastMs: 3000 } as const;',
    'export const reminderDays = [1, 3] as const;',
    'export function reconnectDelayMs(attempt: number) {',
    '  return attempt < 5 ? 1_000 : 60_000;',
    '}',
  ].join('\n');
  const of = limitMutants(
    new Map([
      ['contract/src/limits.ts', text],
      ['contract/src/wire/documents.ts', "const dataLength = 9;\nconst collection = 'posts';\n"],
    ]),
  );
  expect(of.map(nameOf)).toEqual([
    'captionLength: → (5000) + 1',
    'captionLength: → (5000) - 1',
    'timer.formToastMs: → (3000) * 2',
    'reminderDays.0: → (1) * 2',
    'reminderDays.1: → (3) * 2',
    'reconnectDelayMs: 5 → 6',
    'reconnectDelayMs: 1_000 → 2000',
    'reconnectDelayMs: 60_000 → 120000',
    'dataLength: → (9) + 1',
    'dataLength: → (9) - 1',
  ]);
  expect(applyMutant(sources, { in: 'pageSize.admin.plans', to: '3' })[0].text).toContain('plans: 3');
  const listed = new Map([['contract/src/limits.ts', text]]);
  expect(applyMutant(listed, of[4])[0].text).toContain('[1, (3) * 2]');
});

it('each bound of a schema has one more and one less, and each size of the backend service', () => {
  const of = limitMutants(
    new Map([
      [
        'contract/src/posts/posts.ts',
        "const Title = text(30).check(z.minLength(1, 'No.'), z.regex(/a{2}/));\n",
      ],
      ['server/src/backend/page.ts', 'const usualLimit = 25;\nconst other = 3;\n'],
      ['server/src/features/posts/read.ts', 'const mostRead = 3;\n'],
    ]),
  );
  expect(of.map(nameOf)).toEqual([
    'Title: 30 → (30) + 1',
    'Title: 30 → (30) - 1',
    'Title: 1 → (1) + 1',
    'Title: 1 → (1) - 1',
    'usualLimit: 25 → (25) + 1',
    'usualLimit: 25 → (25) - 1',
  ]);
});

it('each default of a schema, a column and a parameter is another one, but those that nobody sees', () => {
  const of = defaultMutants(
    new Map([
      [
        'contract/src/a.ts',
        "const A = z.object({ b: z._default(text(1), ''), c: z._default(B, limits.c) });\n",
      ],
      [
        'server/src/features/a/tables.ts',
        "const a = pgTable('a', { paid: boolean('paid').default(false) });\n",
      ],
      ['server/src/features/a/a.ts', 'function a({ isLast = false, most = 500 }, [first = 1]) {}\n'],
      ['server/src/backend/a.ts', "const b = ({ note = '', gravity = 'center', offset = 0 }) => gravity;\n"],
    ]),
  );
  expect(of.map(nameOf)).toEqual([
    "A.b: '' → 'x'",
    'a.paid: false → true',
    'a: false → true',
    "b: 'center' → 'centerx'",
    'b: 0 → 1',
  ]);
});

const shownTexts = new Map([
  [
    'web/src/features/a/A.tsx',
    'const state = \'late\';\nexport const A = () => <p title="Too late">{state}<i>late</i></p>;\n',
  ],
  ['web/src/features/b/B.tsx', 'export const B = () => <b>\n  late\n</b>;\n'],
  ['web/src/ui/skeletons.tsx', 'export const C = () => <b>late</b>;\n'],
  [
    'contract/src/accounts/forms.ts',
    'export const name = (label: string) => `@{label} must contain only letters`;\nexport const path = (id: string) => `/a/@{id}`;\n'.replaceAll(
      '@{',
      '$' + '{',
    ),
  ],
  ['contract/src/notices.ts', "export const notices = { type: notice('Wrong type', 'Only JPG.') };\n"],
  [
    'contract/src/problems.ts',
    "export const problems = { gone: problem(404, 'It is gone.'), busy: problem(503, 'Tara is busy') };\n",
  ],
  ['server/src/c.ts', "export const c = 'Too late';\n"],
]);
const textRows = {
  '§1-a': 'It says ‘late’, ‘Too late’.',
  '§1-b': '‘early’',
  '§1-d': '‘Name must contain only letters’',
  '§1-e': '‘Wrong type - Only JPG.’',
  '§7-c': '‘late’',
};
const textTests = new Map([
  ['web/src/features/a/a.test.tsx', "expect(text).toBe('late')"],
  ['web/src/features/b/b.test.tsx', "screen.getByText('late'); screen.getByText('It is gone.')"],
  ['contract/src/notices.test.ts', "expect(problems.busy.title).toBe('Tara is busy')"],
]);

it('a text that a row quotes is changed wherever people are shown it; a key of the code stays', () => {
  const of = textMutants(shownTexts, textTests, textRows).filter(({ row }) => row);
  expect(of.map((mutant) => [mutant.row, nameOf(mutant)])).toEqual([
    ['§1-a', '§1-a: late → latex'],
    ['§1-a', '§1-a: Too late → Too latex'],
    ['§1-d', '§1-d: Name must contain only letters → Name must contain only lettersx'],
    ['§1-e', '§1-e: Wrong type - Only JPG. → Wrong type - Only JPG.x'],
  ]);
  const [late] = of.map((mutant) => applyMutant(shownTexts, mutant));
  expect(late.map(({ path }) => path)).toEqual(['web/src/features/a/A.tsx', 'web/src/features/b/B.tsx']);
  expect(late[0].text).toContain('<p title="Too late">{state}<i> latex </i></p>');
  const [, , template, joined] = of.map((mutant) => applyMutant(shownTexts, mutant)[0].text);
  expect(template).toContain('} must contain only lettersx`');
  expect(joined).toContain('notice("Wrong typex", "Only JPG.x")');
});

it('each place of a text that several have is changed alone; the tests beside it have to notice', () => {
  const alone = textMutants(shownTexts, textTests, textRows).filter(({ row }) => !row);
  expect(alone.map(({ in: symbol, tests: { files } }) => [symbol, files])).toEqual([
    ['A', ['web/src/features/a/a.test.tsx']],
    ['B', ['web/src/features/b/b.test.tsx']],
    ['notices.type', []],
    ['notices.type', []],
  ]);
  expect(applyMutant(shownTexts, alone[1]).map(({ path }) => path)).toEqual(['web/src/features/b/B.tsx']);
});

it('a text of a notice or a problem that no row quotes is changed where a test of its readers says it', () => {
  const of = noticeMutants(shownTexts, textTests, textRows);
  expect(of.map((mutant) => [nameOf(mutant), mutant.tests.files])).toEqual([
    [`problems.gone: 'It is gone.' → "It is gone.x"`, ['web/src/features/b/b.test.tsx']],
  ]);
});

it('a row whose quote is said nowhere is a failure', () => {
  expect(quotesWithoutPlace(shownTexts, textRows)).toEqual(['§1-b (‘early’)']);
});

it('a row about a text, a number, a default, a permission or a rule needs a mutant', () => {
  const rows = {
    '§1-a': 'The list says ‘late’.',
    '§1-b': 'A list of posts.',
    '§1-c': 'Only its creator sees it.',
    '§1-d': 'A page of posts. (Departure: at most 10 s; decision 0002.)',
    '§1-e': 'Waits 60 s.',
    '§9-caption-length': 'Lengths: caption 5000.',
    '§9-page-sizes': 'The page sizes of §7.',
    '§6-any': 'Anyone.',
    '§2-send': '‘Send’ is disabled while sending, ‘only once’.',
    '§4-total': 'Create plan: success (totalPlan +1).',
    '§4-list': 'A list.',
    '§2-list': 'A list of 20 rows.',
    '§2-list-after': 'After it go to the list.',
    '§7-provider-list': 'GET /list.',
  };
  expect(
    rowsWithoutMutant(rows, [{ row: '§1-e', kind: 'limits' }, {}, { row: '§2-send', kind: 'texts' }]),
  ).toEqual([
    '§1-a (text)',
    '§1-c (permission)',
    '§9-caption-length (limit)',
    '§6-any (permission)',
    '§2-send (rule)',
    '§4-total (rule, amount)',
    '§4-list (rule)',
    '§2-list (number)',
    '§2-list-after (rule)',
    '§7-provider-list (rule)',
  ]);
  expect(
    rowsWithoutMutant(
      rows,
      Object.keys(rows).map((row) => ({ row: sameFacts[row] ?? row })),
    ),
  ).toEqual([]);
});

const policy = `export const postCan = {
  change: (id: string, post: Post): boolean => post.creatorId === id && !post.closed,
  see: (post: Post) => {
    if (post.hidden) return false;
    return post.readers.some((one) => one === 'a');
  },
  answer: (state: State) => {
    switch (state) {
      case 'open':
        return true;
    }
    return false;
  },
} as const;
`;

it('each condition of a permission is made true and false', () => {
  const of = permissionMutants(new Map([['contract/src/posts/posts.ts', policy]]), new Map());
  expect(of.map(nameOf)).toEqual([
    'postCan.change: post.creatorId === id → true',
    'postCan.change: post.creatorId === id → false',
    'postCan.change: post.closed → true',
    'postCan.change: post.closed → false',
    'postCan.see: post.hidden → true',
    'postCan.see: post.hidden → false',
    "postCan.see: post.readers.some((one) => one === 'a') → true",
    "postCan.see: post.readers.some((one) => one === 'a') → false",
    'postCan.answer: true → false',
  ]);
});

it('each party and stage of a step comes and goes, and each of its conditions goes', () => {
  const steps =
    "export const steps = { pay: { by: ['client'], notBy: 'No.', from: ['paid'], notFrom: { ready: 'No.', ...each(['completed', 'cancelled']) }, flags: [frozen] } } as const;";
  const lists = "export const interactionLists = { earn: { side: ['creator'] } } as const;";
  const path = (name) => `contract/src/interactions/${name}.ts`;
  const of = stepMutants(
    new Map([
      [path('steps'), steps],
      [path('stages'), lists],
      [path('verdicts'), ''],
    ]),
  );
  expect(of.map(nameOf)).toEqual([
    "steps.pay.by: ['client'] → []",
    "steps.pay.by: ['client'] → [...['client'], 'creator']",
    "steps.pay.by: ['client'] → [...['client'], 'other']",
    "steps.pay.notBy: 'No.' → ''",
    "steps.pay.from: ['paid'] → []",
    ...['requested', 'accepted', 'ready', 'fulfilled', 'disputed', 'completed', 'cancelled'].map(
      (stage) => `steps.pay.from: ['paid'] → [...['paid'], '${stage}']`,
    ),
    "steps.pay.notFrom: { ready: 'No.', ...each(['completed', 'cancelled']) } → {...each(['completed', 'cancelled'])}",
    "steps.pay.notFrom: { ready: 'No.', ...each(['completed', 'cancelled']) } → {ready: 'No.'}",
    "steps.pay.notFrom: ['completed', 'cancelled'] → ['cancelled']",
    "steps.pay.notFrom: ['completed', 'cancelled'] → ['completed']",
    'steps.pay.flags: [frozen] → []',
    "interactionLists.earn.side: ['creator'] → []",
    "interactionLists.earn.side: ['creator'] → [...['creator'], 'client']",
  ]);
});

const write = `export async function endPost(row: Row) {
  if (row.cents > 0) await oweRefund(row);
  await notify(row, { event: 'ended' });
  return read(and(isOpen(), visibleTo(row, posts.creatorId, posts.ownerId)));
}
`;
const writes = new Map([['server/src/features/posts/end.ts', write]]);
const beside = new Map([
  ['server/src/features/posts/end.test.ts', ''],
  ['server/src/features/plans/a.test.ts', ''],
]);

it('each refund and notice is left out, and each column of a filter; the tests beside have to notice', () => {
  const effects = effectMutants(writes, beside);
  expect(effects.map(nameOf)).toEqual([
    'endPost: await oweRefund(row) → undefined',
    "endPost: await notify(row, { event: 'ended' }) → undefined",
  ]);
  expect(selectionOf(effects[0])).toEqual({ files: ['server/src/features/posts/end.test.ts'] });
  expect(visibilityMutants(writes, beside).map(({ to }) => to)).toEqual([
    'visibleTo(row, posts.ownerId)',
    'visibleTo(row, posts.creatorId)',
  ]);
});

it('each part of a condition of what is read is left out, and nobody is hidden', () => {
  const condition = [
    'const readablePosts = (viewer) => viewer.admin ? undefined : and(isOpen(), visibleTo(viewer, posts.creatorId));',
    'const isOwn = (viewer) => eq(posts.creatorId, viewer.id);',
    'const show = (id, viewer) => viewer?.hiddenAccountIds.includes(id) ? null : and(isOpen(), id);',
  ].join('\n');
  const of = visibilityMutants(new Map([['server/src/features/posts/read.ts', condition]]), beside);
  expect(of.map(nameOf)).toEqual([
    'readablePosts: viewer.admin → true',
    'readablePosts: viewer.admin → false',
    'readablePosts: isOpen() → undefined',
    'readablePosts: visibleTo(viewer, posts.creatorId) → visibleTo(viewer)',
    'isOwn: eq(posts.creatorId, viewer.id) → undefined',
    'show: viewer?.hiddenAccountIds.includes(id) → false',
  ]);
});

it('a sample is drawn of changed operators and conditions, the same for the same seed', () => {
  const changes = operatorMutants('server/src/features/posts/end.ts', write);
  expect(changes.map(nameOf)).toEqual([
    'endPost: row.cents > 0 → true',
    'endPost: row.cents > 0 → false',
    'endPost: row.cents > 0 → row.cents >= 0',
    'endPost: isOpen() → undefined',
    'endPost: visibleTo(row, posts.creatorId, posts.ownerId) → undefined',
  ]);
  expect(draw(changes, 2, 7)).toEqual(draw(changes, 2, 7));
  expect(draw(changes, 9, 7)).toHaveLength(5);
});

it('a sampled mutant is tried by the tests that execute its line: those beside it first, then the shortest', () => {
  const path = 'server/src/features/posts/end.ts';
  const folder = 'server/src/features';
  const runs = { 'plans/slow': 9, 'plans/quick': 1, 'posts/end': 5, 'plans/failed': 1, 'plans/other': 1 };
  const executed = {
    tests: Object.fromEntries(
      Object.entries(runs).map(([name, durationMs]) => [
        `${folder}/${name}.test.ts`,
        { durationMs, state: name === 'plans/failed' ? 'fail' : 'pass' },
      ]),
    ),
    sources: {
      [path]: Object.fromEntries(
        Object.keys(runs).map((name) => [`${folder}/${name}.test.ts`, name === 'plans/other' ? [4] : [1, 2]]),
      ),
    },
  };
  const known = new Map(Object.keys(executed.tests).map((test) => [test, '']));
  const [paid] = operatorMutants(path, write);
  const ordered = ['posts/end', 'plans/quick', 'plans/slow'].map((name) => `${folder}/${name}.test.ts`);
  expect(executingTests(executed, known, write, paid)).toEqual({ files: ordered, durationMs: 15 });
  // A line that nothing executes, in a function and outside of functions; a test that came later.
  const at = { path, start: write.length, end: write.length };
  expect(executingTests(executed, known, write, { at }).files).toEqual([]);
  expect(executingTests(executed, known, write, { at, isOutside: true }).files).toHaveLength(4);
  const later = `${folder}/posts/later.test.ts`;
  expect(executingTests(executed, new Map([...known, [later, '']]), write, { at }).files).toEqual([later]);
});

it('what tests execute is gathered in parts: one that is stopped goes on there, and one that fails is not used', async () => {
  const files = Array.from({ length: 45 }, (_, index) => `server/src/${index}.test.ts`);
  const texts = (some) => new Map(some.map((file) => [file, '']));
  const known = { sources: {}, tests: {} };
  const runs = [];
  const run =
    (isStopped, line = 1) =>
    async (some) => {
      runs.push(some.length);
      if (isStopped) throw new Error('stopped');
      if (some.includes(files[0])) return null;
      const lines = Object.fromEntries(some.map((file) => [file, [line]]));
      return {
        sources: { 'a.ts': lines },
        tests: Object.fromEntries(some.map((file) => [file, { state: 'pass' }])),
      };
    };
  await gatherLines(known, texts(files.slice(0, 20)), run(false), () => {});
  await expect(gatherLines(known, texts(files), run(true), () => {})).rejects.toThrow('stopped');
  await gatherLines(known, texts(files), run(false), () => {});
  expect(runs).toEqual([20, 20, 20, 5]);
  expect(Object.values(known.tests).filter(({ state }) => state === 'fail')).toHaveLength(20);
  expect(Object.keys(known.sources['a.ts'])).toEqual(files.slice(20));
  // A test that changed loses the lines that it executed before.
  const changed = new Map([...texts(files), [files[44], 'changed'], [files[43], 'changed']]);
  await gatherLines(known, changed, run(false, 2), () => {});
  expect(runs.slice(4)).toEqual([2]);
  expect(known.sources['a.ts']).toMatchObject({ [files[42]]: [1], [files[43]]: [2], [files[44]]: [2] });
  const emptied = new Map([...changed, [files[44], 'changed again']]);
  await gatherLines(
    known,
    emptied,
    async () => ({ sources: {}, tests: {} }),
    () => {},
  );
  expect(Object.keys(known.sources['a.ts'])).toEqual(files.slice(20, 44));
});

it('a sample is drawn of what decides in the server, and of nothing else', () => {
  const isDrawn = (path) => isDecision(`server/src/${path}.ts`);
  const drawn = [
    'features/posts/write',
    'features/posts/read',
    'features/interactions/lists',
    'backend/documents/write',
    'backend/documents/collections/plans',
    'backend/storage/storage',
    'platform/http/rate-limits',
    'platform/jobs/queue',
  ];
  expect(drawn.filter((path) => !isDrawn(path))).toEqual([]);
  const others = [
    'features/posts/routes',
    'features/posts/present',
    'features/posts/write.test',
    'backend/account/session-replies',
    'platform/memory-cache',
    'platform/redis/link',
    'platform/database/connect',
    'main',
  ];
  expect(others.filter(isDrawn)).toEqual([]);
});

describe('what was tried', () => {
  const complete = { rows: [], quotes: [] };
  const mutant = (to, kind = 'limits') => ({ kind, in: 'pageSize.feed', to, like: 'like', what: `is ${to}` });
  const resultsOf = (states) =>
    Object.fromEntries(Object.entries(states).map(([to, state]) => [nameOf(mutant(to)), { state }]));

  it('is an error when not every mutant was tried and noticed', () => {
    const wanted = [mutant('11'), mutant('12')];
    const tried = (states) => reportOf(wanted, resultsOf(states), complete);
    expect(tried({ 11: 'killed', 12: 'killed' })).toEqual({ lines: ['2 killed, 0 not.'], code: 0 });
    expect(tried({ 11: 'killed', 12: 'survived' })).toEqual({
      lines: ['', 'survived: limits is 12', '1 killed, 1 not.'],
      code: 1,
    });
    const rest = 'The same command goes on with them.';
    expect(tried({ 12: 'killed' })).toEqual({
      lines: ['Not tried in time: 1 of limits.', rest, '1 killed, 0 not. 1 of 2 were not tried.'],
      code: 1,
    });
    expect(tried({})).toEqual({
      lines: ['Not tried in time: 2 of limits.', rest, '0 killed, 0 not. 2 of 2 were not tried.'],
      code: 1,
    });
    const all = resultsOf({ 11: 'killed', 12: 'killed' });
    expect(reportOf(wanted, all, { rows: ['§1-a (text)'], quotes: [] })).toEqual({
      lines: ['No mutant of §1-a (text).', '2 killed, 0 not.'],
      code: 1,
    });
    expect(reportOf(wanted, all, { rows: [], quotes: ['§1-b (‘early’)'] })).toEqual({
      lines: ['Said nowhere: §1-b (‘early’).', '2 killed, 0 not.'],
      code: 1,
    });
  });

  it('of money and chat names its survivors, which are allowed to be one of ten', () => {
    const numbers = Array.from({ length: 10 }, (_, index) => String(index));
    const wanted = numbers.map((to) => mutant(to, 'money'));
    const states = (survivors) =>
      resultsOf(
        Object.fromEntries(numbers.map((to) => [to, Number(to) < survivors ? 'survived' : 'killed'])),
      );
    const one = reportOf(wanted, states(1), complete);
    expect(one.lines).toContain('survived: money is 0');
    expect(one.lines.at(-1)).toBe('9 killed, 1 not. 1 of them within the one of ten.');
    expect(one.code).toBe(0);
    const two = reportOf(wanted, states(2), complete);
    expect(two.lines.at(-1)).toBe('8 killed, 2 not.');
    expect(two.code).toBe(1);
  });

  it('is stored for the last five trees', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tara-results-'));
    const path = join(folder, 'results', 'mutants.json');
    try {
      expect(readResults(path, 'a')).toEqual({});
      for (const tree of ['a', 'b', 'c', 'd', 'e']) storeResults(path, tree, { [tree]: { state: 'killed' } });
      storeResults(path, 'a', { a: { state: 'survived' } });
      storeResults(path, 'f', {});
      expect(readResults(path, 'a')).toEqual({ a: { state: 'survived' } });
      expect(readResults(path, 'b')).toEqual({});
      expect(readResults(path, 'e')).toEqual({ e: { state: 'killed' } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ends with the time of all: the tests that run are stopped, and their mutant is not tried', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tara-group-'));
    const states = [];
    const own = new Map([['a.ts', 'export const one = 1;\nexport const two = 1;\n']]);
    const faults = ['one', 'two'].map((name) => ({ kind: 'limits', in: name, to: '2', titles: [] }));
    const limits = [];
    const tryBy = (endsAt, state) =>
      tryGroup(
        folder,
        { selection: { files: ['a.test.ts'] }, mutants: faults },
        {
          sources: own,
          tell: ({ in: name }, ...rest) => states.push([name, ...rest]),
          tests: {
            run: async (_selection, changed, limitMs) => {
              limits.push(limitMs);
              return { state: changed.length === 0 ? 'passed' : state, failed: [] };
            },
          },
          endsAt,
        },
      );
    try {
      await tryBy(0, 'failed');
      expect([limits, states]).toEqual([[], []]);
      const limitMs = 20_000;
      await tryBy(Date.now() + limitMs, 'slow');
      expect(states).toEqual([]);
      expect(limits).toHaveLength(2);
      expect(Math.max(...limits)).toBeLessThanOrEqual(limitMs);
      await tryBy(Number.POSITIVE_INFINITY, 'passed');
      expect(states).toEqual([
        ['one', 'survived'],
        ['two', 'survived'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('mutants with the same files of tests are tried one after another, each by the titles of its row', () => {
  const tests = { files: ['a.test.ts'] };
  const groups = groupsOf([
    { tests, to: '1' },
    { tests: { files: [] }, to: '2' },
    { tests, to: '3' },
    { row: '§2-saved', to: '4' },
    { row: '§2-saved-grid', to: '5' },
  ]);
  expect(groups.map(({ mutants }) => mutants.map(({ to }) => to))).toEqual([['1', '3'], ['2'], ['4', '5']]);
  expect(groups[0].mutants[0].titles).toEqual([]);
  expect(groups[2].mutants.map(({ titles }) => titles)).toEqual([['§2-saved'], ['§2-saved-grid']]);
});

describe('faults that the simulation has to find', () => {
  const fault = (kind, to) => ({ kind, in: 'pageSize.feed', to });
  const passing = { code: 0, text: '' };
  const broken = { code: 1, text: "seed 7 breaks 'nobody is paid twice': it is" };

  /** Tries faults with lives that end as `outcome` says. @returns what was reported, and the kinds in the order of their lives */
  async function tryWith(outcome, faults, endsAt) {
    const calls = [];
    const states = [];
    await tryFaults(faults, {
      sources,
      tell: (mutant, state, reason) => states.push([mutant.kind, state, reason]),
      live: async (kind, changed) => {
        calls.push(`${kind} ${changed.length}`);
        return outcome(kind, changed);
      },
      endsAt,
    });
    return { calls, states };
  }

  it('are tried after the same lives without one, of the kinds that have one alone', async () => {
    const outcome = (_kind, changed) => (changed[0]?.text.includes('11') ? broken : passing);
    const { calls, states } = await tryWith(outcome, [fault('chat', '11'), fault('chat', '12')]);
    expect(calls).toEqual(['chat 0', 'chat 1', 'chat 1']);
    expect(states).toEqual([
      ['chat', 'killed', 'seed 7: nobody is paid twice'],
      ['chat', 'survived', '500 lives'],
    ]);
  });

  it('are not tried after the time of all', async () => {
    expect(await tryWith(() => passing, [fault('chat', '11')], 0)).toEqual({ calls: [], states: [] });
  });

  const faultsOf = (kind, tried, foundCount) =>
    Array.from({ length: tried }, (_, index) => ({
      kind,
      state: index < foundCount ? 'killed' : 'survived',
    }));

  it.each([
    [30, 27, true],
    [30, 26, false],
    [12, 11, true],
    [12, 10, false],
    [1, 1, true],
    [1, 0, false],
  ])('of %i faults %i are enough: %s', (tried, foundCount, isEnough) => {
    expect(countFound(faultsOf('chat', tried, foundCount))).toEqual([
      { kind: 'chat', tried, foundCount, isEnough },
    ]);
  });

  it('are counted by kind', () => {
    const counts = countFound([...faultsOf('money', 30, 30), ...faultsOf('chat', 12, 10)]);
    expect(counts.map(({ kind, isEnough }) => [kind, isEnough])).toEqual([
      ['money', true],
      ['chat', false],
    ]);
  });

  it('are not tried where the lives fail without one', async () => {
    const outcome = (kind) => (kind === 'money' ? broken : passing);
    const faults = [fault('money', '11'), fault('money', '12'), fault('chat', '11')];
    const { calls, states } = await tryWith(outcome, faults);
    const reason = 'its lives fail without it: seed 7: nobody is paid twice';
    expect(calls).toEqual(['money 0', 'chat 0', 'chat 1']);
    expect(states).toEqual([
      ['money', 'failed', reason],
      ['money', 'failed', reason],
      ['chat', 'survived', '500 lives'],
    ]);
  });
});

const real = readSources();
const tests = readTests();

it('every mutant of the list applies to one place, and has a test that can notice it', () => {
  const mutants = allMutants(real, tests);
  expect(mutants.length).toBeGreaterThan(400);
  const problems = mutants.flatMap((mutant) => {
    const untested =
      selectionOf(mutant).files.length === 0 ? [`${nameOf(mutant)} has no test of Vitest`] : [];
    try {
      applyMutant(real, mutant);
      return untested;
    } catch (error) {
      return [...untested, `${nameOf(mutant)}: ${error.message}`];
    }
  });
  expect([...new Set(problems)]).toEqual([]);
  expect(rowsWithout(mutants)).toEqual([]);
  expect(quotesWithoutPlace(real)).toEqual([]);
});

it('what has no mutants is still there, and every decision of the server can be drawn', () => {
  const constants = Object.keys(limitsLeftOut).filter(
    (name) => placesOf(real, name).length === 0 && placesOf(real, name.split('.')[0]).length === 0,
  );
  expect(constants).toEqual([]);
  const limits = [...Object.keys(limitRows), ...Object.keys(limitsElsewhere)];
  expect(limits.filter((name) => placesOf(real, name).length === 0)).toEqual([]);
  const proven = new Set(allMutants(real, tests).map((mutant) => mutant.in.split('.')[0]));
  expect(Object.keys(testsElsewhere).filter((name) => !proven.has(name))).toEqual([]);
  const rows = readRows();
  const gone = Object.entries({ ...sameFacts, ...rowsLeftOut }).filter(([row]) => !Object.hasOwn(rows, row));
  expect(gone).toEqual([]);
  const unquoted = Object.keys(quotesElsewhere).filter((key) => {
    const [row, ...quoted] = key.split(' ');
    return !rows[row]?.includes(`‘${quoted.join(' ')}’`);
  });
  expect(unquoted).toEqual([]);
  expect(sampledMutants(real).length).toBeGreaterThan(1000);
});
