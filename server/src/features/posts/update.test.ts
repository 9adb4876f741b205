import { randomBytes } from 'node:crypto';
import { nowDate } from '@tara/contract/clock';
import { posts } from '@tara/contract/posts/posts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { quietLog } from '../../platform/log.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test } from '../../testing/features/posts.ts';
import { fileKeys, files, fileTasks } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { postLikes, posts as rows, saves } from './tables.ts';

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
    const again = await server.call(ana, posts.update, { body: { ...words, postId: post.id } });
    expect(again.reply.picture).toMatchObject({ imageId: post.picture.imageId, alt: 'Waves' });
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

  test('the description of a profile picture is not changed by a post that shows it', async ({
    database,
    server,
  }) => {
    const cora = await insertMember(database);
    const picture = { ownerAccountId: cora.accountId, usedAt: nowDate(), alt: 'Cora' };
    const imageId = await insertPicture(database, picture);
    await database.update(profiles).set({ imageId }).where(eq(profiles.id, cora.profileId));
    const { id: postId } = (await server.call(cora, posts.quick, { body: { caption: 'Hi' } })).reply;
    const { reply } = await server.call(cora, posts.update, { body: { ...words, postId, alt: 'Waves' } });
    expect(reply).toMatchObject({ caption: 'New', picture: { imageId, alt: 'Cora' } });
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

  test('the post of another member is not edited (§6-post-creator)', async ({
    server,
    ana,
    ben,
    upload,
    publish,
  }) => {
    const post = await publish(ana);
    const body = { ...words, postId: post.id, imageId: await upload(ben) };
    expect((await server.call(ben, posts.update, { body })).problem.type).toBe('user_unauthorized');
    expect((await server.call(ana, posts.get, { params: { id: post.id } })).reply).toEqual(post);
  });

  test('the post of another member is not deleted (§6-post-creator-delete)', async ({
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    const body = { postId: post.id };
    expect((await server.call(ben, posts.delete, { body })).problem.type).toBe('user_unauthorized');
    expect((await server.call(ana, posts.get, { params: { id: post.id } })).reply).toEqual(post);
  });

  test('deleting removes the post, its likes and saves, and its picture (§2-delete-post-image, §7-delete-post)', async ({
    database,
    platform,
    server,
    ana,
    ben,
    publish,
  }) => {
    const post = await publish(ana);
    const isPicture = eq(files.id, post.picture.imageId ?? '');
    const [picture] = await database.select().from(files).where(isPicture);
    const keys = picture ? fileKeys(picture) : [];
    for (const key of keys) await platform.files.put(key, Buffer.from('bytes'));
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
    expect(platform.announced.at(-1)).toMatchObject({ change: 'delete', id: post.id });
    const remove = fileTasks(platform, randomBytes(32))['files.remove'];
    const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: AbortSignal.timeout(60_000) };
    expect(platform.files.keys()).toEqual(expect.arrayContaining(keys));
    for (const job of await platform.jobs('files.remove')) await remove(job, helpers);
    expect(await database.$count(files, isPicture)).toBe(0);
    expect(platform.files.keys().filter((key) => keys.includes(key))).toEqual([]);
  });
});
