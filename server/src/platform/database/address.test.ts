import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, vi } from 'vitest';
import { runAdmin } from '../../admin.ts';
import { migrationsFolder, readConfig } from '../../config.ts';
import { test as base } from '../../testing/test.ts';
import { freePort } from '../free-port.ts';
import { openPool } from '../jobs/queue.ts';
import { startJobs } from '../jobs/start.ts';
import { quietLog } from '../log.ts';
import { completeUrl, connectionOptions, settleTls } from './address.ts';
import { openCluster } from './cluster.ts';
import { connect } from './connect.ts';
import { openDatabase } from './open.ts';
import { findPrograms } from './programs.ts';

const authority = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });

/** A Postgres that accepts TLS only, with a certificate of a private authority for `localhost`. */
const test = base.extend('server', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tara-tls-'));
  const programs = await findPrograms(dataDir);
  const cluster = await openCluster(dataDir, programs);
  const [ours, other] = await Promise.all([authority('Private authority'), authority('Another authority')]);
  const certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: ours.private, cert: ours.cert },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const write = async (folder: string, name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    if (programs.user) await chown(path, programs.user.uid, programs.user.gid);
    return path;
  };
  await write(cluster.data, 'server.crt', certificate.cert);
  await write(cluster.data, 'server.key', certificate.private);
  await write(cluster.data, 'pg_hba.conf', 'hostssl all all all scram-sha-256\n');
  const port = await freePort();
  const settings = {
    ssl: 'on',
    listen_addresses: 'localhost',
    unix_socket_directories: '',
    port,
    fsync: 'off',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const log = join(cluster.run, 'log');
  const control = (...args: string[]) =>
    programs.run('pg_ctl', ['-w', '-D', cluster.data, ...args], cluster.home);
  await control('start', '-l', log, '-o', options.join(' '));
  onCleanup(async () => {
    await control('stop', '-m', 'immediate');
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    url: (host: string, parameters = '') =>
      `postgres://postgres:${cluster.password}@${host}:${port}/postgres${parameters}`,
    ca: ours.cert,
    caFile: await write(dataDir, 'ca.pem', ours.cert),
    otherCaFile: await write(dataDir, 'other.pem', other.cert),
  };
});

/** By each driver: whether its connection is encrypted, or why there is none. */
async function tryBoth(url: string) {
  const text = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
  const connection = connect(url, { size: 1 });
  const pool = openPool(url, 1, quietLog());
  const outcomes = await Promise.allSettled([
    connection.sql.unsafe(text).then(([row]) => row?.ssl as unknown),
    pool.query(text).then(({ rows }) => rows[0]?.ssl as unknown),
  ]);
  await Promise.all([connection.close(), pool.end()]);
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : String((outcome.reason as Error).message),
  );
}

test('no driver believes a server that sslmode and its authority do not', async ({ server }) => {
  const trusted = `&sslrootcert=${encodeURIComponent(server.caFile)}`;
  const foreign = `&sslrootcert=${encodeURIComponent(server.otherCaFile)}`;
  const refusals = {
    plain: /no pg_hba.conf entry .* no encryption/,
    authority: /unable to verify|unable to get local issuer|self-signed/,
    host: /does not match certificate/,
  };
  const cases: [host: string, parameters: string, expected: true | RegExp][] = [
    ['localhost', '?sslmode=disable', refusals.plain],
    ['localhost', '?sslmode=require', true],
    ['127.0.0.1', `?sslmode=require${trusted}`, true],
    ['localhost', `?sslmode=require${foreign}`, refusals.authority],
    ['127.0.0.1', `?sslmode=verify-ca${trusted}`, true],
    ['localhost', `?sslmode=verify-ca${foreign}`, refusals.authority],
    ['localhost', `?sslmode=verify-full${trusted}`, true],
    ['127.0.0.1', `?sslmode=verify-full${trusted}`, refusals.host],
    ['localhost', `?sslmode=verify-full${foreign}`, refusals.authority],
    ['localhost', '?sslmode=verify-full', refusals.authority],
    ['localhost', '?sslmode=verify-full&sslrootcert=system', refusals.authority],
  ];
  for (const [host, parameters, expected] of cases) {
    const outcome = expected === true ? true : expect.stringMatching(expected);
    expect(await tryBoth(server.url(host, parameters)), `${host} ${parameters}`).toEqual([outcome, outcome]);
  }
});

test('without an sslmode, and with prefer or allow, a server that demands TLS gets it', async ({
  server,
  connection,
}) => {
  for (const parameters of ['', '?sslmode=prefer', '?sslmode=allow'])
    expect(await tryBoth(await settleTls(server.url('127.0.0.1', parameters)))).toEqual([true, true]);
  for (const parameters of ['', '?sslmode=prefer', '?sslmode=allow'])
    expect(await tryBoth(await settleTls(`${connection.url}${parameters}`))).toEqual([false, false]);
  await expect(settleTls(server.url('localhost', '?sslmode=disable'))).rejects.toThrow(
    'The database of DATABASE_URL cannot be used: no pg_hba.conf entry',
  );
});

test('no reason why a database cannot be used hides another: each attempt is named', async ({ server }) => {
  const url = new URL(server.url('127.0.0.1'));
  url.password = 'not this one';
  for (const mode of ['prefer', 'allow']) {
    url.searchParams.set('sslmode', mode);
    const text = await settleTls(url.href).catch((error: Error) => error.message);
    expect(text).toMatch(/password authentication failed .*\(sslmode=require\)/);
    expect(text).toMatch(/no pg_hba.conf entry .* no encryption.*\(sslmode=disable\)/);
  }
  url.port = '1';
  const away = await settleTls(url.href).catch((error: Error) => error.message);
  expect(String(away).match(/ECONNREFUSED/g)).toHaveLength(1);
});

test('migrations, node, jobs and the admin command run on a server that demands TLS by a private authority', async ({
  server,
}) => {
  const environment = { DATABASE_URL: server.url('localhost'), DATABASE_CA: server.ca };
  const config = readConfig(environment, ['--empty']);
  const log = quietLog();
  const database = await openDatabase({ config, log, migrations: migrationsFolder, onLost: () => {} });
  const done = Promise.withResolvers<void>();
  const tasks = { once: async () => done.resolve() };
  const jobs = await startJobs({ databaseUrl: database.url, node: database.node, tasks, log });
  await database.sql`select graphile_worker.add_job('once')`;
  await done.promise;
  await jobs.stop();
  await database.close();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const output: string[] = [];
  expect(await runAdmin(['list'], (text) => output.push(text))).toBe(0);
  expect(output).toEqual([expect.stringContaining('There is no admin yet')]);
});

test('DATABASE_CA is PEM or a file, and verifies the host unless sslmode says otherwise', ({ server }) => {
  const { url, ca, caFile } = server;
  for (const authority of [ca, caFile]) {
    const complete = (parameters: string) =>
      connectionOptions(completeUrl(url('localhost', parameters), authority));
    expect(complete('')).toMatchObject({ ssl: { ca } });
    const named = { subject: { CN: 'another' }, subjectaltname: 'DNS:another' } as never;
    const check = (parameters: string) => {
      const { ssl } = complete(parameters);
      return ssl ? ssl.checkServerIdentity?.('another', named) : 'plain';
    };
    expect(check('')).toBeInstanceOf(Error);
    expect(check('?sslmode=verify-full')).toBeInstanceOf(Error);
    expect(check('?sslmode=verify-ca')).toBeUndefined();
  }
});

test.for([
  ['?pgbouncer=true', undefined, 'must not have the parameter pgbouncer (known are host, port, sslmode'],
  [
    '?channel_binding=require',
    undefined,
    'must not have the parameter channel_binding; leave it out, sslmode=',
  ],
  ['?sslmode=no-verify', undefined, 'must have an sslmode of disable, allow, prefer, require, verify-ca'],
  [
    '?sslmode=verify-ca',
    undefined,
    'must have sslmode=verify-full, or the certificate of a private authority',
  ],
  ['?sslmode=require&sslrootcert=system', undefined, 'must have sslmode=verify-full, or the certificate'],
  ['?sslmode=require&sslcert=a', undefined, 'must have sslcert and sslkey together'],
  [
    '?sslmode=require&sslrootcert=/nowhere',
    undefined,
    'has a file in sslrootcert that cannot be read (ENOENT',
  ],
  ['?sslmode=prefer', '/nowhere', 'must not have sslmode=prefer beside DATABASE_CA'],
  ['?sslrootcert=/nowhere', '/nowhere', 'must not have sslrootcert beside DATABASE_CA'],
  ['', '/nowhere', 'has a file in sslrootcert that cannot be read (ENOENT'],
  ['', import.meta.filename, 'has a file in sslrootcert that holds no certificate'],
] as const)('refuses %s with the authority %s in one sentence', ([parameters, authority, message]) => {
  const environment = {
    DATABASE_URL: `postgres://tara:secret@db.example/tara${parameters}`,
    DATABASE_CA: authority,
  };
  expect(() => readConfig(environment, [])).toThrow(`DATABASE_URL ${message}`);
});

test.for(['postgres://a,b/tara', 'postgres://tara@/tara', 'postgres://tara:%zz@a/tara'])(
  'refuses %s, which names no one host',
  (url) => {
    expect(() => readConfig({ DATABASE_URL: url }, [])).toThrow(/^DATABASE_URL must (be|have)/);
  },
);

test.for([
  [
    'postgres://us%40er:p%2Fw@[::1]:5433/ta%20ra',
    { host: '::1', port: 5433, user: 'us@er', password: 'p/w', database: 'ta ra' },
  ],
  [
    'postgresql:///tara?host=/run/postgresql&port=5433',
    { host: '/run/postgresql', port: 5433, database: 'tara', ssl: false },
  ],
  ['postgres://u:p@%2Frun%2Fpg:5433/tara?sslmode=require', { host: '/run/pg', ssl: false }],
  [
    'postgres://db.example',
    { host: 'db.example', port: 5432, user: undefined, password: undefined, database: undefined },
  ],
] as const)('reads %s', ([url, expected]) => {
  expect(connectionOptions(url)).toMatchObject(expected);
});
