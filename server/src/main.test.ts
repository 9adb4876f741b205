import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { nowMs } from '@tara/contract/clock';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { freePort } from './platform/free-port.ts';
import { refusedExitCode } from './platform/start-refused.ts';
import { insertMember } from './testing/features/members.ts';
import { startTest as test } from './testing/process.ts';
import { newDataDir, type Started, startServer } from './testing/start.ts';

const fetchStatus = async (server: Started, path: string) => (await fetch(`${server.url}${path}`)).status;

test('starts with no account by --empty', async ({ connection, start }) => {
  const server = await start({}, '--empty');
  expect(await (await fetch(`${server.url}/api/account/demo`)).json()).toEqual({
    accounts: [],
    isFilling: false,
    providers: [],
  });
  expect(await connection.sql`select id from accounts`).toHaveLength(0);
});

test('never loads the sandbox beside the real provider, and starts while that one is away', async ({
  start,
}) => {
  // Nothing listens on port 1 of this machine.
  const server = await start(
    {
      SMTP_URL: 'smtp://127.0.0.1:1',
      PAYMONGO_SECRET_KEY: 'sk_test_none',
      PAYMONGO_BASE_URL: 'http://127.0.0.1:1',
      PUBLIC_URL: 'https://tara.example:0',
    },
    '--empty',
  );
  expect(await fetchStatus(server, '/readyz')).toBe(200);
  for (const path of ['/sandbox', '/sandbox/', '/sandbox/v1/payments', '/mailbox', '/mailbox/']) {
    expect([path, await fetchStatus(server, path)]).toEqual([path, 404]);
  }
  const { out } = server.output();
  expect(out).not.toMatch(/^loaded/m);
  expect(out).toContain('a check of the payments was skipped');
  expect(out).not.toContain('sk_test_none');
});

test('does jobs and serves its health alone as a worker, and serves without doing jobs as web', async ({
  connection: { sql },
  start,
}) => {
  const real = {
    SMTP_URL: 'smtp://127.0.0.1:1',
    PAYMONGO_SECRET_KEY: 'sk_test_none',
    PAYMONGO_BASE_URL: 'http://127.0.0.1:1',
    PUBLIC_URL: 'https://tara.example:0',
  };
  const readiness = async ({ url }: Started) => (await fetch(`${url}/readyz`)).json();
  const nodes = async () => [...(await sql`select role, pool_id is not null as works from nodes`)];
  const addJob = () => sql`select graphile_worker.add_job('accounts.cleanUp')`;
  const jobs = () => sql`select from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = task_id where identifier = 'accounts.cleanUp'`;

  const worker = await start({ ...real, ROLE: 'worker' });
  expect(await fetchStatus(worker, '/healthz')).toBe(200);
  await expect.poll(() => readiness(worker)).toMatchObject({ status: 'ok', jobs: 'running' });
  for (const path of ['/', '/sign-in', '/api/account/demo', '/v1/realtime', '/api/payment/webhook'])
    expect([path, await fetchStatus(worker, path)]).toEqual([path, 404]);
  await addJob();
  await expect.poll(jobs, { timeout: 30_000 }).toEqual([]);
  expect(await nodes()).toEqual([{ role: 'worker', works: true }]);
  expect((await worker.stop()).code).toBe(0);

  const web = await start({ ...real, ROLE: 'web' });
  expect(await readiness(web)).toEqual({ status: 'ok', jobs: 'away' });
  await sql`insert into nodes (id, role) values ('other', 'worker')`;
  await expect.poll(() => readiness(web), { timeout: 30_000 }).toEqual({ status: 'ok', jobs: 'elsewhere' });
  await sql`delete from nodes where id = 'other'`;
  expect(await fetchStatus(web, '/api/account/demo')).toBe(200);
  await addJob();
  expect(await nodes()).toEqual([{ role: 'web', works: false }]);
  expect((await web.stop()).code).toBe(0);
  expect(await jobs()).toHaveLength(1);
  expect(await nodes()).toEqual([]);
});

/** Keeps the event loop for 4 s before the server listens and for 1 s after, as a start on a busy machine does. */
const busyStart = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net';
  const block = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...args) {
    if (args[0]?.path === undefined) {
      block(4000);
      setTimeout(() => block(1000), 1);
    }
    return listen.apply(this, args);
  };
`)}`;

test('answers no request with 503 right after it said that it is ready, however long the start took', async ({
  start,
}) => {
  const server = await start(
    { NODE_OPTIONS: `--import=${busyStart}`, PORT: String(await freePort()) },
    '--empty',
  );
  const statuses: number[] = [];
  // The event loop is looked at each second.
  for (const until = nowMs() + 2500; nowMs() < until; )
    statuses.push(await fetchStatus(server, '/api/account/demo'));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

describe('a start that must not be', () => {
  test('production without a mail server and a payment provider (threat-stand-ins)', async ({ start }) => {
    const server = await start({ NODE_ENV: 'production', RATE_LIMITS: 'on' });
    expect(server.output()).toEqual({
      out: '',
      err: 'SMTP_URL and PAYMONGO_SECRET_KEY must be set in production; ALLOW_STAND_INS=1 starts it on the mailbox page and the payment sandbox instead.\n',
    });
    expect((await server.stop()).code).toBe(refusedExitCode);
  });

  test('production on a database with demo accounts', async ({ connection, database, start }) => {
    const { accountId } = await insertMember(database);
    await connection.sql`update accounts set demo = true where id = ${accountId}`;
    const server = await start({
      NODE_ENV: 'production',
      ALLOW_STAND_INS: '1',
      RATE_LIMITS: 'on',
      DOCUMENTS_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    expect(server.url).toBeNull();
    expect(server.output().err).toMatch(
      /^This database holds 1 demo accounts, whose password everyone knows\..*\n$/,
    );
    expect((await server.stop()).code).toBe(refusedExitCode);
  });

  test('a wrong value of a variable', async ({ start }) => {
    const server = await start({ PORT: 'many' });
    expect(server.output()).toEqual({ out: '', err: 'PORT must be a whole number from 0 to 65535.\n' });
    expect((await server.stop()).code).toBe(refusedExitCode);
  });
});

/** A connection that is kept open after its answer. */
function keepAlive(url: string): Promise<void> {
  return new Promise((done, fail) => {
    const pending = request(`${url}/healthz`, { headers: { connection: 'keep-alive' } }, (answer) => {
      answer.resume().once('end', done);
    });
    pending.once('error', fail);
    pending.end();
  });
}

/** A realtime connection; `closed` settles when it is over. */
async function listen(url: string): Promise<{ closed: Promise<unknown> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?project=tara&channels[]=account`);
  const closed = new Promise((done) => socket.once('close', done));
  await new Promise((done, fail) => socket.once('open', done).once('error', fail));
  return { closed };
}

test('is served until DRAIN_DELAY is over after a signal, with 503 at /readyz, and then ends in order', async ({
  start,
}) => {
  const server = await start({ DRAIN_DELAY: '2', DRAIN_SECONDS: '5' }, '--empty');
  const url = server.url ?? '';
  const early = await listen(url);
  const stopped = server.stop();
  await expect.poll(() => fetchStatus(server, '/readyz')).toBe(503);
  expect(await fetchStatus(server, '/api/account/demo')).toBe(200);
  const late = await listen(url);
  expect((await stopped).code).toBe(0);
  expect(await Promise.all([early.closed, late.closed])).toEqual([1001, 1001]);
});

describe('with the embedded database', () => {
  test('refuses a second server on the folder, and stops within 5 s with clients connected', async ({
    dataDir,
    start,
  }) => {
    const server = await start({ DATABASE_URL: '' }, '--empty');
    const second = await start({ DATABASE_URL: '' }, '--empty');
    expect(second.url).toBeNull();
    expect(second.output().err).toBe(
      `${dataDir} is in use by another running server; stop that one, or set DATA_DIR to another folder.\n`,
    );
    expect((await second.stop()).code).toBe(refusedExitCode);

    const url = server.url ?? '';
    await keepAlive(url);
    const socket = await listen(url);
    const postmaster = join(dataDir, 'postgres/data/postmaster.pid');
    expect(existsSync(postmaster)).toBe(true);
    // It ends itself with code 1 when 5 s were not enough.
    const { code } = await server.stop();
    await socket.closed;
    expect(code).toBe(0);
    expect(existsSync(postmaster)).toBe(false);
  });

  test.for([
    ['the database is started', /applied a migration/],
    ['the demo world is created', /Server listening at http:\S+?:(\d+)[\s\S]*creating the demo world/],
  ] as const)('a signal while %s leaves no database running', async ([, until], { onTestFinished }) => {
    // A folder that was used before has its tables and its world.
    const { path: dataDir, remove } = await newDataDir();
    onTestFinished(remove);
    const server = await startServer({ DATABASE_URL: '', DATA_DIR: dataDir }, [], { until });
    expect((await server.stop()).code).toBe(0);
    const postmaster = join(dataDir, 'postgres/data/postmaster.pid');
    await expect.poll(() => existsSync(postmaster)).toBe(false);
  });
});

test('answers and stops while nobody reads its log, and says later how much of it was left out', async ({
  start,
}) => {
  const server = await start({ LOG_LEVEL: 'debug' }, '--empty');
  const { child } = server;
  /** Requests of which the log has more than 3 kB each. */
  const ask = async (count: number) => {
    for (let index = 0; index < count; index += 20)
      await Promise.all(Array.from({ length: 20 }, () => fetchStatus(server, `/${'x'.repeat(3_000)}`)));
  };
  child.stdout?.pause();
  await ask(2_000);
  expect(await fetchStatus(server, '/readyz')).toBe(200);
  expect(server.output().out).not.toContain('were left out');
  child.stdout?.resume();
  await expect
    .poll(() => server.output().out, { timeout: 10_000 })
    .toMatch(/"lines":\d+,"msg":"lines of the log were left out/);
  child.stdout?.pause();
  await ask(500);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  child.stdout?.resume();
});
