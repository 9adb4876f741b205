import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@tara/proof/process';
import { afterEach, expect, vi } from 'vitest';
import { runAdmin } from './admin.ts';
import { migrationsFolder } from './config.ts';
import { connect } from './platform/database/connect.ts';
import { findRunningEmbedded, startEmbedded } from './platform/database/embedded.ts';
import { migrate } from './platform/database/migrate.ts';
import { openKeyring } from './platform/files/documents-key.ts';
import { encryptedStore, FileTampered } from './platform/files/encrypted.ts';
import { openFolderStore } from './platform/files/folder.ts';
import { openS3Store } from './platform/files/s3.ts';
import { migrateJobs } from './platform/jobs/migrate.ts';
import { keyChecks } from './platform/keys/tables.ts';
import { quietLog } from './platform/log.ts';
import { createTestDatabase } from './testing/database.ts';
import { insertMember } from './testing/features/members.ts';
import { paymentTest } from './testing/features/payment-fixture.ts';
import { insertPicture } from './testing/features/pictures.ts';
import { openRequestFixture } from './testing/features/request-fixture.ts';
import { addMember } from './testing/features/sessions.ts';
import { openFauxqs } from './testing/services/s3.ts';
import { test } from './testing/test.ts';

afterEach(() => vi.unstubAllEnvs());

async function admin(...args: string[]): Promise<[number, string]> {
  const output: string[] = [];
  const code = await runAdmin(args, (text) => void output.push(text));
  return [code, output.join('\n')];
}

test('grants, lists and revokes, and writes each change to the audit log (threat-admin-errors)', async ({
  connection,
}) => {
  vi.stubEnv('DATABASE_URL', connection.url);
  expect(await admin('list')).toEqual([0, expect.stringContaining('There is no admin yet')]);
  const { email, accountId } = await addMember(connection, { email: 'ana@example.com', name: 'Ana' });
  expect(await admin('grant', ' ANA@example.com')).toEqual([0, expect.stringContaining('is now an admin')]);
  expect(await admin('grant', email)).toEqual([0, expect.stringContaining('nothing changed')]);
  expect(await admin('list')).toEqual([0, 'ana@example.com  Ana  (no second factor yet)']);
  expect(await admin('second-factor', 'reset', email)).toEqual([
    0,
    expect.stringContaining('nothing changed'),
  ]);
  expect(await admin('revoke', email)).toEqual([0, expect.stringContaining('no longer an admin')]);
  const log =
    await connection.sql`select actor_account_id, action, subject, before, after from audit_log order by id`;
  const subject = `account:${accountId}`;
  const actor_account_id = 'command-line';
  expect([...log]).toEqual([
    {
      actor_account_id,
      action: 'admin.grant',
      subject,
      before: { labels: [] },
      after: { labels: ['admin'] },
    },
    {
      actor_account_id,
      action: 'admin.revoke',
      subject,
      before: { labels: ['admin'] },
      after: { labels: [] },
    },
  ]);
});

test('says what is wrong', async ({ connection }) => {
  vi.stubEnv('DATABASE_URL', connection.url);
  expect(await admin('grant', 'nobody@example.com')).toEqual([
    1,
    'There is no account with the email nobody@example.com.',
  ]);
  for (const args of [
    [],
    ['grant'],
    ['promote', 'a@example.com'],
    ['list', 'all'],
    ['grant', 'a', 'b'],
    ['database', 'move'],
    ['database', 'distribute', 'chats'],
    ['database', 'status', 'chats'],
  ]) {
    expect(await admin(...args)).toEqual([2, expect.stringContaining('npm run admin -- grant EMAIL')]);
  }
  const refusals = [
    ['mysql', 'URL must be an address of one host'],
    ['postgres://127.0.0.1:1/tara?mode=fast', 'URL must not have the parameter mode'],
    ['postgres://127.0.0.1:1/tara', 'The target cannot be used: '],
    [connection.url, 'The target is the database that is moved: name another one.'],
  ];
  for (const [url, refusal] of refusals)
    expect(await admin('database', 'move', url ?? '')).toEqual([1, expect.stringContaining(refusal ?? '')]);
  vi.stubEnv('PORT', 'many');
  expect(await admin('list')).toEqual([1, expect.stringContaining('PORT must be')]);
});

test('an empty database has no tables to look for', async ({ onTestFinished }) => {
  const empty = await createTestDatabase({ empty: true });
  onTestFinished(() => empty.drop());
  vi.stubEnv('DATABASE_URL', empty.url);
  for (const args of [['list'], ['database', 'status']])
    expect(await admin(...args)).toEqual([1, 'The database is empty: start Tara once with npm start.']);
});

test('says where the tables of chats are, and distributes those of a Citus cluster alone', async ({
  connection,
}) => {
  vi.stubEnv('DATABASE_URL', connection.url);
  const [code, text] = await admin('database', 'status');
  expect(code).toBe(0);
  expect(text).toMatch(/^The database is one Postgres, which has all tables:\n {2}chats: \d+[.]\d MB here\n/);
  expect(await admin('database', 'distribute')).toEqual([
    1,
    expect.stringContaining('there is nothing to distribute to'),
  ]);
  vi.stubEnv('DATABASE_URL', undefined);
  expect(await admin('database', 'distribute')).toEqual([
    1,
    expect.stringContaining('The embedded database has no workers'),
  ]);
});

test('forgets a key only when that is confirmed', async ({ connection, database }) => {
  vi.stubEnv('DATABASE_URL', connection.url);
  await database.insert(keyChecks).values({ name: 'vapid', value: Buffer.alloc(32) });
  const [code, text] = await admin('keys', 'forget', 'vapid');
  expect([code, text]).toEqual([1, expect.stringContaining('no notifications on their devices')]);
  expect(text).toContain('Nothing was changed: npm run admin -- keys forget vapid --yes');
  expect(await database.$count(keyChecks)).toBe(1);
  const forgotten = expect.stringContaining('The next start may have another vapid key');
  expect(await admin('keys', 'forget', 'vapid', '--yes')).toEqual([0, forgotten]);
  expect(await database.$count(keyChecks)).toBe(0);
  expect(await admin('keys', 'forget', 'vapid', '--yes')).toEqual([
    0,
    expect.stringContaining('nothing changed'),
  ]);
  expect(await admin('keys', 'forget', 'house')).toEqual([2, expect.stringContaining('Usage:')]);
});

test('works on the embedded database, whether or not it runs, and moves it when it does not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tara-admin-'));
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('DATA_DIR', dataDir);
  try {
    expect(await admin('list')).toEqual([1, expect.stringContaining('start Tara once')]);
    const server = await startEmbedded({ dataDir, log: quietLog(), durable: false });
    await migrateJobs(server.url);
    await migrate(server.url, migrationsFolder);
    const connection = connect(server.url);
    const { email } = await addMember(connection);
    expect(await admin('grant', email)).toEqual([0, expect.stringContaining('is now an admin')]);
    await connection.close();
    const target = await createTestDatabase({ empty: true });
    const isInUse = expect.stringContaining('is in use by another running server');
    expect(await admin('database', 'move', target.url)).toEqual([1, isInUse]);
    await server.stop();

    // A command that is ended stops the database that it started.
    await target.sql`select pg_advisory_lock(7420001)`;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const command = [process.execPath, join(import.meta.dirname, 'admin.ts'), 'database', 'move', target.url];
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
    const waiting = await startProcess(command, { env, until: /^Making the tables/m });
    expect(await findRunningEmbedded(dataDir)).toBeDefined();
    expect(await waiting.stop('SIGTERM')).toBe(1);
    await expect.poll(() => findRunningEmbedded(dataDir)).toBeUndefined();
    await target.sql`select pg_advisory_unlock(7420001)`;

    expect(await admin('list')).toEqual([0, expect.stringContaining(email)]);
    const [code, text] = await admin('database', 'move', target.url, '--again');
    expect([code, text]).toEqual([0, expect.stringMatching(/^public[.]accounts: 1 rows$/m)]);
    expect(text).toMatch(
      /counts, checksums and the ledger are the same on both sides[.]\nWhat is left to do:\n.*DATABASE_URL/,
    );
    expect(text).not.toContain(new URL(target.url).password);
    vi.stubEnv('DATABASE_URL', target.url);
    expect(await admin('list')).toEqual([0, expect.stringContaining(email)]);
    await target.drop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('moves files into a store and back, compares them with their records, and rotates the documents key there (threat-identity-documents)', async ({
  connection,
  database,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tara-admin-'));
  const service = await openFauxqs();
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = service.settings;
  const variables = {
    ...{ DATABASE_URL: connection.url, DATA_DIR: dataDir, S3_ENDPOINT: endpoint, S3_BUCKET: bucket },
    ...{ S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const store = openS3Store(service.settings, { timeoutMs: 60_000 });
  try {
    const folder = await openFolderStore(join(dataDir, 'files'));
    const { accountId: ownerAccountId } = await insertMember(database);
    const keyring = await openKeyring(undefined, dataDir);
    const [old] = await keyring();
    const [path, identityPath] = [`files/${ownerAccountId}/a`, `identity/${ownerAccountId}/b`];
    await insertPicture(database, { ownerAccountId, path, variants: [] });
    const bucketId = 'verificationFiles';
    await insertPicture(database, { ownerAccountId, path: identityPath, variants: [], bucket: bucketId });
    await folder.put(`${path}/original`, Buffer.from('sea'));
    await encryptedStore(folder, keyring).put(`${identityPath}/original`, Buffer.from('identity'));

    const move = (...words: string[]) => admin('files', 'move', ...words);
    expect(await move('folder', 'store')).toEqual([0, expect.stringMatching(/^2 files .* 0 were copied by/)]);
    expect(await move('folder', 'store')).toEqual([0, expect.stringMatching(/^0 files .* 2 were copied by/)]);
    const compared = 'Compared: 2 files of records with 2 stored ones.';
    expect(await admin('files', 'check')).toEqual([0, compared]);

    const [code, text] = await admin('documents-key', 'rotate');
    expect([code, text]).toEqual([0, expect.stringContaining('1 files are wrapped with the new key.')]);
    const readIdentity = (keys: Parameters<typeof encryptedStore>[1]) =>
      encryptedStore(store, keys).read(`${identityPath}/original`);
    expect(String(await readIdentity(keyring))).toBe('identity');
    await expect(readIdentity(old)).rejects.toThrow(FileTampered);
    expect(String(await store.read(`${path}/original`))).toBe('sea');

    expect(await move('store', 'folder')).toEqual([0, expect.stringMatching(/^2 files /)]);
    expect(String(await encryptedStore(folder, keyring).read(`${identityPath}/original`))).toBe('identity');
    await store.delete(`${path}/original`);
    const missing = expect.stringContaining(`are missing, and their records are there:\n  ${path}/original`);
    expect(await admin('files', 'check')).toEqual([1, missing]);
  } finally {
    store.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

paymentTest(
  'compares the ledger with the provider, and exits with 1 when they differ',
  async ({ fixture }) => {
    vi.stubEnv('DATABASE_URL', fixture.url);
    vi.stubEnv('SMTP_URL', 'smtp://localhost');
    vi.stubEnv('PAYMONGO_SECRET_KEY', fixture.provider.secretKey);
    vi.stubEnv('PAYMONGO_BASE_URL', fixture.provider.origin);
    const requests = await openRequestFixture(fixture);
    const id = await requests.paid();
    const [code, text] = await admin('ledger');
    expect([code, text]).toEqual([0, expect.stringContaining('The ledger adds up')]);
    expect(text).toContain('providerPayments: 1');
    await fixture.sql`update captured_payments set fee_centavos = fee_centavos + 1 where interaction_id = ${id}`;
    const { paymentId } = await requests.row(id);
    const own = `${id}: found \\d+ centavos, expected \\d+ .*`;
    const difference = `The ledger does not add up[.]\n  ${own}\n  ${paymentId}: the provider has \\d+ centavos`;
    expect(await admin('ledger')).toEqual([1, expect.stringMatching(new RegExp(difference))]);
    vi.stubEnv('PAYMONGO_BASE_URL', 'http://127.0.0.1:9');
    expect(await admin('ledger')).toEqual([1, expect.stringContaining('does not answer')]);
  },
);

paymentTest('writes the books of some days as CSV files for whoever runs it alone', async ({ fixture }) => {
  vi.stubEnv('DATABASE_URL', fixture.url);
  vi.stubEnv('SMTP_URL', 'smtp://localhost');
  vi.stubEnv('PAYMONGO_SECRET_KEY', fixture.provider.secretKey);
  vi.stubEnv('PAYMONGO_BASE_URL', fixture.provider.origin);
  const parent = await mkdtemp(join(tmpdir(), 'tara-journal-'));
  const folder = join(parent, 'books');
  try {
    const id = await (await openRequestFixture(fixture)).paid();
    const days = ['journal', '--from', '2020-01-01', '--to', '2999-12-31', '--folder', folder];
    const [code, text] = await admin(...days);
    expect([code, text]).toEqual([0, expect.stringContaining(`are in ${folder}.`)]);
    expect(text).toMatch(
      /The wallet by the ledger: ₱[\d,.]+, of which ₱[\d,.]+ is not available yet[.] By the provider ₱/,
    );
    expect((await readdir(folder)).sort()).toEqual([
      ...['journal.csv', 'months.csv', 'settlement.csv', 'trial-balance.csv'],
    ]);
    const journal = await readFile(join(folder, 'journal.csv'), 'utf8');
    expect(journal).toMatch(/^\uFEFF"Movement",.*\r\n/);
    expect(journal).toContain(`"escrow","${id}"`);
    expect((await stat(join(folder, 'journal.csv'))).mode & 0o777).toBe(0o600);
    vi.stubEnv('PAYMONGO_SECRET_KEY', 'sk_test_another');
    expect(await admin(...days)).toEqual([
      1,
      expect.stringMatching(/refuses its payments .* no settlement[.]csv/),
    ]);
    vi.stubEnv('PAYMONGO_BASE_URL', 'http://127.0.0.1:9');
    expect(await admin(...days)).toEqual([
      1,
      expect.stringContaining('does not answer, so there is no settlement.csv'),
    ]);
    for (const wrong of [
      ['--from', 'May', '--to', '2026-01-31'],
      ['--from', '2026-02-01', '--to', '2026-01-31'],
    ])
      expect(await admin('journal', ...wrong)).toEqual([1, expect.stringContaining('must be days')]);
    for (const wrong of [[], ['--from', '2026-01-01'], ['--to'], ['2026-01-01', '2026-01-31']])
      expect(await admin('journal', ...wrong)).toEqual([2, expect.stringContaining('Usage:')]);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
