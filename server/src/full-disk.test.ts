import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accounts } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import type { Call } from '@tara/contract/calls';
import { files } from '@tara/contract/files';
import { posts } from '@tara/contract/posts/posts';
import { account } from '@tara/contract/wire/account';
import { expect } from 'vitest';
import { hashPassword } from './features/accounts/password.ts';
import { postRoutes } from './features/posts/index.ts';
import { connect } from './platform/database/connect.ts';
import { findRunningEmbedded } from './platform/database/embedded.ts';
import { findPrograms } from './platform/database/programs.ts';
import { serve } from './platform/http/serve.ts';
import { smallDisk } from './testing/faults/small-disk.ts';
import { insertMember } from './testing/features/members.ts';
import { insertPicture } from './testing/features/pictures.ts';
import { addMember } from './testing/features/sessions.ts';
import { startTest } from './testing/process.ts';
import { testServer } from './testing/server.ts';

const megabyte = 2 ** 20;
const password = 'a long password of Ana';

const test = startTest.extend('disk', { scope: 'file' }, async ({ environment: _ }, { onCleanup }) => {
  const disk = await smallDisk(900);
  onCleanup(() => disk.remove());
  return disk;
});

/** Adds content, and what has to go on: signing in, removing, ending what is open, recording money. */
const addsContent = ['accounts.signUp', 'posts.create', 'files.create', 'documents.create'];
const goesOn = [
  'posts.feed',
  'posts.delete',
  'messages.unsend',
  'account.createEmailSession',
  'interactions.cancelRequest',
  'blocks.block',
  'payments.webhook',
  'unsubscribe.confirm',
];

test('while the disk is nearly full the calls are refused that add content', async ({ platform }) => {
  const calls = Object.entries(allCalls).flatMap(([table, group]) =>
    Object.entries(group).map(([name, call]) => [`${table}.${name}`, call] as const),
  );
  const server = await testServer(
    platform,
    (app) => {
      // Each call ends here, whatever it does: whether it is refused is decided before.
      for (const [, call] of calls)
        serve(app, { ...call, access: 'anyone' } as Call, async ({ reply }) => reply.code(418).send());
    },
    async () => null,
    { isFull: () => true },
  );
  const refused: string[] = [];
  for (const [name, call] of calls) {
    const { statusCode } = await server.request(null, {
      method: call.method,
      url: call.path.replaceAll(':', ''),
    });
    if (statusCode === 507) refused.push(name);
  }
  expect(refused).toEqual(calls.flatMap(([name, { whileDiskFull }]) => (whileDiskFull ? [] : [name])));
  expect(refused).toEqual(expect.arrayContaining(addsContent));
  expect(goesOn.filter((name) => refused.includes(name))).toEqual([]);
  await server.close();
});

/** The free space is looked at every second, and a checkpoint takes its time. */
const patience = { timeout: 60_000 };

test('a nearly full disk of the embedded database refuses content alone, and recovers by itself, also when its log grew (threat-lost-data)', async ({
  skip,
  disk,
  start,
}) => {
  if (disk.missing !== null) skip(`Not tried on this machine: ${disk.missing}.`);
  const server = await start({ DATA_DIR: disk.folder, DATABASE_URL: '', DISK_RESERVE_MB: '192' }, '--empty');
  const url = (await findRunningEmbedded(disk.folder)) ?? '';
  const connection = connect(url, { size: 1, statementTimeout: 60_000 });
  const { email, secret } = await addMember(connection, { passwordHash: await hashPassword(password, {}) });
  const call = async ({ method, path }: Call, body?: object, session = secret) => {
    const response = await fetch(
      `${server.url}${path.replace(':bucketId', 'images').replace(':sessionId', 'current')}`,
      {
        method,
        headers: { 'content-type': 'application/json', 'x-appwrite-session': session },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
    );
    return { status: response.status, body: await response.json().catch(() => null) };
  };
  // Refused for what it says, not for the disk, while there is space.
  const signUp = async () => (await call(accounts.signUp, {})).status;
  const startedAt = async () =>
    (await connection.sql`select pg_postmaster_start_time() as at`)[0]?.at as unknown;
  const begun = await startedAt();
  expect(await signUp()).toBe(400);

  // The log alone would fill the disk; it is shortened, and all is as before.
  await connection.sql`create table log_filler (body text storage external)`;
  const fillLog = async (megabytes: number, spared: number) => {
    for (let written = 0; written < megabytes; written += 10) {
      await connection.sql`insert into log_filler select repeat('abcdefgh', 12800) from generate_series(1, 100)`;
      await connection.sql`truncate log_filler`;
      await expect.poll(disk.free, patience).toBeGreaterThan(spared * megabyte);
    }
  };
  await disk.fill(550 * megabyte);
  await fillLog(700, 30);
  await expect.poll(signUp, patience).toBe(400);

  // What a checkpoint still frees of the log is filled as well.
  const signUpWhenNearlyFull = async () => {
    if ((await disk.free()) > 180 * megabyte) await disk.fill(150 * megabyte);
    return signUp();
  };
  await expect.poll(signUpWhenNearlyFull, patience).toBe(507);
  expect((await call(posts.quick, { caption: 'Hello' })).body).toMatchObject({
    type: 'general_storage_full',
  });
  expect((await call(files.create)).status).toBe(507);
  expect((await call(posts.feed)).status).toBe(200);
  const session = await call(account.createEmailSession, { email, password });
  expect(session.status).toBe(201);
  // The log of what goes on stays small.
  await fillLog(200, 30);
  expect((await call(account.get)).status).toBe(200);
  expect((await call(account.deleteSession)).status).toBe(204);
  expect(await startedAt()).toEqual(begun);

  await disk.empty();
  await expect.poll(signUp, patience).toBe(400);
  await connection.close();
  await server.stop();
});

test('a full disk of another Postgres is answered 507, and reads go on (threat-lost-data)', async ({
  skip,
  disk,
  connection: { sql, url },
  database,
  platform,
}) => {
  if (disk.missing !== null) skip(`Not tried on this machine: ${disk.missing}.`);
  await disk.empty();
  const server = await testServer(platform, (app) => postRoutes(app, platform));
  const ana = await insertMember(database);
  const imageId = await insertPicture(database, { ownerAccountId: ana.accountId });
  const body = { caption: 'Hi', location: 'Cebu', tags: '', imageId, alt: 'Sea' };
  const post = (await server.call(ana, posts.create, { body })).reply;
  const space = new URL(url).pathname.slice(1);
  const folder = join(disk.folder, space);
  await mkdir(folder);
  const { user } = await findPrograms(disk.folder);
  if (user) await chown(folder, user.uid, user.gid);
  await sql.unsafe(`create tablespace ${space} location '${folder}'`);
  await sql.unsafe(`alter table post_likes set tablespace ${space}`);
  await disk.fill(0);
  const like = () => server.call(ana, posts.like, { body: { postId: post.id } });
  expect((await like()).problem).toMatchObject({ code: 507, type: 'general_storage_full' });
  expect((await server.call(ana, posts.feed)).status).toBe(200);
  await disk.empty();
  expect((await like()).status).toBe(200);
  await sql`alter table post_likes set tablespace pg_default`;
  await sql.unsafe(`drop tablespace ${space}`);
  await server.close();
});
