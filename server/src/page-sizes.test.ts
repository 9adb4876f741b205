import { allCalls } from '@tara/contract/all';
import { callUrl } from '@tara/contract/url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from './testing/growth/world.ts';

const likedPost = 'liked';

/** Calls of the contract that answer one page, as `posts.feed`. */
const pagedCalls = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls)
    .filter(({ 1: { isPaged } }) => isPaged)
    .map(([name, call]) => ({ name: `${table}.${name}`, call })),
);

type Params = (world: World) => Record<string, string> | Promise<Record<string, string>>;
const commentedReview: Params = async ({ sql }) => (await sql`select min(id) as id from reviews`)[0] ?? {};

/** The size of each page (§7; decisions §1), and what the call needs beside its caller, of whom every list has more. */
const pages: Record<string, { size: number; params?: Params }> = {
  'profiles.people': { size: 20 },
  'profiles.friends': { size: 20 },
  'blocks.blocked': { size: 20 },
  'blocks.muted': { size: 20 },
  'posts.feed': { size: 10 },
  'posts.recent': { size: 10 },
  'posts.popular': { size: 10 },
  'posts.saved': { size: 10 },
  'posts.likers': { size: 20, params: () => ({ id: likedPost }) },
  'posts.byCreator': { size: 10, params: ({ me }) => ({ id: me.profileId }) },
  'verification.pending': { size: 20 },
  'plans.search': { size: 10 },
  'plans.byCreator': { size: 10, params: ({ me }) => ({ id: me.profileId }) },
  'interactions.interactionList': { size: 10, params: () => ({ list: 'history' }) },
  'conversations.list': { size: 10 },
  'notifications.list': { size: 20 },
  'reviews.byOwner': { size: 10, params: ({ me }) => ({ id: me.profileId }) },
  'reviews.comments': { size: 10, params: commentedReview },
  'reports.open': { size: 20 },
  'reports.bannedRequests': { size: 20 },
  'admin.awaitingPlans': { size: 20 },
  'requestCases.disputes': { size: 20 },
  'requestCases.noAnswer': { size: 20 },
  'requestCases.chargebacks': { size: 20 },
  'adminMoney.openMoney': { size: 20, params: () => ({ list: 'failed' }) },
  'adminMoney.unassignedDisputes': { size: 20 },
  'payments.statement': { size: 20 },
};

/** Fills the lists that are short at the smallest share. */
async function giveMore({ sql, me, other }: World): Promise<void> {
  const own = me.profileId;
  const strangers = sql`select id from profiles where id not in (${own}, ${other.profileId}) order by id`;
  await sql`update posts set creator_id = ${own} where id = any(array(select id from posts order by id limit 15))`;
  await sql`insert into posts (id, creator_id, caption, used_dp) values (${likedPost}, ${own}, 'Hi', true)`;
  await sql`insert into post_likes (id, who_liked, post_id) select id, id, ${likedPost} from (${strangers} limit 25) as likers`;
  await sql`insert into saves (id, user_id, post_id) select id, ${own}, id from posts limit 15 on conflict do nothing`;
  await sql`insert into friends (owner_id, friend_id) select ${own}, id from (${strangers} limit 25) as friends`;
  await sql`insert into mutes (muter_id, muted_id) select ${own}, id from (${strangers} limit 25) as members`;
  await sql`insert into blocks (blocker_id, blocked_id, blocker_name, blocked_name)
    select ${own}, id, 'Ana', 'Ben' from (${strangers} offset 25 limit 25) as members`;
  await sql`update reviews set owner_id = ${own} where id = any(array(select id from reviews order by id limit 15))`;
  await sql`update review_comments set review_id = (select min(id) from reviews)`;
}

let world: World;
beforeAll(async () => {
  world = await openWorld(0.01, 0);
  await giveMore(world);
});
afterAll(() => world.close());

it('every list that has pages is in the table', () => {
  expect(pagedCalls.map(({ name }) => name)).toEqual(Object.keys(pages));
});

it('the second page of each list has other items than the first', async () => {
  for (const { name, call } of pagedCalls) {
    const who = call.access === 'admin' ? world.admin : world.me;
    const params = await pages[name]?.params?.(world);
    const read = async (cursor?: string) => {
      const url = callUrl(call, { params, query: { cursor } });
      return (await world.server.request(who, { method: 'GET', url })).json();
    };
    const first = await read();
    const second = await read(first.next);
    const items = [...first.items, ...second.items].map((item: unknown) => JSON.stringify(item));
    expect(second.items.length, name).toBeGreaterThan(0);
    expect(new Set(items).size, name).toBe(items.length);
  }
});

it('each list that has pages fills one of its size, and says where the next begins (§9-page-sizes)', async () => {
  const shown: Record<string, unknown> = {};
  for (const { name, call } of pagedCalls) {
    const who = call.access === 'admin' ? world.admin : world.me;
    const url = callUrl(call, { params: await pages[name]?.params?.(world) });
    const { items, next } = (await world.server.request(who, { method: 'GET', url })).json();
    shown[name] = { size: items.length, next };
  }
  const sizes = Object.entries(pages).map(([name, { size }]) => [name, { size, next: expect.any(String) }]);
  expect(shown).toEqual(Object.fromEntries(sizes));
});
