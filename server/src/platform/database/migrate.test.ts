import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

let folder: string;
let test: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  test = await createTestDatabase({ empty: true });
});

afterEach(async () => {
  await test.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, statements: string) => writeFile(join(folder, name), statements);

it('applies new files in order, each once', async () => {
  await write('0002_b.sql', 'alter table t add column b int;');
  await write('0001_a.sql', 'create table t (a int);');
  expect(await migrate(test.url, folder)).toEqual(['0001_a.sql', '0002_b.sql']);
  await write('0003_c.sql', 'alter table t add column c int; insert into t values (1, 2, 3);');
  expect(await migrate(test.url, folder)).toEqual(['0003_c.sql']);
  expect(await migrate(test.url, folder)).toEqual([]);
  expect([...(await test.sql`select * from t`)]).toEqual([{ a: 1, b: 2, c: 3 }]);
});

it('lets several nodes start at once: one migrates', async () => {
  await write('0001_a.sql', 'create table t (a int); select pg_sleep(0.1);');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(test.url, folder)));
  expect(applied.flat()).toEqual(['0001_a.sql']);
});

it('undoes a failing file as a whole and names it with its line', async () => {
  await write(
    '0001_a.sql',
    'create table t (a int);\ninsert into t values (1);\ninsert into nowhere values (1);',
  );
  await expect(migrate(test.url, folder)).rejects.toThrow(
    /0001_a\.sql failed and changed nothing: relation "nowhere" does not exist \(line 3\)/,
  );
  expect((await test.sql`select to_regclass('t') as t`)[0]).toEqual({ t: null });
});

it('refuses history that does not fit', async () => {
  await write('0002_b.sql', 'create table b ();');
  await migrate(test.url, folder);

  await write('0001_a.sql', 'create table a ();');
  await expect(migrate(test.url, folder)).rejects.toThrow('0001_a.sql comes before 0002_b.sql');
  await rm(join(folder, '0001_a.sql'));

  await write('0002_b.sql', 'create table b (changed int);');
  await expect(migrate(test.url, folder)).rejects.toThrow('0002_b.sql was changed after it was applied');

  await rm(join(folder, '0002_b.sql'));
  await expect(migrate(test.url, folder)).rejects.toThrow('newer than the code');
});

it('refuses names that do not say their order', async () => {
  await write('first.sql', '');
  await expect(migrate(test.url, folder)).rejects.toThrow('first.sql must be named like 0001_accounts.sql.');
  await rm(join(folder, 'first.sql'));
  await write('0001_a.sql', '');
  await write('0001_b.sql', '');
  await expect(migrate(test.url, folder)).rejects.toThrow('Two migrations have the number 0001.');
});
