import { nowDate } from '@tara/contract/clock';
import { posts } from '@tara/contract/posts/posts';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test } from '../../testing/features/posts.ts';
import { profiles } from '../profiles/index.ts';
import { posts as rows } from './tables.ts';

describe('publishing', () => {
  test('a post carries its words, its tags as a list, and starts with no likes (§1-posts, §3-post-tags, §3-post-likes, §9-start-total-likes, §7-create-post)', async ({
    platform,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    expect(post).toMatchObject({
      creator: { id: ana.profileId, name: 'Ana' },
      creatorId: ana.profileId,
      caption: 'Hi',
      location: 'Cebu',
      tags: ['beach', 'sunset'],
      totalLikes: 0,
      usedDp: false,
      liked: false,
      saved: false,
      picture: { alt: 'Sea', width: 400, widths: [96, 320, 400] },
    });
    expect((await server.call(ben, posts.get, { params: { id: post.id } })).reply).toEqual(post);
    expect(platform.announced.at(-1)).toMatchObject({
      collection: 'posts',
      id: post.id,
      change: 'create',
      audience: 'members',
    });
    expect(platform.announced.at(-1)?.document).not.toHaveProperty('liked');
  });

  test('decisions §1: a quick post shows the profile picture, or the initials before there is one, and has usedDp (§7-quick-post, §3-post-used-dp)', async ({
    database,
    server,
  }) => {
    const cora = await insertMember(database, { name: 'Cora Diaz' });
    const first = (await server.call(cora, posts.quick, { body: { caption: 'Hello' } })).reply;
    expect(first).toMatchObject({
      usedDp: true,
      picture: { imageId: null, imageUrl: '/v1/avatars/initials?name=Cora%20Diaz' },
    });
    const imageId = await insertPicture(database, {
      ownerAccountId: cora.accountId,
      usedAt: nowDate(),
    });
    await database.update(profiles).set({ imageId }).where(eq(profiles.id, cora.profileId));
    const second = (await server.call(cora, posts.quick, { body: { caption: 'Again' } })).reply;
    expect(second).toMatchObject({ usedDp: true, picture: { imageId } });
  });

  test('an upload is used once, even by two posts at the same moment', async ({
    server,
    ana,
    upload,
    countPosts,
  }) => {
    const imageId = await upload(ana);
    const body = { caption: 'x', location: '', tags: '', imageId };
    const before = await countPosts();
    const answers = await Promise.all([1, 2, 3].map(() => server.call(ana, posts.create, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await countPosts()).toBe(before + 1);
  });

  test("another's upload cannot be published", async ({ server, ana, ben, upload }) => {
    const body = { caption: 'x', location: '', tags: '', imageId: await upload(ben) };
    const { problem } = await server.call(ana, posts.create, { body });
    expect(problem).toMatchObject({
      type: 'storage_file_not_found',
      fields: { imageId: expect.any(String) },
    });
  });
});

describe('wrong inputs store nothing', () => {
  const words = { caption: '', location: '', tags: '', imageId: 'x' };
  test.for([
    [
      'caption over 5000',
      posts.create,
      { ...words, caption: 'a'.repeat(5001) },
      'caption',
      'Must be at most 5000 characters.',
    ],
    [
      'location over 100',
      posts.create,
      { ...words, location: 'a'.repeat(101) },
      'location',
      'Must be at most 100 characters.',
    ],
    [
      'tags over 300',
      posts.create,
      { ...words, tags: 'a'.repeat(301) },
      'tags',
      'Must be at most 300 characters.',
    ],
    ['a zero byte', posts.quick, { caption: 'a\u0000b' }, 'caption', expect.any(String)],
    ['no photo', posts.create, { caption: '', location: '', tags: '' }, 'imageId', expect.any(String)],
    ['an empty quick post', posts.quick, { caption: '  ' }, 'caption', 'Please write something.'],
    ['a like without a post', posts.like, {}, 'postId', expect.any(String)],
    [
      'a set like count (mass assignment)',
      posts.create,
      { ...words, totalLikes: 99 },
      'totalLikes',
      'is not a field of this call',
    ],
    [
      'another creator (mass assignment)',
      posts.quick,
      { caption: 'a', creatorId: 'b' },
      'creatorId',
      'is not a field of this call',
    ],
  ] as const)('%s', async ([_what, call, body, field, rule], { server, ana, countPosts }) => {
    const before = await countPosts();
    const { status, problem } = await server.call(ana, call, { body });
    expect(status).toBe(400);
    expect(problem.type).toBe('general_argument_invalid');
    expect(problem.fields).toMatchObject({ [field]: rule });
    expect(await countPosts()).toBe(before);
  });

  test('a cursor that no list gave (threat-injected-queries)', async ({ server, ana }) => {
    const { problem } = await server.call(ana, posts.feed, { query: { cursor: 'forged' } });
    expect(problem.type).toBe('general_cursor_not_found');
  });
});

describe('lists (§7)', () => {
  test.for([
    ['the feed (§7-list-feed)', posts.feed],
    ['the list of recent posts (§7-list-recent)', posts.recent],
  ] as const)(
    '%s has 10 a page, each post once',
    async ([_list, call], { database, server, ana, publish, countPosts }) => {
      const dan = await insertMember(database);
      for (let index = 0; index < 12; index++) await publish(dan, `post ${index}`);
      // All of one moment: the id then decides, so that a page boundary loses none.
      await database.update(rows).set({ updatedAt: nowDate(), createdAt: nowDate() });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = (await server.call(ana, call, { query: { cursor } })).reply;
        if (page.next) expect(page.items).toHaveLength(10);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next ?? undefined;
      } while (cursor);
      expect(seen).toHaveLength(await countPosts());
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  test('an updated post comes to the top of the feed, not of the recent ones (§7-api-recent, §7-list-feed, §7-list-recent)', async ({
    connection,
    server,
    ana,
    ben,
    publish,
  }) => {
    const older = await publish(ana, 'older');
    const newer = await publish(ana, 'newer');
    await connection.sql`update posts set created_at = now() + interval '1 hour' where id = ${newer.id}`;
    await connection.sql`update posts set updated_at = now() + interval '2 hours' where id = ${older.id}`;
    expect((await server.call(ben, posts.feed)).reply.items[0]?.id).toBe(older.id);
    expect((await server.call(ben, posts.recent)).reply.items[0]?.id).toBe(newer.id);
  });

  test('a member browses the posts of everyone, the newest first, a guest none (§1-posts-feed)', async ({
    server,
    ana,
    ben,
    publish,
  }) => {
    const ids = [(await publish(ana)).id, (await publish(ben)).id];
    const { items } = (await server.call(ben, posts.feed)).reply;
    const seen = items.filter(({ id }) => ids.includes(id));
    expect(seen.map(({ id, creator }) => [id, creator.name])).toEqual([
      [ids[1], 'Ben'],
      [ids[0], 'Ana'],
    ]);
    expect((await server.call(null, posts.feed)).problem.type).toBe('general_unauthorized_scope');
  });

  test("one member's posts are theirs alone, over pages (§7-list-user-posts)", async ({
    database,
    server,
    ana,
    publish,
  }) => {
    const eve = await insertMember(database);
    for (let index = 0; index < 11; index++) await publish(eve, `post ${index}`);
    const params = { id: eve.profileId };
    const first = (await server.call(ana, posts.byCreator, { params })).reply;
    const second = (
      await server.call(ana, posts.byCreator, { params, query: { cursor: first.next ?? undefined } })
    ).reply;
    expect([first.items.length, second.items.length, second.next]).toEqual([10, 1, null]);
    expect(new Set([...first.items, ...second.items].map(({ creatorId }) => creatorId))).toEqual(
      new Set([eve.profileId]),
    );
  });

  test('what the viewer liked and saved is the viewer’s own (§4-like-initial)', async ({
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    await server.call(ben, posts.like, { body: { postId: post.id } });
    await server.call(ben, posts.save, { body: { postId: post.id } });
    const params = { id: post.id };
    expect((await server.call(ben, posts.get, { params })).reply).toMatchObject({
      liked: true,
      saved: true,
      totalLikes: 1,
    });
    expect((await server.call(ana, posts.get, { params })).reply).toMatchObject({
      liked: false,
      saved: false,
      totalLikes: 1,
    });
  });
});

test('without a session or a confirmed email nothing is read', async ({ database, server }) => {
  const unconfirmed = await insertMember(database, { confirmed: false });
  expect((await server.call(null, posts.feed)).problem.type).toBe('general_unauthorized_scope');
  expect((await server.call(unconfirmed, posts.feed)).problem.type).toBe('user_email_unverified');
});
