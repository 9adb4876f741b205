import { nowDate } from '@tara/contract/clock';
import { blocks } from '@tara/contract/members/blocks';
import { search } from '@tara/contract/search';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { blockRoutes } from '../blocks/index.ts';
import { plans } from '../plans/index.ts';
import { posts } from '../posts/index.ts';
import { profiles } from '../profiles/index.ts';
import { searchRoutes } from './routes.ts';

const test = serverTest((app, platform) => {
  searchRoutes(app, platform);
  blockRoutes(app, platform);
})
  /** A word that only this test's records have. */
  .extend('word', () => `w${newId()}`)
  .extend('me', ({ database }) => insertMember(database, { name: 'Lia Luna' }))
  .extend('ana', ({ database, word }) =>
    insertMember(database, { name: 'Ana Cruz', hobby: `${word}, reading`, verified: true }),
  )
  .extend('post', ({ database }) => async (creator: Member, caption: string, tags: string[] = []) => {
    const id = newId();
    await database.insert(posts).values({ id, creatorId: creator.profileId, caption, tags, usedDp: true });
    return id;
  })
  .extend('find', ({ server, me }) => async (text: string, who: Member = me) => {
    const { reply } = await server.call(who, search.all, { query: { search: text } });
    return {
      people: reply.people.map(({ id }) => id),
      plans: reply.plans.map(({ id }) => id),
      posts: reply.posts.map(({ id }) => id),
    };
  });

test('people, plans and posts with all words are found together, by tags as well', async ({
  database,
  word,
  me,
  ana,
  post,
  find,
  server,
}) => {
  const planId = await insertPlan(database, ana, { title: `Walk ${word}`, priceCentavos: 250_00 });
  const byCaption = await post(ana, `${word} ${'x'.repeat(200)}`);
  const byTag = await post(ana, 'Nothing else', [word]);
  await post(ana, 'Something else');
  expect(await find(word)).toEqual({
    ...{ people: [ana.profileId], plans: [planId] },
    // A tag counts more than a caption.
    posts: [byTag, byCaption],
  });
  // The last word also as a beginning.
  expect((await find(word.slice(0, 12))).people).toEqual([ana.profileId]);
  expect(await find(`${word} nowhere`)).toEqual({ people: [], plans: [], posts: [] });
  const { reply } = await server.call(me, search.all, { query: { search: word } });
  expect(reply.plans).toEqual([
    expect.objectContaining({
      ...{ id: planId, title: `Walk ${word}`, price: 250 },
      cover: expect.objectContaining({ imageUrl: expect.stringContaining('/preview') }),
      creator: expect.objectContaining({
        ...{ id: ana.profileId, name: 'Ana Cruz', verified: true },
        picture: expect.objectContaining({ imageId: null, alt: 'Ana Cruz' }),
      }),
    }),
  ]);
  expect(reply.posts[1]?.caption).toHaveLength(100);
});

test('five of each kind are answered, the best or newest', async ({ database, word, ana, post, find }) => {
  const planIds: string[] = [];
  const postIds: string[] = [];
  for (let index = 0; index < 7; index++) {
    planIds.unshift(await insertPlan(database, ana, { title: `Walk ${word}` }));
    postIds.unshift(await post(ana, word));
    await insertMember(database, { hobby: word });
  }
  const results = await find(word);
  expect(results).toMatchObject({ plans: planIds.slice(0, 5), posts: postIds.slice(0, 5) });
  expect(results.people).toHaveLength(5);
});

test('nobody finds themselves, who is hidden from them, or a text without words', async ({
  word,
  me,
  ana,
  post,
  find,
  server,
  database,
}) => {
  await insertPlan(database, ana, { title: `Walk ${word}` });
  await post(ana, word);
  expect((await find(word, ana)).people).toEqual([]);
  await server.call(me, blocks.mute, { body: { profileId: ana.profileId } });
  expect(await find(word)).toEqual({ people: [ana.profileId], plans: [], posts: [] });
  await server.call(ana, blocks.block, { body: { profileId: me.profileId } });
  expect(await find(word)).toEqual({ people: [], plans: [], posts: [] });
  for (const text of ['!!', '😀', "'"])
    expect(await find(text)).toEqual({ people: [], plans: [], posts: [] });
});

test('closed and removed plans, those of creators who are not verified, and deleted members are not found', async ({
  database,
  word,
  ana,
  find,
}) => {
  const planId = await insertPlan(database, ana, { title: `Walk ${word}` });
  const change = (part: Partial<typeof plans.$inferInsert>) =>
    database.update(plans).set(part).where(eq(plans.id, planId));
  for (const part of [{ closedAt: nowDate() }, { removedAt: nowDate() }]) {
    await change(part);
    expect((await find(word)).plans).toEqual([]);
    await change({ closedAt: null, removedAt: null });
  }
  expect((await find(word)).plans).toEqual([planId]);
  const changeAna = (part: Partial<typeof profiles.$inferInsert>) =>
    database.update(profiles).set(part).where(eq(profiles.id, ana.profileId));
  await changeAna({ verified: null });
  expect(await find(word)).toMatchObject({ people: [ana.profileId], plans: [] });
  await changeAna({ verified: true, deletedAt: sql`now()` as unknown as Date });
  expect(await find(word)).toMatchObject({ people: [], plans: [] });
});

test('members alone search, by one to 100 characters', async ({ server, me }) => {
  const ask = (who: Member | null, text: string) => server.call(who, search.all, { query: { search: text } });
  expect((await ask(null, 'sea')).status).toBe(401);
  expect((await ask(me, ' ')).status).toBe(400);
  expect((await ask(me, 'a'.repeat(101))).status).toBe(400);
});
