import { adminWork } from '@tara/contract/admin';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { moneyOverview } from './money.ts';
import { countWork } from './work.ts';

/** Binds the calls that concern all lists of the admins; each list has its own in its feature. */
export function adminRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  serve(app, adminWork.counts, () => countWork(database));
  serve(app, adminWork.moneyOverview, () => moneyOverview(database));
}
