import { caseFiles } from '@tara/contract/money/case-files';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { findMoney } from './find.ts';
import { openCaseFile } from './open.ts';
import { readTimeline } from './timeline.ts';

/** Binds the calls by which admins find a request's money, read what happened to it, and answer a card issuer. */
export function caseFileRoutes(app: FastifyInstance, { database }: Pick<Platform, 'database'>): void {
  serve(app, caseFiles.findMoney, async ({ query }) => ({ items: await findMoney(database, query.search) }));
  serve(app, caseFiles.timeline, ({ viewer, params }) => readTimeline(database, viewer, params.id));
  serve(app, caseFiles.openCaseFile, ({ viewer, body }) => openCaseFile(database, viewer, body.chargebackId));
}
