import { interactions as calls } from '@tara/contract/interactions';
import { disputeRoutes } from '../features/disputes/index.ts';
import { interactionRoutes } from '../features/interactions/routes.ts';
import type { interactions } from '../features/interactions/tables.ts';
import { escrowRoutes } from '../features/payments/routes.ts';
import { planRoutes } from '../features/plans/index.ts';
import { chatRoutes } from './chats.ts';
import { insertInteraction, insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';
import { serverTest } from './test.ts';

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
