import { describe, expect } from 'vitest';
import { posts } from '../../features/posts/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks } from '../../testing/documents.ts';

const base = documentsTest();

describe.each(sdks)('%s', (name, openSdk) => {
  const test = base
    .extend('asAna', ({ backend, ana }) => openSdk(backend.url, ana))
    .extend('asBen', ({ backend, ben }) => openSdk(backend.url, ben));

  test('lists and gets posts', async ({ database, asAna: { query, list, get }, ana }) => {
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
      imageUrl: '/v1/avatars/initials?name=Ana%20Cruz',
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

  test('creates, changes and deletes a post of one’s own', async ({ asAna, asBen, ana }) => {
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
});
