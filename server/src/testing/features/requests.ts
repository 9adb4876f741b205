import { nowMs } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { eq } from 'drizzle-orm';
import { disputeRoutes } from '../../features/disputes/index.ts';
import { interactionRoutes } from '../../features/interactions/routes.ts';
import type { interactions } from '../../features/interactions/tables.ts';
import { notifications } from '../../features/notifications/index.ts';
import { escrowRoutes } from '../../features/payments/routes.ts';
import { planRoutes } from '../../features/plans/index.ts';
import { serverTest } from '../test.ts';
import { chatRoutes } from './chats.ts';
import { insertInteraction, insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A time so many days ahead. */
export const inDays = (count: number) => new Date(nowMs() + count * dayMs);
const time = (date: Date) => date.toISOString();
/** A day of a request in the columns of its row. */
export const range = (from: Date, hours = 2) => ({
  meetsAt: from,
  meetsUntil: new Date(from.getTime() + hours * hourMs),
});

export type Step = 'acceptRequest' | 'cancelRequest' | 'markDone' | 'cardDown';

/** Tests of requests: a creator with a plan, a client, a stranger, an admin, and the steps they take. */
export const test = serverTest((app, platform) => {
  planRoutes(app, platform);
  interactionRoutes(app, platform);
  escrowRoutes(app, platform);
  disputeRoutes(app, platform);
  chatRoutes(app, platform);
})
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('creator', ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('client', ({ database }) => insertMember(database, { name: 'Ben', verified: true }))
  .extend('stranger', ({ database }) => insertMember(database, { verified: true }))
  .extend('planId', ({ database, creator }) => insertPlan(database, creator))
  .extend(
    'request',
    ({ server, planId }) =>
      (who: Member, plan = planId, more: Record<string, unknown> = {}) =>
        server.call(who, calls.createInteraction, { body: { planId: plan, ...more } }),
  )
  .extend(
    'step',
    { scope: 'file' },
    ({ server }) =>
      (who: Member, name: Step, interactionId: string) =>
        server.call(who, calls[name], { body: { interactionId } }),
  )
  .extend(
    'inserted',
    ({ database, creator, client, planId }) =>
      (state: Partial<typeof interactions.$inferInsert>) =>
        insertInteraction(database, { creator, client, planId }, state),
  )
  .extend('members', ({ admin, creator, client, stranger }) => ({ creator, client, stranger, admin }));

/** Tests of the days of requests: proposals, their answers, and the notifications of the parties. */
export const dayTest = test
  .extend(
    'propose',
    ({ server }) =>
      (who: Member, interactionId: string, meetsAt: Date, place = 'Luneta') =>
        server.call(who, calls.proposeDay, { body: { interactionId, meetsAt: time(meetsAt), place } }),
  )
  .extend(
    'answer',
    ({ server }) =>
      (who: Member, interactionId: string, proposalId: string, answer: 'agree' | 'decline') =>
        server.call(who, calls.answerProposal, { body: { interactionId, proposalId, answer } }),
  )
  .extend(
    'events',
    ({ database }) =>
      async (id: string) =>
        (await database.select().from(notifications).where(eq(notifications.interactionId, id))).map(
          ({ event, profileId, details }) => ({ event, profileId, details }),
        ),
  );
