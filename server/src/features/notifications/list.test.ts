import { nowDate, nowMs } from '@tara/contract/clock';
import { counts } from '@tara/contract/counts';
import { interactions as interactionCalls } from '@tara/contract/interactions/interactions';
import { countLimit, pageSize } from '@tara/contract/limits';
import type { NotificationGroup } from '@tara/contract/notifications/groups';
import { notifications as calls } from '@tara/contract/notifications/notifications';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { quietLog } from '../../platform/log.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { insertRequest } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { claimAccount } from '../accounts/claim.ts';
import { countRoutes } from '../counts/index.ts';
import { interactionRoutes } from '../interactions/index.ts';
import { interactions } from '../interactions/tables.ts';
import { mutes } from '../visibility/index.ts';
import { listNotifications } from './list.ts';
import { notificationListedFor, unreadNotifications } from './listed.ts';
import { notify } from './notify.ts';
import { selectNotifications } from './read.ts';
import { notificationRoutes } from './routes.ts';
import { notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

const test = serverTest((app, platform) => {
  notificationRoutes(app, platform);
  interactionRoutes(app, platform);
  countRoutes(app, platform);
})
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend(
    'list',
    ({ server }) =>
      async (who: Member, query: { group?: NotificationGroup; cursor?: string } = {}) => {
        const { reply } = await server.call(who, calls.list, { query });
        return reply;
      },
  )
  .extend(
    'unread',
    ({ server }) =>
      async (who: Member) =>
        (await server.call(who, counts.own)).reply.notifications,
  )
  /** So many reviews of a member by another, a second apart; those after the number are older. */
  .extend(
    'insertMany',
    ({ database }) =>
      async (who: Member, by: Member | null, count: number, after = 0, inApp = true) => {
        await database.execute(sql`
      insert into ${notifications} (profile_id, event, group_name, in_app, actor_id, record_id, created_at)
      select ${who.profileId}, ${by === null ? 'verificationAccepted' : 'review'}, ${by === null ? 'account' : 'posts'}, ${inApp},
        ${by?.profileId ?? null}, 'record' || n, now() - n * interval '1 second' from generate_series(${after + 1}::int, ${after + count}::int) n`);
      },
  );

const wait = { timeout: 10_000, interval: 10 };

test('a member from whom very many are hidden reads what they were notified of', async ({
  database,
  ana,
  ben,
  insertMany,
}) => {
  await insertMany(ana, ben, 2);
  // Who was blocked by so many: as many as a statement has no parameters for.
  const hiddenProfileIds = Array.from({ length: 70_000 }, (_, index) => `hidden${index}`);
  const { items } = await listNotifications(database, { ...ana, hiddenProfileIds }, {});
  expect(items).toHaveLength(2);
});

test('a member reads what they were notified of, newest first, with who did it and where it is', async ({
  database,
  server,
  list,
  unread,
}) => {
  const { creator, client, interactionId } = await insertRequest(database, {});
  await server.call(creator, interactionCalls.acceptRequest, { body: { interactionId } });
  const { items } = await list(client);
  expect(items).toEqual([
    {
      ...{ id: expect.any(String), event: 'accepted', group: 'plans', isRead: false },
      title: `${creator.name} accepted your request`,
      text: `${creator.name} accepted your request for 'Walk'. Pay ₱100.00 next: Tara holds the money until you have met.`,
      link: '/manage-plans',
      person: expect.objectContaining({ id: creator.profileId, name: creator.name }),
      createdAt: expect.any(String),
    },
  ]);
  expect(await unread(client)).toBe(1);
  expect((await list(creator)).items).toEqual([]);
});

test('the list goes on without end, also of one group', async ({ ana, ben, list, insertMany }) => {
  await insertMany(ana, ben, pageSize.notifications + 3);
  await insertMany(ana, null, 2);
  const first = await list(ana);
  expect(first.items).toHaveLength(pageSize.notifications);
  const second = await list(ana, { cursor: first.next ?? '' });
  expect(second).toMatchObject({ items: { length: 5 }, next: null });
  const times = [...first.items, ...second.items].map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  expect((await list(ana, { group: 'account' })).items.map(({ event }) => event)).toEqual([
    'verificationAccepted',
    'verificationAccepted',
  ]);
});

test('the count stops at 100', async ({ ana, insertMany, unread }) => {
  await insertMany(ana, null, countLimit + 20);
  expect(await unread(ana)).toBe(countLimit);
});

test('one’s own are marked as read, once, and announced to one’s own tabs', async ({
  platform,
  server,
  ana,
  ben,
  list,
  unread,
  insertMany,
}) => {
  await insertMany(ana, null, 3);
  const [first, second] = (await list(ana)).items;
  const announced: string[] = [];
  const end = platform.bus.subscribe(
    'notificationsChanged',
    ({ accountId }) => void announced.push(accountId),
  );
  const mark = (who: Member) => server.call(who, calls.markRead, { body: { ids: [first?.id, second?.id] } });
  await mark(ben);
  expect(await unread(ana)).toBe(3);
  await mark(ana);
  await mark(ana);
  expect((await list(ana)).items.map(({ isRead }) => isRead)).toEqual([true, true, false]);
  await expect.poll(() => announced, wait).toEqual([ana.accountId]);
  end();
});

test('all are marked as read but what came after the newest that was shown, or those of a group', async ({
  server,
  ana,
  ben,
  list,
  unread,
  insertMany,
}) => {
  await insertMany(ana, ben, 3);
  await insertMany(ana, null, 4);
  const [newest, next] = (await list(ana, { group: 'account' })).items;
  await server.call(ana, calls.markAllRead, { body: { until: next?.createdAt, group: 'account' } });
  expect(await unread(ana)).toBe(4);
  await server.call(ana, calls.markAllRead, { body: { until: newest?.createdAt } });
  expect(await unread(ana)).toBe(0);
});

test('of very many all are marked by a job', async ({ database, platform, server, ana, insertMany }) => {
  await insertMany(ana, null, 2_300);
  let announced = 0;
  const end = platform.bus.subscribe('notificationsChanged', ({ accountId }) => {
    if (accountId === ana.accountId) announced += 1;
  });
  const isUnread = and(eq(notifications.profileId, ana.profileId), isNull(notifications.readAt));
  await server.call(ana, calls.markAllRead, { body: { until: nowDate().toISOString() } });
  expect(await database.$count(notifications, isUnread)).toBe(1_300);
  await expect.poll(() => announced, wait).toBe(1);
  const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
    notificationTasks(platform);
  for (const { task, payload } of await platform.takeJobs()) await handlers[task]?.(payload, {} as never);
  expect(await database.$count(notifications, isUnread)).toBe(0);
  // Open tabs still show as many as are counted at most.
  await expect.poll(() => announced, wait).toBe(2);
  end();
});

test('what a member did is gone from the list of who blocked or muted them, requests stay under the known name', async ({
  database,
  server,
  list,
  unread,
  insertMany,
}) => {
  const { creator, client, interactionId } = await insertRequest(database, {});
  await server.call(creator, interactionCalls.acceptRequest, { body: { interactionId } });
  await insertMany(client, creator, 2);
  expect(await unread(client)).toBe(3);
  await database.insert(mutes).values({ muterId: client.profileId, mutedId: creator.profileId });
  expect(await unread(client)).toBe(1);
  await database.delete(mutes);
  await insertBlock(database, creator, client);
  await database.execute(sql`update profiles set name = 'Renamed' where profiles.id = ${creator.profileId}`);
  expect(await unread(client)).toBe(1);
  expect((await list(client)).items).toMatchObject([
    { title: `${creator.name} accepted your request`, person: null },
  ]);
});

test('what was read 90 days ago is deleted, but for what a plan chat of an open request may begin with', async ({
  database,
  platform,
  ana,
}) => {
  const { client, interactionId } = await insertRequest(database, {});
  const at = new Date(nowMs() - 91 * 86_400_000);
  const row = {
    groupName: 'account',
    event: 'leaving',
    inApp: true,
    createdAt: at,
    profileId: ana.profileId,
  };
  await database.insert(notifications).values([
    { ...row, id: 'old', readAt: at },
    { ...row, id: 'unread', occasion: '2' },
    { ...row, id: 'new', occasion: '3', readAt: nowDate() },
    { ...row, id: 'open', event: 'accepted', interactionId, profileId: client.profileId, readAt: at },
  ]);
  const sweep = async () => {
    await notificationTasks(platform)['notifications.removeRead']({}, {
      log: quietLog(),
      signal: new AbortController().signal,
    } as never);
    const left = await database
      .select({ id: notifications.id })
      .from(notifications)
      .where(eq(notifications.createdAt, at));
    return left.map(({ id }) => id).sort();
  };
  expect(await sweep()).toEqual(['new', 'open', 'unread']);
  await database
    .update(interactions)
    .set({ cancelledAt: nowDate(), cancelReason: 'unpaid' })
    .where(eq(interactions.id, interactionId));
  expect(await sweep()).toEqual(['new', 'unread']);
});

test('who takes an unconfirmed account over reads nothing of what it was notified of before', async ({
  database,
  ana,
  insertMany,
}) => {
  const member = await insertMember(database, { confirmed: false });
  await insertMany(member, null, 2);
  await insertMany(ana, null, 2);
  const { interactionId } = await insertRequest(database, {});
  // Of its requests both parties read what happened.
  await database.insert(notifications).values({
    ...{ profileId: member.profileId, event: 'accepted', groupName: 'plans', inApp: true, interactionId },
  });
  const isOwn = eq(notifications.profileId, member.profileId);
  expect(await database.$count(notifications, isOwn)).toBe(3);
  await database.transaction((transaction) => claimAccount(transaction, member.accountId));
  const left = await database.select().from(notifications).where(isOwn);
  expect(left).toMatchObject([{ interactionId }]);
  expect(await database.$count(notifications, eq(notifications.profileId, ana.profileId))).toBe(2);
});

test('another’s rows are nobody’s: the lists are of their members alone', async ({
  database,
  ana,
  ben,
  list,
}) => {
  await database.transaction((transaction) =>
    notify(transaction, { event: 'verificationAccepted', to: { accountId: ana.accountId } }),
  );
  expect((await list(ana)).items).toHaveLength(1);
  expect((await list(ben)).items).toEqual([]);
});

test('with 100,000 notifications of one member, the list, that of a group and the count read at most 300 pages', async ({
  database,
  ana,
  ben,
  insertMany,
}) => {
  // One statement for all would take longer than a statement may.
  for (let part = 0; part < 10; part++) await insertMany(ana, ben, 10_000, part * 10_000);
  // Newer ones that are in no list.
  for (let part = 1; part <= 2; part++) await insertMany(ana, ben, 10_000, -part * 10_000, false);
  await database.execute(sql`analyze notifications`);
  const countBuffers = async (query: SQL) => {
    const [row] = await database.execute<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      sql`explain (analyze, buffers, format json) ${query}`,
    );
    const { Plan } = row?.['QUERY PLAN'][0] ?? expect.fail('nothing was explained');
    return (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
  };
  const muted = { ...ana, mutedProfileIds: ['somebody'] };
  // Nobody is hidden from her.
  const list = (group?: NotificationGroup) =>
    selectNotifications(database, sql`false`)
      .where(and(notificationListedFor(muted), group && eq(notifications.groupName, group)))
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(pageSize.notifications + 1);
  expect(await countBuffers(unreadNotifications(muted))).toBeLessThan(300);
  expect(await countBuffers(list().getSQL())).toBeLessThan(300);
  expect(await countBuffers(list('posts').getSQL())).toBeLessThan(300);
});
