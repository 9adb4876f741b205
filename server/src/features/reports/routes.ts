import { reports } from '@tara/contract/members/reports';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { createReport } from './create.ts';
import { decideReport, readOriginal, readReportedChat } from './decide.ts';
import { bannedRequests, openReports } from './lists.ts';

/** Binds the calls of reports. */
export function reportRoutes(
  app: FastifyInstance,
  platform: Pick<Platform, 'database' | 'bus' | 'log'>,
): void {
  const { database } = platform;
  serve(app, reports.create, ({ viewer, body }) => createReport(database, viewer, body), { perMinute: 10 });
  serve(app, reports.open, ({ query }) => openReports(database, query.cursor));
  serve(app, reports.decide, ({ viewer, body }) => decideReport(platform, viewer, body));
  serve(app, reports.original, ({ viewer, body }) => readOriginal(database, viewer, body.id));
  serve(app, reports.planChat, ({ viewer, body }) => readReportedChat(database, viewer, body));
  serve(app, reports.bannedRequests, ({ query }) => bannedRequests(database, query.cursor));
}
