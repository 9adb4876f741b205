import { earnings } from '@tara/contract/money/earnings';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { readEarnings } from './read.ts';

export function earningsRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  serve(app, earnings.get, ({ viewer }) => readEarnings(database, viewer));
}
