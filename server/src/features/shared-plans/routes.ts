import { sharedPlans } from '@tara/contract/plans/shared-plans';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { openSharedPlan, ownLink, revokePlan, sharePlan } from './share.ts';

/** Binds the calls of 'Share my plan'. */
export function sharedPlanRoutes(
  app: FastifyInstance,
  platform: Pick<Platform, 'database' | 'config'>,
): void {
  const { database } = platform;
  serve(app, sharedPlans.open, ({ query }) => openSharedPlan(database, query.token), { perMinute: 60 });
  serve(app, sharedPlans.own, ({ viewer, params }) => ownLink(database, viewer, params.id));
  serve(app, sharedPlans.create, ({ viewer, body }) => sharePlan(platform, viewer, body.interactionId), {
    perMinute: 20,
  });
  serve(app, sharedPlans.revoke, ({ viewer, body }) => revokePlan(database, viewer, body.interactionId));
}
