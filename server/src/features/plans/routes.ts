import { plans } from '@tara/contract/plans/plans';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { planDetail, plansByCreator, searchPlans } from './read.ts';
import { closePlan, createPlan, reopenPlan, updatePlan } from './write.ts';

const writing = { perMinute: 30 };

export function planRoutes(
  app: FastifyInstance,
  platform: Pick<Platform, 'database' | 'bus' | 'config'>,
): void {
  const { database } = platform;
  serve(app, plans.create, ({ viewer, body }) => createPlan(platform, viewer, body), writing);
  serve(app, plans.update, ({ viewer, body }) => updatePlan(platform, viewer, body), writing);
  serve(app, plans.close, ({ viewer, body }) => closePlan(platform, viewer, body.planId), writing);
  serve(app, plans.reopen, ({ viewer, body }) => reopenPlan(platform, viewer, body.planId), writing);
  serve(app, plans.search, ({ viewer, query }) => searchPlans(database, viewer, query), { perMinute: 120 });
  serve(app, plans.byCreator, ({ viewer, params, query }) =>
    plansByCreator(database, viewer, params.id, query.cursor),
  );
  serve(app, plans.get, ({ viewer, params }) => planDetail(database, viewer, params.id));
}
