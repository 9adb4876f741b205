import { posts } from '@tara/contract/posts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember, type Member } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { serverTest } from '../../testing/test.ts';
import { files } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { postRoutes } from './routes.ts';
import { postLikes, posts as rows, saves } from './tables.ts';

const test = serverTest((app, platform) => postRoutes(app, platform))
  .extend('ana', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend(
    'upload',
    { scope: 'file' },
    ({ database }) =>
      (owner: Member) =>
        insertPicture(database, { ownerAccountId: owner.accountId }),
  )
  .extend('publish', { scope: 'file' }, ({ server, upload }) => async (owner: Member, caption = 'Hi') => {
    const body = {
      caption,
      location: 'Cebu',
      tags: 'beach, sun set',
      imageId: await upload(owner),
      alt: 'Sea',
    };
    return (await server.call(owner, posts.create, { body })).reply;
  })
  .extend(
    'countPosts',
    { scope: 'file' },
    ({ database }) =>
      () =>
        database.$count(rows),
  );

describe('publishing', () => {
  test('a post carries its words, its tags as a list, and starts with no likes (§3-post, §7-create-post)', async ({
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

  test('decisions §1: a quick post shows the profile picture, or the initials before there is one (§7-quick-post)', async ({
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
      usedAt: new Date(),
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

describe('wrong inputs store nothing (§5-post)', () => {
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
    ['a like without a post (§5-required-ids)', posts.like, {}, 'postId', expect.any(String)],
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
    [
      'a negative like total',
      posts.updateLikes,
      { postId: 'x', totalLikes: -1 },
      'totalLikes',
      expect.any(String),
    ],
  ] as const)('%s', async ([_what, call, body, field, rule], { server, ana, countPosts }) => {
    const before = await countPosts();
    const { status, problem } = await server.call(ana, call, { body });
    expect(status).toBe(400);
    expect(problem.type).toBe('general_argument_invalid');
    expect(problem.fields).toMatchObject({ [field]: rule });
    expect(await countPosts()).toBe(before);
  });

  test('a cursor that no list gave', async ({ server, ana }) => {
    const { problem } = await server.call(ana, posts.feed, { query: { cursor: 'forged' } });
    expect(problem.type).toBe('general_cursor_not_found');
  });
});

describe('lists (§7)', () => {
  test('the feed is by last update, 10 a page, each post once (§7-list-feed, §7-list-recent)', async ({
    database,
    server,
    ana,
    publish,
    countPosts,
  }) => {
    const dan = await insertMember(database);
    for (let at = 0; at < 12; at++) await publish(dan, `post ${at}`);
    // All of one moment: the id then decides, so that a page boundary loses none.
    await database.update(rows).set({ updatedAt: new Date(), createdAt: new Date() });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await server.call(ana, posts.feed, { query: { cursor } })).reply;
      expect(page.items.length).toBeLessThanOrEqual(10);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(seen).toHaveLength(await countPosts());
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('an updated post comes to the top of the feed, not of the recent ones (§7-api-recent)', async ({
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

  test("one member's posts are theirs alone, over pages (§7-list-user-posts)", async ({
    database,
    server,
    ana,
    publish,
  }) => {
    const eve = await insertMember(database);
    for (let at = 0; at < 11; at++) await publish(eve, `post ${at}`);
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

  test('what the viewer liked and saved is the viewer’s own', async ({ server, ana, ben, publish }) => {
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

describe('likes and saves', () => {
  test('decisions §2: the count is the number of like rows, whoever likes at the same moment (§7-like, §7-unlike, §7-api-post-likes)', async ({
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

  test('a like announces the new total, and the post itself to who reads it', async ({
    platform,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    await server.call(ben, posts.like, { body: { postId: post.id } });
    const change = platform.announced.at(-1);
    expect(change).toMatchObject({ id: post.id, change: 'update', audience: 'members' });
    expect(change?.document).toEqual({ id: post.id, totalLikes: 1 });
    const whole = await change?.readWhole?.();
    expect(whole).toMatchObject({ id: post.id, caption: post.caption, totalLikes: 1 });
    expect(whole).not.toHaveProperty('liked');
    await server.call(ana, posts.delete, { body: { postId: post.id } });
    expect(await change?.readWhole?.()).toBeNull();
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

  test('a second save says so and creates nothing (§5-duplicate-save, §7-save)', async ({
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
  ] as const)('%s of a post that is not there', async ([_name, call], { server, ben }) => {
    expect((await server.call(ben, call, { body: { postId: 'nowhere' } })).problem.type).toBe(
      'post_not_found',
    );
  });
});

describe('changing and deleting (§6: the creator only)', () => {
  const words = { caption: 'New', location: '', tags: 'x' };

  test('a changed post keeps its picture, or takes the new one and gives up the old (§7-update-post)', async ({
    server,
    ana,
    upload,
    publish,
    platform,
  }) => {
    const post = await publish(ana);
    const reply = (
      await server.call(ana, posts.update, { body: { ...words, postId: post.id, alt: 'Waves' } })
    ).reply;
    expect(reply).toMatchObject({
      caption: 'New',
      tags: ['x'],
      picture: { imageId: post.picture.imageId, alt: 'Waves' },
    });
    const imageId = await upload(ana);
    const changed = (await server.call(ana, posts.update, { body: { ...words, postId: post.id, imageId } }))
      .reply;
    expect(changed.picture.imageId).toBe(imageId);
    expect(await platform.jobs('files.remove')).toContainEqual({ id: post.picture.imageId });
  });

  test('the picture of a profile-picture post stays', async ({ database, server, ana, upload }) => {
    const post = (await server.call(ana, posts.quick, { body: { caption: 'Hi' } })).reply;
    const imageId = await upload(ana);
    const { problem } = await server.call(ana, posts.update, {
      body: { ...words, postId: post.id, imageId },
    });
    expect(problem.fields).toHaveProperty('imageId');
    const [file] = await database.select().from(files).where(eq(files.id, imageId));
    expect(file?.usedAt).toBeNull();
  });

  test.for([
    ['caption', 'a'.repeat(5001), 'Must be at most 5000 characters.'],
    ['location', 'a'.repeat(101), 'Must be at most 100 characters.'],
    ['tags', 'a'.repeat(301), 'Must be at most 300 characters.'],
    ['alt', 'a'.repeat(301), 'Must be at most 300 characters.'],
    ['usedDp', true, 'is not a field of this call'],
  ] as const)(
    '§5 a wrong %s is named with its rule and changes nothing',
    async ([field, value, rule], { database, server, ana, publish }) => {
      const { id } = await publish(ana);
      const stored = () => database.select().from(rows).where(eq(rows.id, id));
      const before = await stored();
      const body = { ...words, postId: id, [field]: value };
      const { status, problem } = await server.call(ana, posts.update, { body });
      expect([status, problem.type]).toEqual([400, 'general_argument_invalid']);
      expect(problem.fields).toMatchObject({ [field]: rule });
      expect(await stored()).toEqual(before);
    },
  );

  test("another's post is neither changed nor deleted (§6-owner)", async ({
    server,
    ana,
    ben,
    upload,
    publish,
  }) => {
    const post = await publish(ana);
    const body = { ...words, postId: post.id, imageId: await upload(ben) };
    expect((await server.call(ben, posts.update, { body })).problem.type).toBe('user_unauthorized');
    expect((await server.call(ben, posts.delete, { body: { postId: post.id } })).problem.type).toBe(
      'user_unauthorized',
    );
    expect((await server.call(ana, posts.get, { params: { id: post.id } })).reply).toEqual(post);
  });

  test('deleting removes the post, its likes and saves, and gives up its picture (§7-delete-post)', async ({
    database,
    platform,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    await server.call(ben, posts.like, { body: { postId: post.id } });
    await server.call(ben, posts.save, { body: { postId: post.id } });
    expect((await server.call(ana, posts.delete, { body: { postId: post.id } })).reply).toEqual({
      status: 'ok',
    });
    expect((await server.call(ana, posts.get, { params: { id: post.id } })).problem.type).toBe(
      'post_not_found',
    );
    expect(await database.$count(postLikes, sql`post_id = ${post.id}`)).toBe(0);
    expect(await database.$count(saves, sql`post_id = ${post.id}`)).toBe(0);
    expect(await platform.jobs('files.remove')).toContainEqual({ id: post.picture.imageId });
    expect(platform.announced.at(-1)).toMatchObject({ change: 'delete', id: post.id });
  });
});

test('without a session or a confirmed e-mail nothing is read', async ({ database, server }) => {
  const unconfirmed = await insertMember(database, { confirmed: false });
  expect((await server.call(null, posts.feed)).problem.type).toBe('general_unauthorized_scope');
  expect((await server.call(unconfirmed, posts.feed)).problem.type).toBe('user_email_unverified');
});
