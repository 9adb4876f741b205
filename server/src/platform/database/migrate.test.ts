import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { openLog } from '../log.ts';
import { migrate } from './migrate.ts';

/** Each test has an empty database and a folder of its own. */
const test = base
  .extend('connection', async ({ onTestFinished }) => {
    const connection = await createTestDatabase({ empty: true });
    onTestFinished(() => connection.drop());
    return connection;
  })
  .extend('folder', async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend(
    'write',
    ({ folder }) =>
      (name: string, statements: string) =>
        writeFile(join(folder, name), statements),
  );

test('applies new files in order, each once', async ({ connection, folder, write }) => {
  await write('0002_b.sql', 'alter table t add column b int;');
  await write('0001_a.sql', 'create table t (a int);');
  expect(await migrate(connection.url, folder)).toEqual(['0001_a.sql', '0002_b.sql']);
  await write('0003_c.sql', 'alter table t add column c int; insert into t values (1, 2, 3);');
  expect(await migrate(connection.url, folder)).toEqual(['0003_c.sql']);
  expect(await migrate(connection.url, folder)).toEqual([]);
  expect([...(await connection.sql`select * from t`)]).toEqual([{ a: 1, b: 2, c: 3 }]);
});

test('lets several nodes start at once: one migrates', async ({ connection, folder, write }) => {
  await write('0001_a.sql', 'create table t (a int); select pg_sleep(0.1);');
  const applied = await Promise.all([1, 2, 3].map(() => migrate(connection.url, folder)));
  expect(applied.flat()).toEqual(['0001_a.sql']);
});

test('undoes a failing file as a whole and names it with its line', async ({ connection, folder, write }) => {
  await write(
    '0001_a.sql',
    'create table t (a int);\ninsert into t values (1);\ninsert into nowhere values (1);',
  );
  await expect(migrate(connection.url, folder)).rejects.toThrow(
    /0001_a\.sql failed and changed nothing: relation "nowhere" does not exist \(line 3\)/,
  );
  expect((await connection.sql`select to_regclass('t') as t`)[0]).toEqual({ t: null });
});

test('refuses history that does not fit', async ({ connection, folder, write }) => {
  await write('0002_b.sql', 'create table b ();');
  await migrate(connection.url, folder);

  await write('0001_a.sql', 'create table a ();');
  await expect(migrate(connection.url, folder)).rejects.toThrow('0001_a.sql comes before 0002_b.sql');
  await rm(join(folder, '0001_a.sql'));

  await write('0002_b.sql', 'create table b (changed int);');
  await expect(migrate(connection.url, folder)).rejects.toThrow(
    '0002_b.sql was changed after it was applied',
  );

  await rm(join(folder, '0002_b.sql'));
  await expect(migrate(connection.url, folder)).rejects.toThrow('newer than the code');
});

test('refuses names that do not say their order', async ({ connection, folder, write }) => {
  await write('first.sql', '');
  await expect(migrate(connection.url, folder)).rejects.toThrow(
    'first.sql must be named like 0001_accounts.sql.',
  );
  await rm(join(folder, 'first.sql'));
  await write('0001_a.sql', '');
  await write('0001_b.sql', '');
  await expect(migrate(connection.url, folder)).rejects.toThrow('Two migrations have the number 0001.');
});

test('does not apply a migration without a line in the log', async ({ connection, folder, write }) => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  await write('0001_a.sql', 'create table t (a int);');
  await write('0002_b.sql', 'alter table t add column b int;');
  await migrate(connection.url, folder, log);
  await migrate(connection.url, folder, log);
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ['0001_a.sql', '0002_b.sql'].map((migration) =>
      expect.objectContaining({ migration, ms: expect.any(Number), msg: 'applied a migration' }),
    ),
  );
});
