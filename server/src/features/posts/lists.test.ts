import { nowDate, nowMs } from '@tara/contract/clock';
import { posts } from '@tara/contract/posts/posts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { listLikers } from './likers.ts';
import { postReads } from './read.ts';
import { postRoutes } from './routes.ts';
import { postLikes, postPopularity, posts as rows, saves } from './tables.ts';

const test = serverTest((app, platform) => postRoutes(app, platform))
  .extend('ana', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend('members', { scope: 'file' }, ({ database }) =>
    Promise.all(Array.from({ length: 25 }, () => insertMember(database))),
  )
  .extend('publish', { scope: 'file' }, ({ database, ana }) => async (...hoursAgo: number[]) => {
    await database.delete(rows);
    for (const [index, hours] of hoursAgo.entries())
      await database.insert(rows).values({
        id: `post${index}`,
        creatorId: ana.profileId,
        usedDp: true,
        createdAt: new Date(nowMs() - hours * 3_600_000),
      });
  })
  .extend('like', { scope: 'file' }, ({ server }) => async (postId: string, ...who: Member[]) => {
    for (const member of who) await server.call(member, posts.like, { body: { postId } });
  });

describe('popular posts (decision 0034)', () => {
  test('those liked today are first, then the newest', async ({ server, ben, members, publish, like }) => {
    await publish(48, 5, 1, 20);
    const order = async () => (await server.call(ben, posts.popular)).reply.items.map(({ id }) => id);
    expect(await order()).toEqual(['post2', 'post1', 'post3', 'post0']);
    await like('post3', ...members.slice(0, 3));
    expect(await order()).toEqual(['post3', 'post2', 'post1', 'post0']);
    await like('post0', ...members.slice(0, 4));
    expect(await order()).toEqual(['post0', 'post3', 'post2', 'post1']);
  });

  test('old likes count nothing beside a new one', async ({
    database,
    server,
    ben,
    members,
    publish,
    like,
  }) => {
    await publish(480, 470);
    await like('post0', ...members);
    await database.update(postLikes).set({ createdAt: new Date(nowMs() - 240 * 3_600_000) });
    await database.execute(sql`update post_popularity set popular_at = count_popularity(post_id, '')`);
    await like('post1', ben);
    const { items } = (await server.call(ben, posts.popular)).reply;
    expect(items.map(({ id }) => id)).toEqual(['post1', 'post0']);
  });

  test('a like that is taken back leaves what would be there without it', async ({
    database,
    server,
    ben,
    members,
    publish,
    like,
  }) => {
    await publish(480);
    const popularAt = async () => {
      const [row] = await database.select().from(postPopularity).where(eq(postPopularity.postId, 'post0'));
      return row?.popularAt.getTime() ?? Number.NaN;
    };
    const before = await popularAt();
    await like('post0', ben);
    await server.call(ben, posts.unlike, { body: { postId: 'post0' } });
    expect(await popularAt()).toBe(before);
    // Repeating changes nothing.
    await server.call(ben, posts.unlike, { body: { postId: 'post0' } });
    expect(await popularAt()).toBe(before);
    await like('post0', ...members, ...members);
    const liked = await popularAt();
    await like('post0', ben);
    expect(await popularAt()).toBeGreaterThan(liked);
    await server.call(ben, posts.unlike, { body: { postId: 'post0' } });
    expect(Math.abs((await popularAt()) - liked)).toBeLessThan(10_000);
  });

  test('every post once, over pages', async ({ database, server, ben, publish }) => {
    await publish(...Array.from({ length: 23 }, (_, index) => index));
    await database.update(postPopularity).set({ popularAt: nowDate() });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await server.call(ben, posts.popular, { query: { cursor } })).reply;
      expect(page.items.length).toBeLessThanOrEqual(10);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect([seen.length, new Set(seen).size]).toEqual([23, 23]);
  });
});

describe('saved posts', () => {
  test('a member reads their own saved posts, last saved first, 10 a page (§7-list-saved)', async ({
    database,
    server,
    ana,
    ben,
    publish,
  }) => {
    await publish(...Array.from({ length: 12 }, (_, index) => index));
    const now = nowMs();
    for (const index of Array.from({ length: 12 }).keys())
      await database.insert(saves).values({
        id: `${index}`,
        userId: ben.profileId,
        postId: `post${index}`,
        createdAt: new Date(now - (index % 5) * 60_000),
      });
    const first = (await server.call(ben, posts.saved)).reply;
    const second = (await server.call(ben, posts.saved, { query: { cursor: first.next ?? undefined } }))
      .reply;
    expect([first.items.length, second.items.length, second.next]).toEqual([10, 2, null]);
    expect(first.items.slice(0, 3).map(({ id }) => id)).toEqual(['post5', 'post10', 'post0']);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(12);
    expect(first.items.every(({ saved }) => saved)).toBe(true);
    expect((await server.call(ana, posts.saved)).reply.items).toEqual([]);
  });

  test('an unsaved post alone leaves the list; again changes nothing', async ({
    server,
    ana,
    ben,
    publish,
  }) => {
    await publish(1, 2);
    const body = { postId: 'post0' };
    for (const who of [ana, ben]) await server.call(who, posts.save, { body });
    await server.call(ben, posts.save, { body: { postId: 'post1' } });
    for (let time = 0; time < 2; time++)
      expect((await server.call(ben, posts.unsave, { body })).reply).toEqual({ status: 'ok' });
    expect((await server.call(ben, posts.saved)).reply.items.map(({ id }) => id)).toEqual(['post1']);
    expect((await server.call(ana, posts.saved)).reply.items).toHaveLength(1);
    expect((await server.call(ben, posts.save, { body })).reply).toEqual({ status: 'ok' });
  });

  test.for([
    [{}, 'postId'],
    [{ postId: '' }, 'postId'],
    [{ postId: 'post0', userId: 'other' }, 'userId'],
  ] as const)('unsaving %j is refused', async ([body, field], { server, ben }) => {
    const { problem } = await server.call(ben, posts.unsave, { body: body as { postId: string } });
    expect(problem.fields).toHaveProperty(field);
  });
});

describe('the list of likers of a post', () => {
  test('its creator sees them, and not those of another post, last like first, 20 a page', async ({
    database,
    server,
    ana,
    ben,
    members,
    publish,
    like,
  }) => {
    await publish(1, 2);
    await like('post0', ...members);
    await like('post1', ben);
    await database.update(postLikes).set({ createdAt: nowDate() });
    const params = { id: 'post0' };
    const first = (await server.call(ana, posts.likers, { params })).reply;
    const second = (
      await server.call(ana, posts.likers, { params, query: { cursor: first.next ?? undefined } })
    ).reply;
    expect([first.items.length, second.items.length, second.next]).toEqual([20, 5, null]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id))).toEqual(
      new Set(members.map(({ profileId }) => profileId)),
    );
    expect(first.items[0]).not.toHaveProperty('email');
  });

  test('nobody yet', async ({ server, ana, publish }) => {
    await publish(1);
    const { reply } = await server.call(ana, posts.likers, { params: { id: 'post0' } });
    expect(reply).toEqual({ items: [], next: null });
  });

  test('decisions §2: nobody else sees them, an admin neither', async ({
    database,
    server,
    ben,
    publish,
    like,
  }) => {
    await publish(1);
    await like('post0', ben);
    for (const who of [ben, await insertMember(database, { admin: true })])
      expect((await server.call(who, posts.likers, { params: { id: 'post0' } })).problem.type).toBe(
        'user_unauthorized',
      );
    expect((await server.call(ben, posts.likers, { params: { id: 'nowhere' } })).problem.type).toBe(
      'post_not_found',
    );
  });
});

test('blocked and muted members are in none of the lists, and neither are hidden likers', async ({
  database,
  server,
  ana,
  members,
  publish,
  like,
}) => {
  const [blocked, muted, reader] = members;
  if (!blocked || !muted || !reader) throw new Error('There are too few members.');
  await publish(1);
  for (const [id, { profileId }] of Object.entries({ blocked, muted }))
    await database.insert(rows).values({ id, creatorId: profileId, usedDp: true, caption: 'reef' });
  await like('post0', blocked, reader);
  for (const postId of ['blocked', 'muted', 'post0'])
    await server.call(reader, posts.save, { body: { postId } });
  await database.update(rows).set({ caption: 'reef' });
  const hiding = { hiddenProfileIds: [blocked.profileId], mutedProfileIds: [muted.profileId] };
  const hider = { ...reader, ...hiding, secret: '' };
  const read = postReads(database);
  for (const list of [
    await read.popular(hider, undefined),
    await read.saved(hider, undefined),
    await read.search(hider, 'reef'),
  ])
    expect(list.items.map(({ id }) => id)).toEqual(['post0']);
  const likers = await listLikers(database, { ...ana, ...hiding }, 'post0', undefined);
  expect(likers.items.map(({ id }) => id)).toEqual([reader.profileId]);
});
