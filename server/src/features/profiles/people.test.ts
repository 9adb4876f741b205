import { nowDate } from '@tara/contract/clock';
import { profiles } from '@tara/contract/members/profiles';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { serverTest } from '../../testing/test.ts';
import { profileRoutes } from './routes.ts';
import { profiles as rows } from './tables.ts';

const test = serverTest((app, platform) => profileRoutes(app, platform)).extend('ana', ({ database }) =>
  insertMember(database, { name: 'Ana' }),
);

describe('people (§7)', () => {
  test('20 a page, without oneself, each once (§7-list-users)', async ({ database, server, ana }) => {
    await Promise.all(Array.from({ length: 25 }, () => insertMember(database)));
    await database.update(rows).set({ updatedAt: nowDate() });
    const first = (await server.call(ana, profiles.people)).reply;
    expect(first.items).toHaveLength(20);
    const seen = first.items.map(({ id }) => id);
    for (let cursor = first.next; cursor; ) {
      const page = (await server.call(ana, profiles.people, { query: { cursor } })).reply;
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength((await database.$count(rows)) - 1);
    expect(seen).not.toContain(ana.profileId);
  });

  test('those of the viewer’s city come first, and in both parts the more complete profiles, each once (§7-list-users)', async ({
    database,
    server,
    ana,
  }) => {
    const set = (id: string, values: Partial<typeof rows.$inferInsert>) =>
      database.update(rows).set(values).where(eq(rows.id, id));
    await set(ana.profileId, { city: 'Cebu City' });
    const names = ['empty', 'meetings', 'verified', 'bio', 'photo'] as const;
    const imageId = await insertPicture(database, { ownerAccountId: ana.accountId });
    const complete = [
      {},
      { totalInteraction: 1 },
      { totalInteraction: 3, verified: true },
      { verified: true, bio: 'I dive.' },
      { imageId },
    ];
    const wanted: string[] = [];
    for (const city of ['', ' CEBU city']) {
      const part: string[] = [];
      for (const [index, name] of names.entries()) {
        // The emptier profiles were changed later.
        const updatedAt = new Date(Date.UTC(2100, 0, 9 - index));
        const { profileId } = await insertMember(database, { name, city });
        await set(profileId, { verified: null, ...complete[index], updatedAt });
        part.unshift(profileId);
      }
      wanted.unshift(...part);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await server.call(ana, profiles.people, { query: cursor ? { cursor } : {} })).reply;
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next ?? undefined;
    } while (cursor);
    const mine = new Set(wanted);
    expect(seen.slice(0, 5)).toEqual(wanted.slice(0, 5));
    expect(seen.filter((id) => mine.has(id))).toEqual(wanted);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('a page that ends in the viewer’s city goes on with the others', async ({ database, server, ana }) => {
    await database.update(rows).set({ city: 'Davao' }).where(eq(rows.id, ana.profileId));
    const near = await Promise.all(
      Array.from({ length: 21 }, () => insertMember(database, { city: 'davao' })),
    );
    const first = (await server.call(ana, profiles.people)).reply;
    expect(first.items.every(({ city }) => city === 'davao')).toBe(true);
    const second = (await server.call(ana, profiles.people, { query: { cursor: first.next ?? '' } })).reply;
    expect(second.items.filter(({ city }) => city === 'davao')).toHaveLength(near.length - 20);
    expect(second.items.length).toBeGreaterThan(1);
  });

  test.for(['zzzz.abc', 'zzzz.towns.3.abc'])(
    'the cursor %s of another list is refused',
    async (text, { server, ana }) => {
      const cursor = Buffer.from(text).toString('base64url');
      expect((await server.call(ana, profiles.people, { query: { cursor } })).problem.type).toBe(
        'general_cursor_not_found',
      );
    },
  );

  test('a member is listed and found with their own picture', async ({ database, server, ana }) => {
    const [imageId] = await Promise.all(
      [1, 2].map(() => insertPicture(database, { ownerAccountId: ana.accountId })),
    );
    await database.update(rows).set({ city: 'Iloilo' }).where(eq(rows.id, ana.profileId));
    const { profileId } = await insertMember(database, { name: 'Wilma Sy', city: 'Iloilo', imageId });
    for (const query of [{}, { search: 'Wilma' }]) {
      const { items } = (await server.call(ana, profiles.people, { query })).reply;
      expect(items.filter(({ id }) => id === profileId)).toMatchObject([{ picture: { imageId } }]);
    }
  });

  test('search finds by name, username and hobby, whatever the accents and the case; every word counts (§7-search-users)', async ({
    database,
    server,
    ana,
  }) => {
    await insertMember(database, { name: 'José Zurita', username: 'joz', hobby: 'free diving, reefs' });
    await insertMember(database, { name: 'zurich', username: 'zzz', hobby: 'chess' });
    await insertMember(database, { name: 'Reef Santos', username: 'reef' });
    for (const [search, names] of [
      ['zur', ['José Zurita', 'zurich']],
      ['ZURITA', ['José Zurita']],
      ['jose z', ['José Zurita']],
      ['chess zzz', ['zurich']],
      ['reef', ['Reef Santos', 'José Zurita']],
      ['urich', []],
      ['%zur_', ['José Zurita', 'zurich']],
      ['&', []],
    ] as const) {
      const { items, next } = (await server.call(ana, profiles.people, { query: { search } })).reply;
      const people = items.map(({ name }) => name);
      expect(names.length === 2 && names[0] === 'Reef Santos' ? people : people.sort(), search).toEqual([
        ...names,
      ]);
      expect(next).toBeNull();
    }
    expect(
      (await server.call(ana, profiles.people, { query: { search: 'Ana' } })).reply.items,
    ).not.toContainEqual(expect.objectContaining({ id: ana.profileId }));
  });

  test('whoever never confirmed an email, or deleted the account, is neither listed nor found (§7-list-users, §7-search-users)', async ({
    database,
    server,
    ana,
  }) => {
    // The most complete profiles of all, so that they are on the first page.
    const complete = {
      city: 'Naga',
      bio: 'Hello',
      verified: true,
      totalInteraction: 1,
      name: 'Quentin Cruz',
    };
    await database.update(rows).set({ city: 'Naga' }).where(eq(rows.id, ana.profileId));
    const stranger = await insertMember(database, { ...complete, confirmed: false });
    const deleted = await insertMember(database, { ...complete, deletedAt: nowDate() });
    const member = await insertMember(database, complete);
    for (const query of [{}, { search: 'Quentin' }]) {
      const { items } = (await server.call(ana, profiles.people, { query })).reply;
      const ids = items.map(({ id }) => id);
      expect(ids).toContain(member.profileId);
      expect(ids).not.toContain(stranger.profileId);
      expect(ids).not.toContain(deleted.profileId);
    }
  });

  test('an empty search is none; one that is too long is refused', async ({ server, ana }) => {
    const all = (await server.call(ana, profiles.people)).reply;
    expect((await server.call(ana, profiles.people, { query: { search: ' ' } })).reply).toEqual(all);
    const { status, problem } = await server.call(ana, profiles.people, {
      query: { search: 'x'.repeat(101) },
    });
    expect([status, problem.fields]).toEqual([400, { search: 'Must be at most 100 characters.' }]);
  });
});
