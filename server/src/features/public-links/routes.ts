import { publicLinks } from '@tara/contract/members/public-links';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { findPlanId, openReads } from './open.ts';
import { createLink, ownLink, revokeLink } from './own.ts';

const opening = { perMinute: 60 };
const writing = { perMinute: 20 };

/** Binds the calls of public links. */
export function publicLinkRoutes(app: FastifyInstance, platform: Platform): void {
  const { database } = platform;
  const read = openReads(platform);
  serve(app, publicLinks.invitation, ({ params }) => read.invitation(params.id), opening);
  serve(app, publicLinks.plan, ({ params }) => read.plan(params.id), opening);
  serve(app, publicLinks.picture, ({ params, reply }) => read.sendPicture(params.id, reply), opening);
  serve(app, publicLinks.planId, ({ viewer, params }) => findPlanId(database, viewer, params.id), opening);
  serve(app, publicLinks.own, ({ viewer, query }) => ownLink(platform, viewer, query.planId));
  serve(app, publicLinks.create, ({ viewer, body }) => createLink(platform, viewer, body.planId), writing);
  serve(app, publicLinks.revoke, ({ viewer, body }) => revokeLink(database, viewer, body.planId), writing);
}
