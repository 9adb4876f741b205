import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { quietLog } from '../log.ts';
import { connect } from './connect.ts';
import { findRunningEmbedded, startEmbedded } from './embedded.ts';

const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tara-embedded-'));
  // Only we may enter it: as root, the system user of Postgres may not.
  await chmod(folder, 0o700);
  return folder;
};

/** A folder with an empty database that was stopped in order. To make one takes most of the time of a start. */
let madeDir: string;
beforeAll(async () => {
  madeDir = await newFolder();
  await (await startEmbedded({ dataDir: madeDir, log: quietLog() })).stop();
});
afterAll(() => rm(madeDir, { recursive: true, force: true }));

let dataDir: string;
beforeEach(async () => {
  dataDir = await newFolder();
  // The owner goes along: the files belong to the user that Postgres runs as.
  await once(spawn('cp', ['-a', join(madeDir, 'postgres'), dataDir], { stdio: 'inherit' }), 'exit');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = () => startEmbedded({ dataDir, log: quietLog() });

async function query(url: string, statement: string): Promise<unknown[]> {
  const connection = connect(url, { size: 1 });
  try {
    return [...(await connection.sql.unsafe(statement))];
  } finally {
    await connection.close();
  }
}

/** A server process of its own, so that it can be killed; resolves once it wrote a row. */
async function startAndWrite() {
  const script = `
    import { startEmbedded } from '${import.meta.dirname}/embedded.ts';
    import { connect } from '${import.meta.dirname}/connect.ts';
    import { quietLog } from '${import.meta.dirname}/../log.ts';
    const { url } = await startEmbedded({ dataDir: '${dataDir}', log: quietLog() });
    const { sql } = connect(url);
    await sql\`create table kept (a int)\`;
    await sql\`insert into kept values (42)\`;
    console.log('written');
  `;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('keeps its data, its keys private and its durability on', async () => {
  const first = await start();
  await query(first.url, 'create table kept (a int)');
  expect(
    await query(first.url, "select current_setting('fsync') f, current_setting('synchronous_commit') s"),
  ).toEqual([{ f: 'on', s: 'on' }]);
  await first.stop();
  const second = await start();
  expect(await query(second.url, 'select * from kept')).toEqual([]);
  await second.stop();
  expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
});

it('finds everything acknowledged after kill -9, though the database was left running (threat-lost-data)', async () => {
  const killed = await startAndWrite();
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await findRunningEmbedded(dataDir)).toBeDefined();
  const next = await start();
  expect(await query(next.url, 'select a from kept')).toEqual([{ a: 42 }]);
  await next.stop();
  expect(await findRunningEmbedded(dataDir)).toBeUndefined();
});

it('waits for a killed database that has not ended yet', async () => {
  const killed = await startAndWrite();
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const [pid] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
  // It answers nothing any more, and ends only after the next one was tried.
  process.kill(Number(pid), 'SIGSTOP');
  const ending = setTimeout(() => process.kill(Number(pid), 'SIGKILL'), 4000);
  const next = await start().finally(() => clearTimeout(ending));
  expect(await query(next.url, 'select a from kept')).toEqual([{ a: 42 }]);
  await next.stop();
});

it('starts where no setting can be written, as on a full disk', async () => {
  // Postgres writes its settings there first, and cannot where a folder has the name.
  await mkdir(join(dataDir, 'postgres/data/postgresql.auto.conf.tmp'));
  const full = await start();
  await expect(full.keepLogSmall(true)).rejects.toThrow('postgresql.auto.conf.tmp');
  expect(await query(full.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await full.stop();
});

it('keeps the log small after a restart until it may grow again', async () => {
  const sizes = async (url: string) => query(url, "select current_setting('max_wal_size') as size");
  const first = await start();
  await first.keepLogSmall(true);
  await first.stop();
  const second = await start();
  expect(await sizes(second.url)).toEqual([{ size: '64MB' }]);
  await second.keepLogSmall(false);
  await expect.poll(() => sizes(second.url)).toEqual([{ size: '2GB' }]);
  await second.stop();
});

it('refuses a second server on the folder, and lets a command find the running database', async () => {
  const running = await startAndWrite();
  await expect(start()).rejects.toThrow('is in use by another running server');
  expect(await query((await findRunningEmbedded(dataDir)) ?? '', 'select a from kept')).toEqual([{ a: 42 }]);
  running.kill('SIGKILL');
  await once(running, 'exit');
  await (await start()).stop();
});

it('stops a database that has just died by itself', async () => {
  const embedded = await start();
  const [pid] = (await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGQUIT');
  await embedded.stop();
});

it('starts the database again when it dies by itself', async () => {
  const embedded = await start();
  const connection = connect(embedded.url, { size: 1 });
  await connection.sql`create table kept (a int)`;
  const postmaster = async () => {
    const [row] = await connection.sql<{ pid: number }[]>`
      select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int as pid from (select count(*) from kept) as rows`;
    return row?.pid ?? 0;
  };
  const first = await postmaster();
  process.kill(first, 'SIGQUIT');
  await expect
    .poll(
      () =>
        postmaster().then(
          (pid) => pid !== first && pid > 0,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
  await connection.close();
  await embedded.stop();
});

it('listens on a port when the path is too long for a socket', async () => {
  const long = join(dataDir, 'a-folder-with-a-rather-long-name-'.repeat(4));
  const embedded = await startEmbedded({ dataDir: long, log: quietLog() });
  expect(embedded.url).toContain('@127.0.0.1:');
  expect(await query(embedded.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await embedded.stop();
});
