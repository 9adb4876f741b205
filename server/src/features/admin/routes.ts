import { adminWork } from '@tara/contract/admin';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { moneyOverview } from './money.ts';
import { countWork } from './work.ts';

/** Binds the calls that concern all lists of the admins; each list has its own in its feature. */
export function adminRoutes(app: FastifyInstance, platform: Pick<Platform, 'database' | 'config'>): void {
  serve(app, adminWork.counts, () => countWork(platform));
  serve(app, adminWork.moneyOverview, () => moneyOverview(platform));
}
