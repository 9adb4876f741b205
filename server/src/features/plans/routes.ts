import { plans } from '@tara/contract/plans';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { createPlan } from './create.ts';
import { planDetail, plansByCreator } from './read.ts';

export function planRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  serve(app, plans.create, ({ viewer, body }) => createPlan(database, viewer, body), { perMinute: 30 });
  serve(app, plans.byCreator, ({ viewer, params, query }) =>
    plansByCreator(database, viewer, params.id, query.cursor),
  );
  serve(app, plans.get, ({ viewer, params }) => planDetail(database, viewer, params.id));
}
