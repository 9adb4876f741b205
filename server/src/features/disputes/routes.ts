import { requestCases as cases, disputes } from '@tara/contract/money/disputes';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import { listChargebacks, readPlanChat, requestCases } from './cases.ts';
import { decideRequest } from './decide.ts';
import { answerDispute, type DisputeContext, openDispute } from './open.ts';
import { listOwnMessages, readDispute } from './read.ts';

/** A request is disputed once. */
const writesPerMinute = 10;

/** Binds the calls about disputes, and those by which admins decide about a request's money. */
export function disputeRoutes(app: FastifyInstance, platform: DisputeContext): void {
  const { database } = platform;
  const limit = { perMinute: writesPerMinute };
  serve(app, disputes.get, ({ viewer, params }) => readDispute(database, viewer, params.id));
  serve(app, disputes.ownMessages, ({ viewer, params }) => listOwnMessages(database, viewer, params.id));
  serve(app, disputes.open, ({ viewer, body }) => openDispute(platform, viewer, body), limit);
  serve(app, disputes.answer, ({ viewer, body }) => answerDispute(platform, viewer, body), limit);
  serve(app, cases.disputes, ({ viewer, query }) => requestCases(database, viewer, 'disputes', query.cursor));
  serve(app, cases.noAnswer, ({ viewer, query }) => requestCases(database, viewer, 'noAnswer', query.cursor));
  serve(app, cases.chargebacks, ({ viewer, query }) => listChargebacks(database, viewer, query.cursor));
  serve(app, cases.decideRequest, ({ viewer, body }) => decideRequest(platform, viewer, body));
  serve(app, cases.planChat, ({ viewer, body }) => readPlanChat(database, viewer, body));
}
