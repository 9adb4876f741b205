import { readFile } from 'node:fs/promises';
import { describe, expect, test as plainTest } from 'vitest';
import { posts } from '../../features/posts/index.ts';
import { newId } from '../../platform/ids.ts';
import { documentsTest, refused, sdks } from '../../testing/backend/documents.ts';
import type { TestMember } from '../../testing/features/sessions.ts';
import { collections } from './collections/all.ts';
import { parseQueries } from './queries.ts';

const json = (method: string, values: unknown[] = [], attribute?: string) =>
  JSON.stringify({ method, attribute, values });

const test = documentsTest();

describe.each(sdks)('queries that apps ask often, with %s', (_name, openSdk) => {
  test('posts by tag, and by the date methods of some versions', async ({
    backend,
    connection,
    ana,
    ben,
  }) => {
    const sdk = openSdk(backend.url, ben);
    const tag = newId();
    const days = ['2024-03-01', '2024-03-02', '2024-03-03'];
    const ids = days.map(() => newId());
    await connection.database.insert(posts).values(
      days.map((day, index) => ({
        ...{
          id: ids[index] ?? '',
          creatorId: ana.profileId,
          caption: day,
          tags: [tag, `${tag}${index}`],
          usedDp: true,
        },
        ...{ createdAt: new Date(day), updatedAt: new Date(day) },
      })),
    );
    const listed = async (...queries: string[]) =>
      (await sdk.list('posts', queries)).documents.map(({ $id }) => ids.indexOf($id));
    const tagged = json('contains', [tag], 'tags');
    expect(await listed(tagged)).toEqual([0, 1, 2]);
    expect(await listed(json('contains', [`${tag}1`], 'tags'))).toEqual([1]);
    const two = [`${tag}0`, `${tag}1`];
    for (const some of ['contains', 'containsAny'])
      expect(await listed(json(some, two, 'tags'))).toEqual([0, 1]);
    expect(await listed(json('containsAll', [tag, `${tag}1`], 'tags'))).toEqual([1]);
    expect(await listed(tagged, json('notContains', two, 'tags'))).toEqual([2]);
    // Stored tags are folded: a spelling of wide letters finds them.
    const wide = tag.replace(/./g, (letter) => String.fromCodePoint(0xfee0 + (letter.codePointAt(0) ?? 0)));
    expect(await listed(json('contains', [wide], 'tags'))).toEqual([0, 1, 2]);
    const [, middle = ''] = days;
    for (const which of ['created', 'updated']) {
      expect(await listed(tagged, json(`${which}Before`, [middle]))).toEqual([0]);
      expect(await listed(tagged, json(`${which}After`, [middle]))).toEqual([2]);
      const attribute = `$${which}At`;
      expect(await listed(tagged, json('lessThanEqual', [middle], attribute))).toEqual([0, 1]);
      expect(await listed(tagged, json('greaterThanEqual', [middle], attribute))).toEqual([1, 2]);
      expect(await listed(tagged, json(`${which}Between`, [middle, '2024-03-09']))).toEqual([1, 2]);
      expect(await listed(`contains("tags", ["${tag}"])`, `${which}Before("${middle}")`)).toEqual([0]);
    }
    expect(await listed(tagged, json('exists', ['imageUrl', 'creator']))).toEqual([0, 1, 2]);
    expect(await listed(tagged, json('notExists', ['imageId']))).toEqual([0, 1, 2]);
    // Never null: without a picture it is that of the initials.
    expect(await listed(tagged, json('isNull', [], 'imageUrl'))).toEqual([]);
    // As text, as newer versions show it, and as a number.
    const [, second] = (await sdk.list('posts', [tagged])).documents;
    const sequence = String(second?.$sequence);
    expect(await listed(tagged, json('equal', [sequence], '$sequence'))).toEqual([1]);
    expect(await listed(tagged, json('greaterThan', [Number(sequence)], '$sequence'))).toEqual([2]);
    await expect(sdk.list('posts', [json('equal', ['x1'], '$sequence')])).rejects.toEqual(
      refused(400, 'general_query_invalid', expect.stringContaining('$sequence')),
    );
    for (const query of [json('orderRandom'), json('orderDesc', [], 'location')])
      await expect(sdk.list('posts', [query])).rejects.toEqual(
        refused(400, 'general_query_invalid', expect.stringMatching(/orderRandom|location/)),
      );
  });

  test('posts in the order of their likes, page by page, and those with so many', async ({
    backend,
    connection,
    ana,
    ben,
    cora,
  }) => {
    const sdk = openSdk(backend.url, ben);
    const tag = newId();
    // Two have as many likes: the later id comes first.
    const ids = [0, 1, 2, 3].map((index) => `${tag}${index}`);
    await connection.database
      .insert(posts)
      .values(ids.map((id) => ({ id, creatorId: ana.profileId, tags: [tag], usedDp: true })));
    const likes: [who: TestMember, index: number][] = [
      [ana, 0],
      [ben, 0],
      [cora, 0],
      [ana, 1],
      [ana, 3],
      [ben, 3],
      [ben, 1],
    ];
    for (const [who, index] of likes)
      await openSdk(backend.url, who).create('likedPosts', newId(), { postId: ids[index] });
    const listed = async (...queries: string[]) =>
      (await sdk.list('posts', [json('contains', [tag], 'tags'), ...queries])).documents;
    const places = async (...queries: string[]) =>
      (await listed(...queries)).map(({ $id }) => ids.indexOf($id));
    const [byLikes, two] = [json('orderDesc', [], 'totalLikes'), json('limit', [2])];
    expect(await places(byLikes)).toEqual([0, 3, 1, 2]);
    expect(await places(json('orderAsc', [], 'totalLikes'))).toEqual([2, 1, 3, 0]);
    expect(await places(byLikes, two)).toEqual([0, 3]);
    expect(await places(byLikes, two, json('cursorAfter', [ids[3]]))).toEqual([1, 2]);
    expect(await places(byLikes, two, json('cursorBefore', [ids[1]]))).toEqual([0, 3]);
    expect(await places('orderDesc("totalLikes")', 'limit(1)')).toEqual([0]);
    expect(await places(json('greaterThan', [2], 'totalLikes'))).toEqual([0]);
    expect(await places(json('equal', [0], 'totalLikes'))).toEqual([2]);
    // Taking a like back moves a post, and its totals are of one number.
    const [like] = (await openSdk(backend.url, ben).list('likedPosts', [json('equal', [ids[3]], 'postId')]))
      .documents;
    await openSdk(backend.url, ben).delete('likedPosts', like?.$id ?? '');
    expect((await listed(byLikes)).map(({ $id, totalLikes }) => [ids.indexOf($id), totalLikes])).toEqual([
      [0, 3],
      [1, 2],
      [3, 1],
      [2, 0],
    ]);
  });

  test('members by username, and oneself by email; by no email of another and by no verification (threat-guessed-ids)', async ({
    backend,
    connection,
    ana,
    ben,
  }) => {
    const asAna = openSdk(backend.url, ana);
    const asBen = openSdk(backend.url, ben);
    const list = async (sdk: typeof asAna, ...queries: string[]) =>
      (await sdk.list('users', queries)).documents.map(({ $id }) => $id);
    const username = `n${newId().slice(0, 8)}`;
    await connection.sql`update profiles set username = ${username} where id = ${ana.profileId}`;
    expect(await list(asBen, json('equal', [username.toUpperCase()], 'username'))).toEqual([ana.profileId]);
    expect(await list(asBen, json('startsWith', [username.slice(0, 6)], 'username'))).toEqual([
      ana.profileId,
    ]);

    // The same queries of two members, one after the other: what is kept of a request holds for one of them.
    const byEmail = json('equal', [ana.email.toUpperCase()], 'email');
    expect(await list(asAna, byEmail)).toEqual([ana.profileId]);
    expect(await list(asBen, byEmail)).toEqual([]);
    expect(await list(asAna, byEmail)).toEqual([ana.profileId]);
    const others = [
      json('notEqual', ['x'], 'email'),
      json('startsWith', [''], 'email'),
      json('isNotNull', [], 'email'),
      json('notContains', ['nothing'], 'email'),
      JSON.stringify({
        method: 'or',
        values: [JSON.parse(byEmail), { method: 'isNotNull', attribute: 'email', values: [] }],
      }),
    ];
    for (const query of others) {
      expect([query, await list(asAna, query)]).toEqual([query, [ana.profileId]]);
      expect([query, await list(asBen, query)]).toEqual([query, [ben.profileId]]);
    }
    for (const query of [json('orderAsc', [], 'email'), json('equal', [true], 'verified')])
      await expect(asBen.list('users', [query])).rejects.toEqual(
        refused(400, 'general_query_invalid', expect.stringMatching(/email|verified/)),
      );
  });
});

plainTest('the date methods and `exists` are filters, also inside and/or', () => {
  const inside = JSON.stringify({
    method: 'or',
    values: [
      { method: 'createdAfter', values: ['2024-01-01'] },
      { method: 'exists', values: ['a', 'b'] },
    ],
  });
  expect(parseQueries([inside])).toEqual([
    {
      method: 'or',
      values: [
        { method: 'greaterThan', attribute: '$createdAt', values: ['2024-01-01'] },
        {
          method: 'and',
          values: [
            { method: 'isNotNull', attribute: 'a', values: [] },
            { method: 'isNotNull', attribute: 'b', values: [] },
          ],
        },
      ],
    },
  ]);
});

plainTest('docs/backend-service.md lists what each collection can be asked by', async () => {
  const page = await readFile(new URL('../../../../docs/backend-service.md', import.meta.url), 'utf8');
  const [, table = ''] = page.split('| Collection | Can be asked by |\n| --- | --- |\n');
  const rows = (table.split('\n\n')[0] ?? '').split('\n').map((row) => {
    const [id = '', ...attributes] = [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    return [id, attributes.filter((name) => name !== 'search' && name !== 'contains').sort()];
  });
  const askable = Object.entries(collections).map(([id, { source }]) => [
    id,
    Object.entries(source.attributes)
      .filter(([, attribute]) => attribute.indexed || ('search' in attribute && attribute.search))
      .map(([name]) => name)
      .sort(),
  ]);
  expect(rows).toEqual(askable);
});
