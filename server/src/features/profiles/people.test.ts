import { profiles } from '@tara/contract/members/profiles';
import { describe, expect } from 'vitest';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { profileRoutes } from './routes.ts';
import { profiles as rows } from './tables.ts';

const test = serverTest((app, platform) => profileRoutes(app, platform)).extend('ana', ({ database }) =>
  insertMember(database, { name: 'Ana' }),
);

describe('people (§7)', () => {
  test('20 a page by last update, without oneself, each once (§7-list-users)', async ({
    database,
    server,
    ana,
  }) => {
    await Promise.all(Array.from({ length: 25 }, () => insertMember(database)));
    await database.update(rows).set({ updatedAt: new Date() });
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

  test('an empty search is none; one that is too long is refused', async ({ server, ana }) => {
    const all = (await server.call(ana, profiles.people)).reply;
    expect((await server.call(ana, profiles.people, { query: { search: ' ' } })).reply).toEqual(all);
    const { status, problem } = await server.call(ana, profiles.people, {
      query: { search: 'x'.repeat(101) },
    });
    expect([status, problem.fields]).toEqual([400, { search: 'Must be at most 100 characters.' }]);
  });
});
