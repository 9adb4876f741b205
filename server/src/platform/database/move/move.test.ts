import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from '@tara/proof/process';
import pg, { type Client } from 'pg';
import { describe, expect } from 'vitest';
import { migrationsFolder } from '../../../config.ts';
import { chatDistributions } from '../../../features/messages/index.ts';
import { clusterUrl, createClusterDatabase, withoutCluster } from '../../../testing/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { addMember } from '../../../testing/features/sessions.ts';
import { hasOlderPostgres, startOlderPostgres } from '../../../testing/services/postgres.ts';
import { test as base } from '../../../testing/test.ts';
import { quietLog } from '../../log.ts';
import { ownParts } from '../../nodes/admission.ts';
import { holdDatabase } from '../../nodes/hold.ts';
import { connectionOptions } from '../address.ts';
import { connect } from '../connect.ts';
import { distributeTables } from '../distribute.ts';
import { refuseHalfMoved } from './mark.ts';
import { moveDatabase } from './move.ts';
import { summarize } from './rows.ts';
import { checkTarget, neededExtensions } from './target.ts';

/** Rows of the one table that is large. */
const rows = Number(process.env.MOVE_ROWS ?? 2_000);

/** Values whose text could be read or written otherwise than it was. */
const oddTexts = ['', ' ', '\\N', '\\.', 'a\tb\nc\rd\\e', '"quoted", (in) {braces}', 'É Ж 日 🎉', "it''s"];

async function fill({ sql }: TestDatabase): Promise<void> {
  for (const text of oddTexts)
    await sql`insert into audit_log (actor_account_id, action, subject, before, after)
      values ('tester', ${text}, ${text}, null, ${JSON.stringify({ text, number: 1e21, fraction: 0.1 })}::jsonb)`;
  await sql`insert into audit_log (actor_account_id, action, subject, after, created_at)
    select 'tester', 'filled', md5(number::text), jsonb_build_object('text', repeat(md5(number::text), 12)),
      timestamptz '2026-01-01 00:00:00.123+08' + number * interval '1 second'
    from generate_series(1, ${rows}::int) as number`;
  // One that runs, one that waits with its key, and a time of a schedule.
  await sql`select graphile_worker.add_job('a.task', '{"a": 1}'), graphile_worker.add_job('a.task', '{}', job_key => 'a key')`;
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker' where key is null`;
  await sql`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('a.schedule', now(), now())`;
}

async function moveRows(
  options: Partial<Parameters<typeof moveDatabase>[0]> & { source: string; target: string },
) {
  const output: string[] = [];
  const moved = await moveDatabase({
    ...{ migrations: migrationsFolder, again: false },
    say: (text) => void output.push(text),
    proveLedger: async () => [],
    ...options,
  });
  return { ...moved, output };
}

const test = base
  .extend('source', { scope: 'file' }, async ({ connection }) => {
    await addMember(connection, { email: 'ana@example.com' });
    await fill(connection);
    return connection;
  })
  .extend('target', async ({ onTestFinished }) => {
    const target = await createTestDatabase({ empty: true });
    onTestFinished(() => target.drop());
    return target;
  })
  .extend(
    'move',
    ({ source, target }) =>
      (options: Partial<Parameters<typeof moveDatabase>[0]> = {}) =>
        moveRows({ source: source.url, target: target.url, ...options }),
  )
  /** One whole move, and how many MB of memory it needed. */
  .extend('moved', { scope: 'file' }, async ({ source }, { onCleanup }) => {
    const target = await createTestDatabase({ empty: true });
    onCleanup(() => target.drop());
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 10);
    const moved = await moveRows({ source: source.url, target: target.url });
    clearInterval(timer);
    return { ...moved, target, neededMb: (most - before) / 2 ** 20 };
  });

/** Every table with its rows, as any client sees them; without the times at which migrations ran. */
async function readAll({ sql }: Pick<TestDatabase, 'sql'>): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`select format('%I.%I', table_schema, table_name) as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema !~ '^(pg_|information_schema$)'
    order by 1`;
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const lines = await sql.unsafe<{ line: string }[]>(
      `select to_jsonb(t)::text as line from ${name} t order by 1 limit 5000`,
    );
    all[name] = lines.map(({ line }) => line);
  }
  return all;
}

/** What the catalogue says of constraints, indexes, triggers and sequences. */
async function readSchema({ sql }: Pick<TestDatabase, 'sql'>): Promise<string[]> {
  const lines = await sql<{ line: string }[]>`
    select conrelid::regclass || ' ' || conname || ' ' || convalidated || ' ' || pg_get_constraintdef(oid) as line
    from pg_constraint where connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and contype <> 'n'
    union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    union all select indexdef from pg_indexes where schemaname in ('public', 'graphile_worker')
    union all select concat_ws(' ', schemaname, sequencename, last_value) from pg_sequences
    order by line`;
  return lines.map(({ line }) => line);
}

test('copies every table of the catalogue with all its rows, and leaves the same schema', async ({
  source,
  moved,
}) => {
  const [before, after] = [await readAll(source), await readAll(moved.target)];
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['public.posts', 'public.schema_migrations', 'graphile_worker._private_jobs']),
  );
  expect(after).toEqual(before);
  expect(await readSchema(moved.target)).toEqual(await readSchema(source));
  expect(moved.tables).toBe(Object.keys(before).length);
  expect(moved.output.filter((text) => text.startsWith('public.audit_log: '))).toEqual([
    `public.audit_log: ${rows + oddTexts.length} rows`,
  ]);
});

test('copies a large table without holding it in memory', ({ moved }) => {
  // 1,000,000 rows are 700 MB of text.
  expect(moved.neededMb).toBeLessThan(200);
});

test('goes on with the numbers of identity columns, and with its triggers', async ({
  source,
  moved: { target },
}) => {
  const [last] = await source.sql`select max(id) as id from audit_log`;
  const [next] = await target.sql`insert into audit_log (actor_account_id, action, subject)
    values ('tester', 'next', 'next') returning id`;
  expect(next?.id).toBe(Number(last?.id) + 1);
  await expect(target.sql`delete from audit_log`).rejects.toThrow('the audit log is append-only');
  await expect(
    target.sql`insert into posts (id, creator_id, used_dp) values ('p', 'nobody', true)`,
  ).rejects.toThrow('foreign key');
});

test('names every extension that the migrations make', async () => {
  const files = await readdir(migrationsFolder);
  const texts = await Promise.all(files.map((file) => readFile(join(migrationsFolder, file), 'utf8')));
  const extensions = texts.flatMap((text) =>
    [...text.matchAll(/^create extension if not exists (\w+);/gm)].map((match) => match[1]),
  );
  expect(extensions.sort()).toEqual(neededExtensions);
});

describe('refuses', () => {
  test('the database itself, by whatever address', async ({ source, move }) => {
    const target = source.url.replace(/\/([^/]*)$/, '/$1?sslmode=disable');
    await expect(move({ target })).rejects.toThrow('The target is the database that is moved');
  });

  test('a database on which a server runs, on either side', async ({ source, target, move }) => {
    for (const [{ url }, which] of [
      [source, 'database that is moved'],
      [target, 'target'],
    ] as const) {
      const node = await holdDatabase(url, { log: quietLog(), parts: ownParts, onLost: () => {} });
      await expect(move()).rejects.toThrow(`A server is running on the ${which}: stop it`);
      await node.release();
    }
  });

  test('a target that is not empty, and changes nothing in it', async ({ target, move }) => {
    await target.sql`create table notes (text text)`;
    await target.sql`insert into notes values ('mine')`;
    const refusal = 'The target is not empty, and nothing in it was changed: it has public.notes.';
    await expect(move()).rejects.toThrow(refusal);
    await expect(move({ again: true })).rejects.toThrow(refusal);
    expect(await readAll(target)).toEqual({ 'public.notes': ['{"text": "mine"}'] });
  });

  test('a source of another version', async ({ target, move }) => {
    const older = await createTestDatabase();
    await older.sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`;
    await expect(move({ source: older.url })).rejects.toThrow(
      /is of an older version \(it lacks \d{4}_\w+[.]sql\)/,
    );
    await older.drop();
    expect(await readAll(target)).toEqual({});
  });

  test('a source with a table that no migration makes, which would be forgotten', async ({
    target,
    move,
  }) => {
    const other = await createTestDatabase();
    await other.sql`create table notes (text text)`;
    await expect(move({ source: other.url })).rejects.toThrow(
      'public.notes is here, and no migration makes it',
    );
    await other.sql`drop table notes`;
    await move({ source: other.url, again: true });
    expect(await readAll(target)).toEqual(await readAll(other));
    await other.drop();
  });

  test('a version before 15, by its number', async () => {
    const rows = [{ number: 140_012, version: '14.12' }];
    const client = { query: async () => ({ rows }) } as unknown as Client;
    await expect(checkTarget(client)).rejects.toThrow('It is Postgres 14.12; Tara needs 15 or newer.');
  });
});

test('has a checksum of rows in any order, which any changed value changes', async ({ target }) => {
  const client = new pg.Client(connectionOptions(target.url));
  await client.connect();
  const table = { name: 'public.notes', columns: ['id', 'text'], isPlain: true, shape: '' };
  const summarizeRows = async (values: string) => {
    await client.query(`drop table if exists notes; create table notes (id int, text text);
      insert into notes values ${values}`);
    return summarize(client, table);
  };
  const summary = await summarizeRows("(1, 'a'), (2, null)");
  expect(summary.rows).toBe(2);
  expect(await summarizeRows("(2, null), (1, 'a')")).toEqual(summary);
  const others = ["(1, 'a'), (2, '')", "(2, 'a'), (1, null)", "(1, 'b'), (2, null)", "(1, 'a'), (1, 'a')"];
  for (const values of others) expect((await summarizeRows(values)).checksum).not.toBe(summary.checksum);
  await client.end();
});

describe.skipIf(!clusterUrl)(`from a Citus cluster${withoutCluster}`, () => {
  test('refuses while tables are on its workers, and not once they are back', async ({
    target,
    move,
    onTestFinished,
  }) => {
    const cluster = await createClusterDatabase();
    onTestFinished(() => cluster.drop());
    await cluster.sql`insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id)
      values ('chat', 'conversation', 'one', 'other', 'account', 'another')`;
    await distributeTables(cluster.url, chatDistributions, { say: () => {} });
    await expect(move({ source: cluster.url })).rejects.toThrow(
      'The rows of chat_entries, chat_marks, chats, messages, unsent_messages are on the workers of a Citus cluster',
    );
    expect(await readAll(target)).toEqual({});
    // As docs/operations.md has it.
    await cluster.sql`select undistribute_table('chat_entries')`;
    await cluster.sql`select undistribute_table('chats', cascade_via_foreign_keys => true)`;
    await move({ source: cluster.url });
    expect((await readAll(target))['public.chats']).toHaveLength(1);
  });
});

describe('when its process is killed', () => {
  const admin = join(import.meta.dirname, '../../../admin.ts');

  test('leaves no row, is told, and is begun anew by --again, until the ledger is the same on both sides', async ({
    source,
    target,
    move,
  }) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const command = [process.execPath, admin, 'database', 'move', target.url];
    const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: source.url };
    await source.sql.begin(async (sql) => {
      // It gets no further than to this table.
      await sql`lock table posts`;
      const started = await startProcess(command, { env, until: /^public[.]accounts: /m });
      await started.stop('SIGKILL');
    });
    await expect.poll(async () => (await target.sql`select from accounts`).length).toBe(0);
    // Its locks are there until Postgres has noticed its end.
    await expect
      .poll(() => move().catch(String))
      .toMatch(/A move into the target began at [-\d]+ [:\d]+ UTC and is not done.*--again/);
    await target.sql`create table notes (text text)`;
    await expect(move({ again: true })).rejects.toThrow('public.notes is in the target and not here');
    await target.sql`drop table notes`;

    // Its connection to the source is lost in the middle.
    await source.sql.begin(async (sql) => {
      await sql`lock table posts`;
      const broken = expect(move({ again: true })).rejects.toThrow(
        'The move broke off at public.posts, and no row was copied',
      );
      const end = () => source.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tara database move' and wait_event_type = 'Lock'`;
      await expect.poll(end).toHaveLength(1);
      await broken;
    });

    // A server takes the source while the hold of the move is lost.
    const server = new pg.Client(connectionOptions(source.url));
    await server.connect();
    const readHolds = () => source.sql<
      { pid: number; query: string }[]
    >`select pid, query from pg_stat_activity
      where application_name = 'tara single node' and datname = current_database() and state = 'idle'`;
    const moving = move({
      again: true,
      proveLedger: async (url) => {
        if (url !== source.url) return [];
        const taken = server.query('select pg_advisory_lock_shared(7420002)');
        const [hold] = await readHolds();
        await source.sql`select pg_terminate_backend(${hold?.pid ?? 0}::int)`;
        await taken;
        await expect
          .poll(async () => (await readHolds()).map(({ query }) => query))
          .toEqual([expect.stringContaining('pg_try_advisory_lock')]);
        return [];
      },
    });
    await expect(moving).rejects.toThrow('A server was started on the database that is moved meanwhile.');
    await server.end();
    await expect(refuseHalfMoved(target.url)).rejects.toThrow('A move into this database is not done');

    const different = move({ again: true, proveLedger: async (url) => [url] });
    await expect(different).rejects.toThrow('The ledger is not the same on both sides.');
    await expect(refuseHalfMoved(target.url)).rejects.toThrow('A move into this database is not done');
    const same = await move({ again: true, proveLedger: async () => ['a centavo is missing'] });
    expect(same.differences).toEqual(['a centavo is missing']);
    await refuseHalfMoved(target.url);
    expect(await readAll(target)).toEqual(await readAll(source));
    await expect(move({ again: true })).rejects.toThrow('The target is not empty');
  });
});

/** `test` with a Postgres of Debian. */
const olderTest = test.extend('older', { scope: 'file' }, async ({ source: _ }, { onCleanup }) => {
  const older = await startOlderPostgres();
  onCleanup(() => older.stop());
  await older.run('postgres', 'create role tara login', 'create role guest login');
  return older;
});

describe.skipIf(!hasOlderPostgres)('into a Postgres of Debian', () => {
  olderTest('needs no more than the ownership of the database', async ({ source, older, move }) => {
    await older.run('postgres', 'create database owned owner tara');
    await move({ target: older.url('owned', 'tara') });
    const { sql, close } = connect(older.url('owned', 'tara'), { size: 1 });
    // Words of members are computed there, by its own rules.
    const withoutWords = (all: Record<string, string[]>) => ({
      ...all,
      'public.profiles': all['public.profiles']?.length,
    });
    expect(withoutWords(await readAll({ sql }))).toEqual(withoutWords(await readAll(source)));
    await close();
  });

  olderTest('lists all that an administrator has to do first', async ({ older, move }) => {
    await older.run('postgres', 'create database others');
    await older.run('others', 'create schema extensions', 'create extension unaccent schema extensions');
    const refusal = [
      'The target cannot be used; nothing was changed.',
      'guest may not make schemas in it. Ask its administrator to run: grant create on database others to guest;',
      'guest may not make tables in it. Ask its administrator to run in the database others: grant create on schema public to guest;',
      'guest may not make the extension btree_gist. Ask its administrator to run in the database others: create extension btree_gist schema public;',
      'Its extension unaccent is in the schema extensions. Ask its administrator to run in the database others: alter extension unaccent set schema public;',
    ].join('\n');
    await expect(move({ target: older.url('others', 'guest') })).rejects.toThrow(refusal);
    await older.run('postgres', 'grant create on database others to guest');
    await older.run(
      'others',
      'grant create on schema public to guest',
      'create extension btree_gist schema public',
      'alter extension unaccent set schema public',
    );
    const client = new pg.Client(connectionOptions(older.url('others', 'guest')));
    await client.connect();
    expect(await checkTarget(client)).toMatch(/^1\d[.]/);
    await client.end();
  });

  olderTest('takes no database with another encoding, or without letters', async ({ older, move }) => {
    const make = (name: string, encoding: string) =>
      older.run('postgres', `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
    await make('latin', 'LATIN1');
    await expect(move({ target: older.url('latin') })).rejects.toThrow(
      'Its encoding is LATIN1; Tara needs UTF8.',
    );
    await make('plain', 'UTF8');
    await expect(move({ target: older.url('plain') })).rejects.toThrow(
      'Its locale C does not know letters such as É',
    );
  });
});
