import { describe, expect } from 'vitest';
import { posts } from '../../features/posts/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import { insertBlock } from '../../testing/features/members.ts';
import { addMember } from '../../testing/features/sessions.ts';

const base = documentsTest();

describe.each(sdks)('%s', (name, openSdk) => {
  const test = base
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
    .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben));

  test('posts of a member who is hidden take no place among the 30 that a search finds', async ({
    connection,
    database,
    backend,
    asAna: { query, list },
    ana,
    ben,
  }) => {
    const dee = await addMember(connection, { name: 'Dee Santos' });
    const caption = `bayside${name.replaceAll(/\W/g, '')}`;
    const id = newId();
    const values = (creatorId: string, id: string) => ({ id, creatorId, caption, usedDp: true });
    await database.insert(posts).values(values(ben.profileId, id));
    // The newest are found first.
    await database.insert(posts).values(Array.from({ length: 30 }, () => values(dee.profileId, newId())));
    await insertBlock(database, dee, ana);
    backend.platform.bus.publish('viewerChanged', { accountId: ana.accountId });
    const { documents } = await list('posts', [query.search('caption', caption)]);
    expect(documents.map(({ $id }) => $id)).toEqual([id]);
  });

  test('lists and gets posts (§7-documents-list, §7-documents-get)', async ({
    database,
    asAna: { query, list, get },
    ana,
  }) => {
    const ids = Array.from({ length: 5 }, newId);
    const day = name.includes('13') ? 1 : 2;
    await database.insert(posts).values(
      ids.map((id, second) => ({
        ...{ id, creatorId: ana.profileId, caption: `${name} ${second}`, usedDp: true, tags: ['a', 'b'] },
        updatedAt: new Date(Date.UTC(2024, 0, day, 0, 0, second)),
      })),
    );
    const mine = [
      query.equal('creatorId', ana.profileId),
      query.isNotNull('creator'),
      query.isNotNull('imageUrl'),
      query.between('$updatedAt', `2024-01-0${day}T00:00:00.000Z`, `2024-01-0${day}T01:00:00.000Z`),
      query.orderDesc('$updatedAt'),
      query.limit(2),
    ];
    const first = await list('posts', mine);
    expect(first.documents.map(({ $id }) => $id)).toEqual([ids[4], ids[3]]);
    expect(first.total).toBe(5);
    const second = await list('posts', [...mine, query.cursorAfter(ids[3] ?? '')]);
    expect(second.documents.map(({ $id }) => $id)).toEqual([ids[2], ids[1]]);
    const before = await list('posts', [...mine, query.cursorBefore(ids[1] ?? '')]);
    expect(before.documents.map(({ $id }) => $id)).toEqual([ids[3], ids[2]]);
    const [newest] = first.documents;
    expect(newest).toMatchObject({
      $collectionId: 'posts',
      $databaseId: 'tara',
      $permissions: [
        'read("users/verified")',
        `update("user:${ana.accountId}")`,
        `delete("user:${ana.accountId}")`,
      ],
      $updatedAt: `2024-01-0${day}T00:00:04.000+00:00`,
      caption: `${name} 4`,
      creatorId: ana.profileId,
      creator: { $id: ana.profileId, $collectionId: 'users', name: 'Ana Cruz' },
      imageUrl: 'http://localhost:3000/v1/avatars/initials?name=Ana%20Cruz&project=tara',
      imageId: null,
      tags: ['a', 'b'],
      totalLikes: 0,
    });
    expect(typeof newest?.$sequence).toBe(name.includes('13') ? 'number' : 'string');
    expect(await get('posts', ids[4] ?? '')).toEqual(newest);
    await expect(get('posts', 'none')).rejects.toEqual(refused(404, 'document_not_found'));
    await expect(list('nothing' as 'posts')).rejects.toEqual(refused(404, 'collection_not_found'));
    const unknown = list('posts', [query.cursorAfter('none')]);
    await expect(unknown).rejects.toEqual(refused(400, 'general_cursor_not_found'));
  });

  test('creates, changes and deletes a post of one’s own (§7-documents-create, §7-documents-update, §7-documents-delete)', async ({
    asAna,
    asBen,
    ana,
  }) => {
    const created = await asAna.create(
      'posts',
      'unique()',
      { caption: 'Hello', tags: ['sea', 'sun'], creatorId: ana.profileId, totalLikes: 0 },
      ['read("any")'],
    );
    expect(created).toMatchObject({ caption: 'Hello', tags: ['sea', 'sun'], usedDp: true, location: '' });
    const changed = await asAna.update('posts', created.$id, { ...created, location: 'Cebu', tags: 'a, b' });
    expect(changed).toMatchObject({ caption: 'Hello', location: 'Cebu', tags: ['a', 'b'] });
    await expect(asBen.update('posts', created.$id, { caption: 'Mine' })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(asBen.delete('posts', created.$id)).rejects.toEqual(refused(401, 'user_unauthorized'));
    for (const data of [{ totalLikes: 5 }, { creatorId: 'another' }, { nothing: 1 }, { caption: 5 }]) {
      const structure = refused(
        400,
        'document_invalid_structure',
        expect.stringContaining(Object.keys(data)[0] ?? ''),
      );
      await expect(asAna.update('posts', created.$id, data)).rejects.toEqual(structure);
      await expect(asAna.create('posts', 'unique()', { caption: 'Hi', ...data })).rejects.toEqual(structure);
    }
    await asAna.delete('posts', created.$id);
    await expect(asAna.delete('posts', created.$id)).rejects.toEqual(refused(404, 'document_not_found'));
  });

  test('keeps likes by their composite id, for their member alone, found by a lookup by post and user (§3-liked-post-lookup)', async ({
    asAna,
    asBen,
    ana,
    ben,
    database,
  }) => {
    const postId = newId();
    const twinId = `${postId.slice(0, 8)}${newId().slice(8)}`;
    await database
      .insert(posts)
      .values([postId, twinId].map((id) => ({ id, creatorId: ana.profileId, usedDp: true })));
    const { query } = asBen;
    const lookup = [query.equal('whoLiked', ben.profileId), query.equal('postId', postId)];
    expect(await asBen.list('likedPosts', lookup)).toEqual({ total: 0, documents: [] });
    const data = { postId, whoLiked: ben.profileId };
    const like = await asBen.create('likedPosts', 'unique()', data);
    const id = ben.profileId.slice(0, 8) + postId.slice(0, 8);
    expect(like).toMatchObject({
      ...data,
      $id: id,
      $permissions: expect.arrayContaining([`read("user:${ben.accountId}")`]),
    });
    expect((await asBen.create('likedPosts', 'unique()', data)).$id).toBe(id);
    expect(await asBen.list('likedPosts', lookup)).toEqual({ total: 1, documents: [like] });
    // Another post that begins alike: its like has an id of its own.
    const twin = await asBen.create('likedPosts', 'unique()', { postId: twinId });
    expect(twin.$id).toMatch(new RegExp(`^${id}\\.[0-9a-f]{19}$`));
    expect(await asAna.get('posts', postId)).toMatchObject({ totalLikes: 1 });
    await expect(asAna.get('likedPosts', id)).rejects.toEqual(refused(404, 'document_not_found'));
    await expect(asAna.delete('likedPosts', id)).rejects.toEqual(refused(404, 'document_not_found'));
    expect(await asAna.list('likedPosts', lookup)).toEqual({ total: 0, documents: [] });
    // Nor is it a document after which her list goes on.
    await expect(asAna.list('likedPosts', [query.cursorAfter(id)])).rejects.toEqual(
      refused(400, 'general_cursor_not_found'),
    );
    await asBen.delete('likedPosts', id);
    expect(await asBen.get('likedPosts', twin.$id)).toEqual(twin);
    expect(await asAna.get('posts', postId)).toMatchObject({ totalLikes: 0 });
    await expect(asBen.update('likedPosts', twin.$id, { postId })).rejects.toEqual(
      refused(401, 'user_unauthorized'),
    );
    await expect(
      asBen.create('likedPosts', 'unique()', { ...data, whoLiked: ana.profileId }),
    ).rejects.toEqual(refused(400, 'document_invalid_structure', expect.stringContaining('whoLiked')));
    await expect(asBen.create('likedPosts', 'unique()', { postId: 'none' })).rejects.toEqual(
      refused(404, 'document_not_found'),
    );
  });

  test('saves a post once, with its creator', async ({ asAna, asBen, ana, ben, database }) => {
    const postId = newId();
    await database
      .insert(posts)
      .values({ id: postId, creatorId: ana.profileId, caption: 'Kept', usedDp: true });
    const save = await asBen.create('saves', 'unique()', { postId, userId: ben.profileId });
    expect(save).toMatchObject({
      ...{ $id: ben.profileId.slice(0, 8) + postId.slice(0, 8), postId, userId: ben.profileId },
      post: { $id: postId, $collectionId: 'posts', caption: 'Kept', creator: { name: 'Ana Cruz' } },
    });
    await expect(asBen.create('saves', 'unique()', { postId })).rejects.toEqual(
      refused(409, 'document_already_exists'),
    );
    const mine = await asBen.list('saves', [asBen.query.orderDesc('$createdAt'), asBen.query.limit(1)]);
    expect(mine.documents).toEqual([save]);
    expect((await asAna.list('saves')).documents).toEqual([]);
    await asBen.delete('saves', save.$id);
    await expect(asBen.get('saves', save.$id)).rejects.toEqual(refused(404, 'document_not_found'));
  });
});
