import { interactions } from '@tara/contract/interactions/interactions';
import { admin } from '@tara/contract/money/confirmations';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { createInteraction } from './create.ts';
import { awaitingPlans, interactionList, manager } from './lists.ts';
import { answerProposal, proposeDay } from './proposals.ts';
import { readInteraction } from './read.ts';
import { accept, applyTransition, fulfil, putCardDown, sayMet } from './steps.ts';

/** Each proposal is mailed. */
const proposalsPerMinute = 10;

/** All calls about requests but those that move money, such as `cancelRequest`, which are the payments'. */
export function interactionRoutes(
  app: FastifyInstance,
  platform: Pick<Platform, 'database' | 'bus' | 'config'>,
): void {
  const { database } = platform;
  serve(
    app,
    interactions.createInteraction,
    async ({ viewer, body }) => ({
      status: 'success' as const,
      ...(await createInteraction(platform, viewer, body)),
    }),
    { perMinute: 30 },
  );
  serve(app, interactions.interaction, ({ viewer, params }) => readInteraction(database, viewer, params.id));
  serve(app, interactions.manager, ({ viewer }) => manager(database, viewer));
  serve(app, interactions.interactionList, ({ viewer, params, query }) =>
    interactionList(database, viewer, params.list, query.cursor),
  );
  serve(app, interactions.acceptRequest, ({ viewer, body }) =>
    applyTransition(platform, viewer, body.interactionId, accept(platform.config)),
  );
  serve(app, interactions.proposeDay, ({ viewer, body }) => proposeDay(platform, viewer, body), {
    perMinute: proposalsPerMinute,
  });
  serve(app, interactions.answerProposal, ({ viewer, body }) => answerProposal(platform, viewer, body));
  serve(app, interactions.sayMet, ({ viewer, body }) =>
    applyTransition(platform, viewer, body.interactionId, sayMet),
  );
  serve(app, interactions.markDone, ({ viewer, body }) =>
    applyTransition(platform, viewer, body.interactionId, fulfil),
  );
  serve(app, interactions.cardDown, ({ viewer, body }) =>
    applyTransition(platform, viewer, body.interactionId, putCardDown),
  );
  serve(app, admin.awaitingPlans, ({ viewer, query }) => awaitingPlans(database, viewer, query.cursor));
}
