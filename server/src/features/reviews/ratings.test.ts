import { profiles as profileCalls } from '@tara/contract/members/profiles';
import { plans as planCalls } from '@tara/contract/plans/plans';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember } from '../../testing/features/members.ts';
import { confirmed, reviewRoutesTest } from '../../testing/features/reviews.ts';
import { planRoutes, plans } from '../plans/index.ts';
import { profileRoutes, profiles } from '../profiles/index.ts';
import { reviews } from './tables.ts';

const test = reviewRoutesTest((app, platform) => {
  planRoutes(app, platform);
  profileRoutes(app, platform);
});

test('stars and reviews of member and plan follow each review that is written, changed and removed', async ({
  database,
  server,
  client,
  stranger,
  write,
}) => {
  const owner = await insertMember(database, { verified: true });
  const planIds = [await insertPlan(database, owner), await insertPlan(database, owner)] as const;
  const publish = async (planId: string, stars: number) => {
    const interactionId = await insertInteraction(database, { creator: owner, client, planId }, confirmed);
    return (await write(client, interactionId, { stars })).reply.id;
  };
  const ratings = async () => {
    const { reply: profile } = await server.call(stranger, profileCalls.get, {
      params: { id: owner.profileId },
    });
    const read = async (id: string) =>
      (await server.call(stranger, planCalls.get, { params: { id } })).reply.plan.rating;
    const [first, second] = [await read(planIds[0]), await read(planIds[1])];
    return [profile.rating, first, second].map(({ stars, totalReviews }) => [stars, totalReviews]);
  };
  /** The same, counted from the reviews. */
  const recount = async () => {
    const count = async (where: ReturnType<typeof eq>) => {
      const [row] = await database
        .select({ stars: sql<string | null>`avg(${reviews.stars})`, reviews: sql<number>`count(*)::int` })
        .from(reviews)
        .where(where);
      return [row?.stars == null ? null : Number(row.stars), row?.reviews];
    };
    return [
      await count(eq(reviews.ownerId, owner.profileId)),
      await count(eq(reviews.planId, planIds[0])),
      await count(eq(reviews.planId, planIds[1])),
    ];
  };
  expect(await ratings()).toEqual([
    [null, 0],
    [null, 0],
    [null, 0],
  ]);
  const [id = ''] = await Promise.all([
    publish(planIds[0], 9),
    publish(planIds[0], 4),
    publish(planIds[1], 10),
    publish(planIds[1], 7),
  ]);
  expect(await ratings()).toEqual([
    [7.5, 4],
    [6.5, 2],
    [8.5, 2],
  ]);
  await database.update(reviews).set({ stars: 0 }).where(eq(reviews.id, id));
  expect(await ratings()).toEqual(await recount());
  await database.delete(reviews).where(eq(reviews.id, id));
  expect(await ratings()).toEqual(await recount());
  expect(await ratings()).toEqual([
    [7, 3],
    [4, 1],
    [8.5, 2],
  ]);
  await database.delete(reviews).where(eq(reviews.ownerId, owner.profileId));
  const [totals] = await database.select().from(profiles).where(eq(profiles.id, owner.profileId));
  expect(totals).toMatchObject({ totalReviews: 0, totalStars: 0 });
  expect(await database.$count(plans, eq(plans.totalReviews, 0))).toBeGreaterThanOrEqual(2);
});
