import { nowDate } from '@tara/contract/clock';
import { plans as calls } from '@tara/contract/plans/plans';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertInteraction } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { test as planTest } from '../../testing/features/plans.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { plans } from './tables.ts';

type Filter = Record<string, string | number>;

const test = planTest
  .extend('offer', { scope: 'file' }, ({ database, creator }) => {
    return async (...contents: (Partial<typeof plans.$inferInsert> & { title: string })[]) => {
      await database.delete(interactions);
      await database.delete(plans);
      const rows = contents.map((content) => ({
        ...{ id: newId(), creatorId: creator.profileId, priceCentavos: 0, terms: 'Be kind.', ...content },
      }));
      // One after the other: the numbers follow the order.
      for (const row of rows) await database.insert(plans).values(row);
      return rows.map(({ id }) => id);
    };
  })
  .extend('find', { scope: 'file' }, ({ server, visitor }) => {
    return async (query: Filter, who: Member = visitor) =>
      (await server.call(who, calls.search, { query })).reply.items.map(({ title }) => title);
  });

describe('search of plans', () => {
  test('finds by title, description and place, whatever the accents and the case, newest first', async ({
    offer,
    find,
  }) => {
    await offer(
      { title: 'Island day', description: 'Three islands, lunch on the sand' },
      { title: 'Café crawl', place: 'Legazpi Village, Makati' },
      { title: 'Night walk', description: 'Through Makati at night', place: 'Poblacion' },
    );
    expect(await find({})).toEqual(['Night walk', 'Café crawl', 'Island day']);
    expect(await find({ search: 'CAFE' })).toEqual(['Café crawl']);
    expect(await find({ search: 'lunch isl' })).toEqual(['Island day']);
    expect(await find({ search: 'makati' })).toEqual(['Night walk', 'Café crawl']);
    expect(await find({ search: 'island night' })).toEqual([]);
    expect(await find({ search: '!?' })).toEqual([]);
    expect(await find({ search: '' })).toHaveLength(3);
  });

  test('finds by the words of the place alone, with other words too', async ({ offer, find }) => {
    await offer(
      { title: 'Makati by night', description: 'Makati', place: 'Meet in Pasay' },
      { title: 'Coffee', place: 'Legazpi Village, Makati' },
      { title: 'Walk', place: 'Salcedo Village, Makati' },
      { title: 'Dive', place: 'Cebu', description: 'We meet in Makati' },
    );
    expect(await find({ place: 'makati' })).toEqual(['Walk', 'Coffee']);
    expect(await find({ place: 'makati leg' })).toEqual(['Coffee']);
    expect(await find({ place: 'village', search: 'walk' })).toEqual(['Walk']);
    expect(await find({ place: "'; drop table plans --" })).toEqual([]);
    // Texts without a word.
    for (const place of ['😀', '"😀"', '!', "''"]) expect(await find({ place }), place).toEqual([]);
  });

  test('finds by a range of prices, and refuses one that is upside down', async ({
    server,
    visitor,
    offer,
    find,
  }) => {
    await offer(
      { title: 'Free' },
      { title: 'Small', priceCentavos: 100_00 },
      { title: 'Large', priceCentavos: 750_50 },
    );
    expect(await find({ maxPrice: 0 })).toEqual(['Free']);
    expect(await find({ minPrice: 100 })).toEqual(['Large', 'Small']);
    expect(await find({ minPrice: 1, maxPrice: 750 })).toEqual(['Small']);
    expect(await find({ minPrice: 100, maxPrice: 100 })).toEqual(['Small']);
    expect(await find({ search: 'large', maxPrice: 751 })).toEqual(['Large']);
    const { problem } = await server.call(visitor, calls.search, { query: { minPrice: 5, maxPrice: 4 } });
    expect(problem).toMatchObject({
      type: 'general_argument_invalid',
      fields: { maxPrice: 'Must not be less than the lowest price.' },
    });
  });

  test('leaves out creators whose time is taken on the day, by what holds its time', async ({
    database,
    creator,
    offer,
    find,
  }) => {
    const [planId = ''] = await offer({ title: 'Island day' });
    const client = await insertMember(database, { verified: true });
    // 21:00 in Manila, until 23:00.
    const time = { meetsAt: new Date('2030-05-10T13:00:00Z'), meetsUntil: new Date('2030-05-10T15:00:00Z') };
    const request = await insertInteraction(database, { creator, client, planId }, time);
    const on = (day: string) => find({ search: 'island', day });
    // Neither accepted nor paid.
    expect(await on('2030-05-10')).toEqual(['Island day']);
    await database.update(interactions).set({ acceptedAt: nowDate() }).where(eq(interactions.id, request));
    expect(await on('2030-05-10')).toEqual([]);
    expect(await on('2030-05-09')).toEqual(['Island day']);
    expect(await on('2030-05-11')).toEqual(['Island day']);
    await database
      .update(interactions)
      .set({ cancelledAt: nowDate(), cancelledBy: client.profileId, cancelReason: 'withdrawn' })
      .where(eq(interactions.id, request));
    expect(await on('2030-05-10')).toEqual(['Island day']);
  });

  test('finds no closed or removed plan, and none of a creator who is not verified or is hidden', async ({
    database,
    offer,
    find,
  }) => {
    const [paused, blocked] = [
      await insertMember(database),
      await insertMember(database, { verified: true }),
    ];
    const viewer = await insertMember(database);
    await offer(
      { title: 'Open' },
      { title: 'Closed', closedAt: nowDate() },
      { title: 'Removed', removedAt: nowDate() },
      { title: 'Paused', creatorId: paused.profileId },
      { title: 'Other', creatorId: blocked.profileId },
    );
    expect(await find({}, viewer)).toEqual(['Other', 'Open']);
    await database.update(profiles).set({ deletedAt: nowDate() }).where(eq(profiles.id, blocked.profileId));
    expect(await find({}, viewer)).toEqual(['Open']);
  });

  test.for([{}, { search: 'day' }, { place: 'manila' }])(
    'pages %j without gap or repeat, over slices of the search',
    async (filter, { database, server, visitor, offer }) => {
      await offer(...Array.from({ length: 25 }, (_, index) => ({ title: `Day ${index}`, place: 'Manila' })));
      // As if 3,000 plans were between the older and the newer ones.
      await database.execute(sql`alter table plans alter column number set generated by default`);
      await database.execute(sql`update plans set number = number + 3000
        where number > (select min(number) + 11 from plans)`);
      await database.execute(sql`select setval('plans_number_seq', (select max(number) from plans))`);
      await database.execute(sql`alter table plans alter column number set generated always`);
      const titles: string[] = [];
      let cursor: string | undefined;
      const sizes: number[] = [];
      do {
        const { reply } = await server.call(visitor, calls.search, { query: { ...filter, cursor } });
        titles.push(...reply.items.map(({ title }) => title));
        sizes.push(reply.items.length);
        cursor = reply.next ?? undefined;
      } while (cursor !== undefined);
      expect(sizes).toEqual([10, 10, 5]);
      expect(titles).toEqual(Array.from({ length: 25 }, (_, index) => `Day ${24 - index}`));
    },
  );

  test('refuses a cursor of another list', async ({ server, visitor, madeBy, creator }) => {
    for (let count = 0; count < 11; count++) await madeBy(creator);
    const own = await server.call(visitor, calls.byCreator, { params: { id: creator.profileId } });
    const { problem } = await server.call(visitor, calls.search, { query: { cursor: own.reply.next ?? '' } });
    expect(problem.type).toBe('general_cursor_not_found');
  });
});
