import { counts } from '@tara/contract/counts';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { readCounts } from './read.ts';

/** Binds the call about what waits for a member (`contract/src/counts.ts`). */
export function countRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  serve(app, counts.own, ({ viewer }) => readCounts(database, viewer));
}
