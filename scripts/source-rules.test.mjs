import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { unreadKeys } from './setup/constants.mjs';
import { root } from './setup/paths.mjs';
import { foreignTables } from './setup/sql-tables.mjs';
import { allowedSql, refusedSql } from './setup/sql-time.examples.mjs';
import { systemWordsInMigrations } from './setup/sql-time.mjs';

/** What a check reports in a checkout that has these files alone. `@{` stands for the beginning of an interpolation. */
async function report(check, files) {
  const folder = await mkdtemp(join(tmpdir(), 'tara-sources-'));
  try {
    for (const name of ['contract', 'paymongo', 'sandbox', 'server', 'web'])
      await mkdir(join(folder, name, 'src'), { recursive: true });
    for (const [path, lines] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), lines.join('\n').replaceAll('@{', '$' + '{'));
    }
    return check(folder).sort();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('constants and keys of the contract that nothing reads are found, and only those', async () => {
  const files = {
    'contract/src/limits.ts': [
      'export const size = { read: 1, destructured: 2, planted: 3, commented: 4 } as const;',
      'export const scale = { one: 1, two: 2 };',
      'export const length = { terms: { min: 1, max: 2 }, desc: { min: 1, max: 2 }, bio: { max: 2 } };',
      'export const search = { newestHits: 1, results: 2 };',
      'export const alone = 1;',
      'export const tested = 1;',
      'export const typed = 1;',
      'export const firstPages = () => 1;',
    ],
    'contract/src/notices.ts': ["export const notices = { done: 'Done', planted: 'Dead' };"],
    'contract/src/problems.ts': [
      'export const problems = { not_found: 404, is_closed: 409, planted_problem: 500, only_compared: 400 };',
    ],
    'contract/src/posts/posts.ts': ["import { size } from '../limits.ts';", 'const { destructured } = size;'],
    'contract/src/calls.ts': [
      "export const errors = ['planted_problem', 'is_closed'];",
      "export const verdict = () => 'is_closed';",
    ],
    'web/src/a.ts': [
      "import { length, search, scale, size as limits, type typed } from '@tara/contract/limits';",
      "import { notices } from '@tara/contract/notices';",
      '/** `limits.commented` */',
      "export const all = [limits.read, scale[name], notices.done, fail('not_found')];",
      'export const other = { planted: things.planted, min: length.terms.min, ...length.desc, bio: length[name].max };',
      'export const first = search.newestHits;',
      'export type Typed = typeof typed;',
    ],
    'web/src/b.ts': [
      "export const parameters = (search: Search, key: string) => search[key] ?? search['results'];",
      "export const isCompared = (type: string) => type === 'only_compared' || ['only_compared'].includes(type);",
    ],
    'web/src/a.test.ts': ["import { tested } from '@tara/contract/limits';", 'expect(tested).toBe(1);'],
  };
  expect(await report(unreadKeys, files)).toEqual([
    'limits.alone',
    'limits.search.results',
    'limits.size.commented',
    'limits.size.planted',
    'limits.tested',
    'limits.typed',
    'notices.notices.planted',
    'problems.problems.only_compared',
    'problems.problems.planted_problem',
  ]);
  // Below a key that only a variable names, each key of that name is read; without it only those that are named.
  const named = files['web/src/a.ts'].map((line) => line.replace('length[name].max', 'length.desc.max'));
  const less = await report(unreadKeys, { ...files, 'web/src/a.ts': named });
  expect(less.filter((name) => name.includes('length'))).toEqual([
    'limits.length.bio.max',
    'limits.length.terms.max',
  ]);
});

it('rules of permission that nothing enforces are found, and only those', async () => {
  const files = {
    'contract/src/posts/posts.ts': [
      'export const postCan = {',
      '  change: (id: string, post: { creatorId: string }): boolean => post.creatorId === id,',
      '  pin: (id: string): boolean => id !== "",',
      '  see: (): boolean => true,',
      '  hide: (): boolean => true,',
      '} as const;',
    ],
    'server/src/features/posts/policy.ts': [
      "import { postCan as contractCan } from '@tara/contract/posts/posts';",
      'export const postCan = {',
      '  ...contractCan,',
      '  seeLikers: () => true,',
      '  see: () => false,',
      '  read: () => true,',
      '  readAll: () => postCan.read(),',
      '} as const;',
    ],
    'server/src/features/posts/index.ts': ["export { postCan } from './policy.ts';"],
    'server/src/features/likes/write.ts': [
      "import { postCan } from '../posts/index.ts';",
      '/** `postCan.read`, and `postCan.pin` */',
      'if (!postCan.change(id, post)) refuse();',
      'if (!postCan.readAll(id, post)) refuse();',
    ],
    'server/src/features/posts/policy.test.ts': ['expect(postCan.pin(id)).toBe(true);'],
    'web/src/PostCard.tsx': [
      "import { postCan } from '@tara/contract/posts/posts';",
      'export const a = () => postCan.see() && postCan.seeLikers();',
    ],
    'web/src/Other.tsx': ['export const b = ({ postCan }) => postCan.hide();'],
  };
  const [contract, server] = ['contract/src/posts/posts.ts', 'server/src/features/posts/policy.ts'];
  expect(await report(unreadKeys, files)).toEqual([
    `postCan.hide (${contract})`,
    `postCan.pin (${contract})`,
    `postCan.read (${server})`,
    `postCan.see (${server})`,
    `postCan.seeLikers (${server})`,
  ]);
});

it('tables of other features in SQL are found, however deep the template, and only those', async () => {
  const files = {
    'server/src/features/plans/tables.ts': ["export const plans = pgTable('plans', {});"],
    'server/src/features/posts/tables.ts': ['export const posts = pgTable(', "  'posts',", '  {},', ');'],
    'server/src/features/posts/read.test.ts': ['sql`select from plans`;'],
    'server/src/features/posts/read.ts': [
      'const own = sql`select posts.id from posts join @{plans} on @{plans.id} = posts.id`;',
      "// select from plans, isn't one",
      "const note = 'from plans';",
      'const inner = sql`select @{first ? sql`from plans` : { a: 1 }} update`;',
      'const names = sql`update x set a = plans.title -- plans.id',
      '  where true`;',
      'const second = sql`select 1',
      '  from plans`;',
    ],
  };
  expect(await report(foreignTables, files)).toEqual([
    'server/src/features/posts/read.ts:4 plans of plans',
    'server/src/features/posts/read.ts:5 plans of plans',
    'server/src/features/posts/read.ts:8 plans of plans',
  ]);
});

it('the time and chance of the system in migrations are refused, and only those', async () => {
  const files = {
    'server/migrations/0001_a.sql': [
      'create table a (at timestamptz default current_timestamp, -- clock_timestamp()',
      '  day date default now(), current_timestamps int);',
      'select CLOCK_TIMESTAMP(), statement_timestamp();',
      "select '--', localtime; -- isn't clock_timestamp(), and not 'now'",
      "/* nor random(), 'today', */ select 'it''s -- ', \"--\", timeofday();",
      "create function b() returns date language sql as $$ select 'today'::date -- now",
      '  $$;',
    ],
    'server/migrations/0002_refused.sql': refusedSql.map((statement) => `${statement};`),
    'server/migrations/0003_allowed.sql': allowedSql.map((statement) => `${statement};`),
  };
  const lines = await report(systemWordsInMigrations, files);
  expect(lines.filter((line) => line.includes('0001'))).toEqual([
    'server/migrations/0001_a.sql:1 current_timestamp',
    'server/migrations/0001_a.sql:3 CLOCK_TIMESTAMP',
    'server/migrations/0001_a.sql:3 statement_timestamp',
    'server/migrations/0001_a.sql:4 localtime',
    'server/migrations/0001_a.sql:5 timeofday',
    "server/migrations/0001_a.sql:6 'today'",
  ]);
  const places = lines.filter((line) => !line.includes('0001')).map((line) => line.replace(/ .*/s, ''));
  expect(places).toEqual(
    refusedSql.map((_, index) => `server/migrations/0002_refused.sql:${index + 1}`).sort(),
  );
});

it('the product has no such key, table or time', () => {
  expect([...unreadKeys(root), ...foreignTables(root), ...systemWordsInMigrations(root)]).toEqual([]);
});
