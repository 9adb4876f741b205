import { nowDate } from '@tara/contract/clock';
import { reviews as calls } from '@tara/contract/plans/reviews';
import { interactionRoutes, type interactions } from '../../features/interactions/index.ts';
import { reviewRoutes } from '../../features/reviews/index.ts';
import { serverTest } from '../test.ts';
import { insertInteraction, insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';

const now = nowDate();
export const fulfilled = { paidAt: now, acceptedAt: now, userSetDoneAt: now };
export const confirmed = { ...fulfilled, adminSetDoneAt: now, completedAt: now };
/** The fields of a valid review. */
export const reviewFields = { caption: 'A lovely hour.', location: 'Makati', stars: 9 };

/** Tests of reviews with further routes: Ana offers plans, Ben requests and reviews them, a stranger reads. */
export const reviewRoutesTest = (routes: Parameters<typeof serverTest>[0]) =>
  serverTest((app, platform) => {
    interactionRoutes(app, platform);
    reviewRoutes(app, platform);
    return routes(app, platform);
  })
    .extend('creator', { scope: 'file' }, ({ database }) =>
      insertMember(database, { name: 'Ana', verified: true }),
    )
    .extend('client', { scope: 'file' }, ({ database }) =>
      insertMember(database, { name: 'Ben', verified: true }),
    )
    .extend('stranger', { scope: 'file' }, ({ database }) => insertMember(database))
    .extend(
      'request',
      { scope: 'file' },
      ({ database, creator, client }) =>
        async (state: Partial<typeof interactions.$inferInsert> = confirmed) => {
          const planId = await insertPlan(database, creator);
          return insertInteraction(database, { creator, client, planId }, state);
        },
    )
    .extend(
      'write',
      { scope: 'file' },
      ({ server }) =>
        (who: Member, interactionId: string, more: Record<string, unknown> = {}) =>
          server.call(who, calls.create, { body: { ...reviewFields, interactionId, ...more } }),
    )
    /** Publishes a review of Ben about Ana; returns it. */
    .extend(
      'publish',
      { scope: 'file' },
      ({ client, request, write }) =>
        async (more: Record<string, unknown> = {}) =>
          (await write(client, await request(), more)).reply,
    );

export const reviewTest = reviewRoutesTest(() => undefined);
