import { posts } from '@tara/contract/posts/posts';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { test } from '../../testing/features/posts.ts';
import { postLikes, postPopularity, saves } from './tables.ts';

describe('likes and saves', () => {
  test('decisions §2: the count is the number of like rows, also with likes at the same moment (§7-api-post-likes, threat-concurrent-requests)', async ({
    database,
    server,
    ana,
    publish,
  }) => {
    const post = await publish(ana);
    const members = await Promise.all(Array.from({ length: 12 }, () => insertMember(database)));
    const body = { postId: post.id, totalLikes: 500 };
    await Promise.all([...members, ...members].map((who) => server.call(who, posts.like, { body })));
    expect((await server.call(ana, posts.updateLikes, { body })).reply).toEqual({
      status: 'ok',
      totalLikes: 12,
      liked: false,
    });
    await Promise.all(
      [...members.slice(0, 5), ...members.slice(0, 5)].map((who) => server.call(who, posts.unlike, { body })),
    );
    expect((await server.call(ana, posts.updateLikes, { body })).reply.totalLikes).toBe(7);
    expect(await database.$count(postLikes, eq(postLikes.postId, post.id))).toBe(7);
  });

  test('a like creates a like record, and taking it back deletes it (§4-like-record, §4-unlike-record, §7-like, §7-unlike, §1-posts-like)', async ({
    database,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    const records = () => database.$count(postLikes, eq(postLikes.postId, post.id));
    await server.call(ben, posts.like, { body: { postId: post.id } });
    expect(await records()).toBe(1);
    await server.call(ben, posts.unlike, { body: { postId: post.id } });
    expect(await records()).toBe(0);
  });

  test('a like announces the new total alone', async ({ platform, server, ana, ben, publish }) => {
    const post = await publish(ana);
    await server.call(ben, posts.like, { body: { postId: post.id } });
    const change = platform.announced.findLast(({ collection }) => collection === 'posts');
    expect(change).toMatchObject({ id: post.id, change: 'update', audience: 'members' });
    expect(change?.document).toEqual({ id: post.id, totalLikes: 1 });
  });

  test('the id of a like is the beginning of both ids (§3-liked-post)', async ({
    database,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    await server.call(ben, posts.like, { body: { postId: post.id } });
    const [like] = await database.select().from(postLikes).where(eq(postLikes.postId, post.id));
    expect(like?.id).toBe(ben.profileId.slice(0, 8) + post.id.slice(0, 8));
  });

  test('likes that are removed together leave the post where it would be without them', async ({
    database,
    server,
    ana,
    publish,
  }) => {
    const post = await publish(ana);
    const popularAt = async () =>
      (await database.select().from(postPopularity).where(eq(postPopularity.postId, post.id)))[0]?.popularAt;
    const before = await popularAt();
    const members = await Promise.all(Array.from({ length: 3 }, () => insertMember(database)));
    for (const who of members) await server.call(who, posts.like, { body: { postId: post.id } });
    expect(Number(await popularAt())).toBeGreaterThan(Number(before));
    await database.delete(postLikes).where(eq(postLikes.postId, post.id));
    expect(await popularAt()).toEqual(before);
  });

  test('a post that is saved again is refused as a duplicate and saved once (§5-duplicate-save, §7-save, §1-posts-save)', async ({
    database,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    const body = { postId: post.id };
    expect((await server.call(ben, posts.save, { body })).reply).toEqual({ status: 'ok' });
    const again = await server.call(ben, posts.save, { body });
    expect([again.status, again.problem.title]).toEqual([409, 'You already saved this post']);
    expect(await database.$count(saves, eq(saves.postId, post.id))).toBe(1);
  });

  test.for([
    ['like', posts.like],
    ['unlike', posts.unlike],
    ['updateLikes', posts.updateLikes],
    ['save', posts.save],
    ['delete', posts.delete],
  ] as const)('%s of an unknown post', async ([_name, call], { server, ben }) => {
    expect((await server.call(ben, call, { body: { postId: 'nowhere' } })).problem.type).toBe(
      'post_not_found',
    );
  });
});
