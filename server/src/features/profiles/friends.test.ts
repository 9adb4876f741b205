import { nowDate } from '@tara/contract/clock';
import { profiles } from '@tara/contract/members/profiles';
import { and, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { befriend } from './friends.ts';
import { profileRoutes } from './routes.ts';
import { friends, profiles as rows } from './tables.ts';

const test = serverTest((app, platform) => profileRoutes(app, platform))
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben', phoneNumber: '0917 123' }))
  .extend(
    'meet',
    { scope: 'file' },
    ({ database }) =>
      (one: Member, other: Member) =>
        database.transaction((transaction) => befriend(transaction, one.profileId, other.profileId)),
  )
  .extend(
    'list',
    { scope: 'file' },
    ({ server }) =>
      async (who: Member, cursor?: string) =>
        (await server.call(who, profiles.friends, { query: cursor === undefined ? {} : { cursor } })).reply,
  )
  .extend(
    'names',
    { scope: 'file' },
    ({ list }) =>
      async (who: Member) =>
        (await list(who)).items.map(({ name }) => name),
  )
  .extend(
    'remove',
    { scope: 'file' },
    ({ server }) =>
      (who: Member | null, friendId: unknown) =>
        server.call(who, profiles.removeFriend, { body: { friendId } }),
  );

test('a member reads their own friends, the newest first, 20 a page, each once', async ({
  database,
  ana,
  meet,
  list,
}) => {
  for (let number = 0; number < 25; number += 1) await meet(ana, await insertMember(database));
  // All at one time: the id decides.
  await database.update(friends).set({ createdAt: nowDate() }).where(eq(friends.ownerId, ana.profileId));
  const newest = await insertMember(database, { name: 'Newest' });
  await meet(ana, newest);
  const first = await list(ana);
  expect(first.items).toHaveLength(20);
  expect(first.items[0]?.name).toBe('Newest');
  const second = await list(ana, first.next ?? '');
  expect(second).toMatchObject({ next: null });
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(26);
});

test('each list is its owner’s: removing changes nothing of the other’s, and again is not announced', async ({
  database,
  platform,
  ana,
  ben,
  meet,
  names,
  remove,
}) => {
  const lastRemoval = async () =>
    (await database.select().from(rows).where(eq(rows.id, ana.profileId)))[0]?.friendsRemovedAt;
  const changes = () => platform.announced.filter(({ collection }) => collection === 'friendLists');
  await meet(ana, await insertMember(database, { name: 'Cora' }));
  await meet(ana, ben);
  expect((await names(ana)).sort()).toEqual(['Ben', 'Cora']);
  platform.announced.length = 0;
  expect((await remove(ana, ben.profileId)).reply).toEqual({ status: 'ok' });
  expect(changes()).toMatchObject([{ id: ana.profileId, change: 'update' }]);
  const removedAt = await lastRemoval();
  expect(removedAt).toEqual(expect.any(Date));
  expect(await names(ana)).toEqual(['Cora']);
  expect(await names(ben)).toEqual(['Ana']);
  expect((await remove(ana, ben.profileId)).problem).toMatchObject({ code: 404, type: 'friend_not_found' });
  expect(changes()).toHaveLength(1);
  expect(await lastRemoval()).toEqual(removedAt);
  await meet(ben, ana);
  expect((await names(ana)).sort()).toEqual(['Ben', 'Cora']);
});

test('a friend is shown as to every member: no phone number, email or birth date', async ({
  ana,
  ben,
  meet,
  list,
}) => {
  await meet(ana, ben);
  const [friend] = (await list(ana)).items;
  for (const field of ['phoneNumber', 'email', 'bDay']) expect(friend).not.toHaveProperty(field);
});

test('blocked members are not in each other’s lists', async ({ database, ana, ben, meet, names }) => {
  await meet(ana, ben);
  await insertBlock(database, ben, ana);
  expect(await names(ana)).toEqual([]);
  expect(await names(ben)).toEqual([]);
});

test('a guest has no list, and a member who is not a friend is not removed', async ({
  server,
  database,
  ana,
  ben,
  remove,
}) => {
  expect((await server.call(null, profiles.friends)).problem).toMatchObject({ code: 401 });
  expect((await remove(null, ben.profileId)).problem).toMatchObject({ code: 401 });
  expect((await remove(ana, ben.profileId)).problem).toMatchObject({ type: 'friend_not_found' });
  for (const friendId of ['', '../x', 7, null])
    expect((await remove(ana, friendId)).problem).toMatchObject({
      code: 400,
      fields: { friendId: expect.any(String) },
    });
  const wrong = await server.call(ana, profiles.friends, { query: { cursor: 'nonsense' } });
  expect(wrong.problem.code).toBe(400);
  expect(await database.$count(friends, and(eq(friends.ownerId, ana.profileId)))).toBe(0);
});

test('decisions §1: friendship goes both ways, once', async ({ database, ana, ben }) => {
  await database.transaction(async (transaction) => {
    await befriend(transaction, ana.profileId, ben.profileId);
    await befriend(transaction, ben.profileId, ana.profileId);
  });
  expect(await database.$count(friends, eq(friends.ownerId, ana.profileId))).toBe(1);
  expect(await database.$count(friends, eq(friends.ownerId, ben.profileId))).toBe(1);
});

test('two who become friends of each other at once wait for each other in one order', async ({
  database,
  connection,
  ana,
  ben,
}) => {
  const [first = '', second = ''] = [ana.profileId, ben.profileId].sort();
  const inserted = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const one = connection.sql.begin(async (sql) => {
    await sql`insert into friends (owner_id, friend_id) values (${first}, ${second})`;
    inserted.resolve();
    await goOn.promise;
    await sql`insert into friends (owner_id, friend_id) values (${second}, ${first})`;
  });
  await inserted.promise;
  const other = database.transaction((transaction) => befriend(transaction, second, first));
  const waiting = async () => {
    const [row] = await connection.sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.count;
  };
  await expect.poll(waiting, { timeout: 30_000, interval: 5 }).toBe(1);
  goOn.resolve();
  await Promise.all([one, other]);
  expect(await database.$count(friends, eq(friends.ownerId, first))).toBe(1);
});
