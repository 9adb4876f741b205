import { allCalls } from '@tara/contract/all';
import { interactions } from '@tara/contract/interactions/interactions';
import { conversations } from '@tara/contract/messages/conversations';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { account } from '@tara/contract/wire/account';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { accountWireRoutes } from '../backend/account/account.ts';
import { accountLimits, createResolveViewer } from '../features/accounts/index.ts';
import { hashPassword } from '../features/accounts/password.ts';
import { conversationRoutes } from '../features/conversations/index.ts';
import { interactionRoutes } from '../features/interactions/index.ts';
import { messageRoutes } from '../features/messages/index.ts';
import { paymentTasks } from '../features/payments/tasks.ts';
import { postRoutes } from '../features/posts/index.ts';
import { reviewRoutes } from '../features/reviews/index.ts';
import { insertConversation } from '../testing/features/conversations.ts';
import type { Member } from '../testing/features/members.ts';
import { addMember } from '../testing/features/sessions.ts';
import { startTestJobs } from '../testing/jobs.ts';
import { testPlatform } from '../testing/platform.ts';
import { testServer } from '../testing/server.ts';
import { test as base } from '../testing/test.ts';
import { canQuery, connectByWork, type TimeLimits } from './database/connect.ts';
import { healthRoutes } from './http/server.ts';
import { newId } from './ids.ts';
import { quietLog } from './log.ts';
import { holdDatabase } from './nodes/hold.ts';
import { tasks } from './tasks.ts';
import { classifyWork, runAs } from './work.ts';

const password = 'a long password of Ana';

/** Limits under which whatever waits for a lock goes on waiting. */
const patient: TimeLimits = {
  core: { statementTimeout: 120_000 },
  browsing: { statementTimeout: 120_000 },
  background: { statementTimeout: 120_000 },
};

const test = base
  .extend('node', { scope: 'file' }, async ({ connection }, { onCleanup }) => {
    const sizes = { core: 2, browsing: 2, background: 1 };
    const pools = connectByWork(connection.url, sizes, patient);
    const node = await holdDatabase(connection.url, {
      log: quietLog(),
      parts: { bus: null, store: null },
      onLost: () => {},
    });
    const platform = testPlatform(pools.database);
    const resolveViewer = createResolveViewer(platform, { rateLimits: false });
    const server = await testServer(
      platform,
      (app) => {
        healthRoutes(app, node.isReady);
        accountWireRoutes(app, platform, accountLimits(false));
        conversationRoutes(app, platform);
        messageRoutes(app, platform);
        postRoutes(app, platform);
        interactionRoutes(app, platform);
        reviewRoutes(app, platform);
      },
      resolveViewer,
    );
    onCleanup(async () => {
      await server.close();
      await pools.close();
      await node.release();
    });
    return { pools, server };
  })
  .extend('scene', { scope: 'file' }, async ({ platform, database }) => {
    const [ana, ben] = [
      await addMember(platform, { email: 'ana@example.com', passwordHash: await hashPassword(password, {}) }),
      await addMember(platform),
    ];
    const chat = await insertConversation(database, ana, ben, { expiresAt: null });
    // Only the secret is sent.
    return { ana: ana as unknown as Member, convoId: chat.id };
  })
  /** Locks a table as a long change of its columns does, until `release` is called or the test ends. */
  .extend('lock', ({ connection, onTestFinished }) => async (table: string) => {
    const released = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const transaction = connection.sql.begin(async (session) => {
      await session`lock table ${session(table)} in access exclusive mode`;
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const release = async () => {
      released.resolve();
      await transaction;
    };
    onTestFinished(release);
    return release;
  });

test.for([
  ['posts', posts.feed, {}],
  ['interactions', interactions.manager, {}],
  ['reviews', reviews.byOwner, { params: { id: 'nobody' } }],
] as const)(
  'a lock on %s with readers of its lists never holds up chat, sign-in or /readyz',
  async ([table, list, args], { node: { server }, scene: { ana, convoId }, lock }) => {
    const release = await lock(table);
    let answered = 0;
    const readers = Array.from({ length: 8 }, async () => {
      const { status } = await server.call(ana, list, args as never);
      answered++;
      return status;
    });
    for (let repeat = 0; repeat < 3; repeat++) {
      const body = { convoId, body: `Message ${repeat}`, clientKey: newId() };
      expect((await server.call(ana, conversations.sendMessage, { body })).status).toBe(200);
      const signIn = { body: { email: 'ana@example.com', password } };
      expect((await server.call(null, account.createEmailSession, signIn)).status).toBe(201);
      expect((await server.request(ana, { url: '/readyz' })).statusCode).toBe(200);
    }
    // The readers wait for the lock still: nothing above waited for them.
    expect(answered).toBe(0);
    await release();
    expect(new Set(await Promise.all(readers))).toEqual(new Set([200]));
  },
);

test('a statement beyond the time of its class is answered 503 with a time to try again', async ({
  connection,
  scene: { ana },
  lock,
}) => {
  const limits: TimeLimits = { ...patient, browsing: { statementTimeout: 50 } };
  const pools = connectByWork(connection.url, { core: 1, browsing: 1, background: 1 }, limits);
  const platform = testPlatform(pools.database);
  const resolveViewer = createResolveViewer(platform, { rateLimits: false });
  const server = await testServer(platform, (app) => postRoutes(app, platform), resolveViewer);
  await lock('posts');
  const { status, headers } = await server.call(ana, posts.feed);
  expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '2' });
  await server.close();
  await pools.close();
});

test('more statements than may wait are answered 503 at once, and other classes go on', async ({
  connection,
  scene: { ana },
  lock,
}) => {
  const pools = connectByWork(connection.url, { core: 1, browsing: 1, background: 1 }, patient);
  const platform = testPlatform(pools.database);
  const resolveViewer = createResolveViewer(platform, { rateLimits: false });
  const server = await testServer(platform, (app) => postRoutes(app, platform), resolveViewer);
  const read = () => server.call(ana, posts.feed);
  // Its session is known afterwards, and is not looked up by `core`.
  expect((await read()).status).toBe(200);
  const release = await lock('posts');
  const count = async () => void (await pools.database.execute(sql`select count(*) from posts`));
  // 64 that are sent, and 1,000 that wait.
  const waiting = Array.from({ length: 1_064 }, () => runAs('browsing', count));
  expect(await read()).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect(await pools.database.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await release();
  await Promise.all(waiting);
  expect((await read()).status).toBe(200);
  await server.close();
  await pools.close();
});

test('a database that does not answer is not ready, and is not waited for', async ({ connection, lock }) => {
  // A connection that is busy with something else for as long as the lock.
  const pools = connectByWork(connection.url, { core: 1, browsing: 1, background: 1 }, patient);
  const release = await lock('posts');
  const blocked = pools.sql`select count(*) from posts`.execute();
  expect(await canQuery(pools.sql, 1)).toBe(false);
  await release();
  await blocked;
  await expect.poll(() => canQuery(pools.sql)).toBe(true);
  await pools.close();
});

test('a payout does not wait for statements of the night on all connections of the background', async ({
  connection,
  lock,
  onTestFinished,
}) => {
  const pools = connectByWork(connection.url, { core: 1, browsing: 1, background: 3 }, patient);
  const platform = testPlatform(pools.database);
  const release = await lock('posts');
  const night = Array.from({ length: 3 }, () =>
    runAs('background', () =>
      pools.database.transaction((transaction) => transaction.execute(sql`select count(*) from posts`)),
    ),
  );
  const waiting = async () => {
    const [row] = await connection.sql`select count(*) from pg_stat_activity
      where datname = current_database() and application_name = 'tara background' and wait_event_type = 'Lock'`;
    return row?.count;
  };
  await expect.poll(waiting).toBe(3);
  // There is no such payout: it is looked for, and the job is done.
  await tasks.disburse.enqueue(connection.database, { disbursementId: 'none' });
  const handlers = paymentTasks(platform, {} as never);
  const jobs = await startTestJobs({ databaseUrl: connection.url, tasks: handlers, log: quietLog() });
  onTestFinished(async () => {
    await release();
    await Promise.all(night);
    await jobs.stop();
    await pools.close();
  });
  await expect
    .poll(
      () => connection.sql`select from graphile_worker._private_jobs jobs
        join graphile_worker._private_tasks tasks on tasks.id = task_id where identifier = ${tasks.disburse.name}`,
      { timeout: 30_000 },
    )
    .toHaveLength(0);
  expect(await waiting()).toBe(3);
});

test('no statement runs beside its open transaction', async ({ node: { pools } }) => {
  const nested = pools.database.transaction(() => pools.database.execute(sql`select 1`));
  await expect(nested).rejects.toMatchObject({
    cause: { message: expect.stringContaining('beside its open transaction') },
  });
});

test('each transaction stays within the class that it began in', async ({ node: { pools } }) => {
  const limitQuery = sql`select current_setting('application_name') as name`;
  for (const work of ['core', 'browsing', 'background'] as const) {
    const names = await runAs(work, () =>
      pools.database.transaction(async (transaction) => [
        ...(await transaction.execute(limitQuery)),
        ...(await runAs('core', () => transaction.execute(limitQuery))),
      ]),
    );
    expect(names).toEqual([{ name: `tara ${work}` }, { name: `tara ${work}` }]);
  }
});

test('only sign-in, chat and writes of money are core; lists never are, but for those of chats', () => {
  const work = Object.entries(allCalls).flatMap(([table, calls]) =>
    Object.entries(calls).map(([name, call]) => [`${table}.${name}`, classifyWork(call)] as const),
  );
  const named = (name: string) => work.find(([key]) => key === name)?.[1];
  expect(
    [
      'account.createEmailSession',
      'accounts.signUp',
      'secondFactor.confirm',
      'conversations.list',
      'messages.list',
      'receipts.sendMessage',
      'interactions.acceptRequest',
      'payments.webhook',
    ].map(named),
  ).toEqual(Array(8).fill('core'));
  expect(
    [
      'posts.feed',
      'posts.create',
      'interactions.manager',
      'payments.statement',
      'plans.search',
      'documents.list',
    ].map(named),
  ).toEqual(Array(6).fill('browsing'));
  expect(named('admin.confirmPlans')).toBe('background');
  expect(classifyWork(allCalls.documents?.create as never, 'chats')).toBe('core');
  expect(classifyWork(allCalls.documents?.list as never, 'chats')).toBe('browsing');
});
