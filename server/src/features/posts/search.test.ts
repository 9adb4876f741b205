import { searchLength } from '@tara/contract/limits';
import { posts } from '@tara/contract/posts/posts';
import { sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { postRoutes } from './routes.ts';
import { posts as rows } from './tables.ts';

const test = serverTest((app, platform) => postRoutes(app, platform))
  .extend('ana', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend(
    'publish',
    { scope: 'file' },
    ({ database, ana }) =>
      async (...contents: Partial<typeof rows.$inferInsert>[]) => {
        await database.delete(rows);
        await database
          .insert(rows)
          .values(contents.map((post) => ({ id: newId(), creatorId: ana.profileId, usedDp: true, ...post })));
      },
  )
  .extend('find', { scope: 'file' }, ({ server, ana }) => async (search: string) => {
    const { reply } = await server.call(ana, posts.search, { query: { search } });
    return reply.items.map(({ caption }) => caption);
  });

describe('search of posts', () => {
  test('finds by caption, tag and place, whatever the accents and the case (§7-search-posts)', async ({
    publish,
    find,
  }) => {
    await publish(
      { caption: 'Crème BRÛLÉE at noon' },
      { caption: 'two', tags: ['Peñafrancia', 'sea'] },
      { caption: 'three', location: 'Łódź, Poland' },
      { caption: 'Don’t stop, 한국!' },
    );
    for (const [search, caption] of [
      ['creme brulee', 'Crème BRÛLÉE at noon'],
      ['CRÈME', 'Crème BRÛLÉE at noon'],
      ['#penafrancia', 'two'],
      ['lodz', 'three'],
      ["DON'T", 'Don’t stop, 한국!'],
      ['한국', 'Don’t stop, 한국!'],
    ] as const)
      expect(await find(search), search).toEqual([caption]);
  });

  test('every word counts, in any of the texts, and the last one also as a beginning', async ({
    publish,
    find,
  }) => {
    await publish(
      { caption: 'sunset walk', tags: ['beach'] },
      { caption: 'sunset', location: 'Cebu' },
      { caption: 'beach' },
    );
    expect(await find('beach sunset')).toEqual(['sunset walk']);
    expect(await find('walk bea')).toEqual(['sunset walk']);
    // A beginning is only searched at the end.
    expect(await find('bea walk')).toEqual([]);
    expect(await find('unset')).toEqual([]);
  });

  test('the best is first: the whole word, then tag before place before caption, then the newest', async ({
    publish,
    find,
  }) => {
    await publish(
      { caption: 'caption: reef' },
      { caption: 'newer caption: reef' },
      { caption: 'place', location: 'Reef' },
      { caption: 'tag', tags: ['reef'] },
      { caption: 'tag begins', tags: ['reefs'] },
    );
    expect(await find('reef')).toEqual([
      'tag',
      'place',
      'newer caption: reef',
      'caption: reef',
      'tag begins',
    ]);
  });

  test('what is an operator elsewhere is text here (threat-injected-queries)', async ({ publish, find }) => {
    await publish({ caption: 'rock & roll :*' }, { caption: 'roll' });
    for (const search of ['rock & roll', "rock' | 'roll", 'rock:* !roll', '%rock% roll\\', 'rock <-> (roll)'])
      expect(await find(search), search).toEqual(['rock & roll :*']);
    for (const search of ['&', '🙂', '\u0301']) expect(await find(search), search).toEqual([]);
  });

  test('a word counts by its first 40 characters', async ({ publish, find }) => {
    await publish({ caption: 'x'.repeat(5000) });
    expect(await find('x'.repeat(60))).toHaveLength(1);
    expect(await find('x'.repeat(39))).toHaveLength(1);
  });

  test('looks through all slices, and ends at the newest 2,000 hits (threat-injected-queries)', async ({
    database,
    ana,
    publish,
    find,
  }) => {
    await publish({ caption: 'oldest common', tags: ['rare'] });
    await database.execute(sql`
      insert into posts (id, creator_id, used_dp, caption)
      select 'filler' || number, ${ana.profileId}, true, case when number % 2 = 0 then 'common' else 'other' end
      from generate_series(1, 4400) as number`);
    expect(await find('rare common')).toEqual(['oldest common']);
    // The best by its words, but older than 2,000 others.
    await database.execute(sql`update posts set location = 'common' where 'rare' = any(tags)`);
    const captions = await find('common');
    expect(captions).toHaveLength(30);
    expect(captions).not.toContain('oldest common');
    const keepNewest = (count: number) =>
      database.execute(sql`update posts set caption = '' where id in (
        select id from posts where caption = 'common' order by number desc offset ${count})`);
    await keepNewest(2_000);
    expect(await find('common')).not.toContain('oldest common');
    await keepNewest(1_999);
    expect(await find('common')).toContain('oldest common');
    await database.execute(sql`update posts set caption = '' where id like 'filler%'`);
    expect(await find('common')).toEqual(['oldest common']);
  });

  test('asks each record in exactly one slice, whatever the last number', async ({ connection }) => {
    for (const last of [0, 1, 1023, 1024, 32_767, 32_768, 65_535, 65_536, 98_304, 1_000_000]) {
      const rows = await connection.sql<{ number: number; slices: number }[]>`
        select number, slices from (
          select number, (select count(*) from search_slices(${last}) as slice
            where slice in (search_slice('s', number >> 10), search_slice('l', number >> 15))) as slices
          from (select generate_series(0, ${last}::bigint, 512) union select ${last}::bigint) as numbers (number)) as counted
        where slices <> 1`;
      expect([...rows], `${last} records`).toEqual([]);
    }
  });

  test('finds old records in large slices, the newest first', async ({ database, ana, publish, find }) => {
    await publish({ caption: 'far 1' });
    for (const caption of ['far 2', 'far 3', 'far 4']) {
      await database.execute(sql`select setval('posts_number_seq', nextval('posts_number_seq') + 40000)`);
      await database.insert(rows).values({ id: newId(), creatorId: ana.profileId, usedDp: true, caption });
    }
    expect(await find('far')).toEqual(['far 4', 'far 3', 'far 2', 'far 1']);
    expect(await find('far 1')).toEqual(['far 1']);
  });

  test('a changed post is found by its new words only', async ({ server, ana, publish, find }) => {
    await publish({ id: 'changed', caption: 'old words' });
    const body = { postId: 'changed', caption: 'new words', location: '', tags: '' };
    expect((await server.call(ana, posts.update, { body })).status).toBe(200);
    expect(await find('old')).toEqual([]);
    expect(await find('new')).toEqual(['new words']);
  });

  test.for([
    ['', 'Must not be empty.'],
    ['  ', 'Must not be empty.'],
    ['x'.repeat(searchLength + 1), 'Must be at most 100 characters.'],
    ['a\u0000b', expect.any(String)],
  ] as const)('refuses %j and says why', async ([search, rule], { server, ana }) => {
    const { status, problem } = await server.call(ana, posts.search, { query: { search } });
    expect([status, problem.type]).toEqual([400, 'general_argument_invalid']);
    expect(problem.fields).toMatchObject({ search: rule });
  });
});
