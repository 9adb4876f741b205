import type { FastifyInstance } from 'fastify';
import type { Access } from '../../access.ts';
import { addStyleSheet, securePages } from '../../page/security.ts';
import { replyWithError } from '../api.ts';
import { addAuthorize } from './authorize.ts';
import { addCheckout } from './checkout.ts';
import { addControlCalls, addFaultCalls } from './control.ts';
import { addOverview, type PagesContext } from './overview.ts';

/** The pages, and the calls that manage faults. */
export function addPages(app: FastifyInstance, { access, ...rest }: PagesContext & { access: Access }): void {
  const { context, runSoon } = rest;
  app.setErrorHandler((error, _request, reply) => replyWithError(error, reply, context.log));
  app.register(async (open) => {
    securePages(open);
    addStyleSheet(open);
    addCheckout(open, context, runSoon);
    addAuthorize(open, context, runSoon);
  });
  app.register(async (guarded) => {
    guarded.addHook('onRequest', access.guard);
    securePages(guarded);
    addFaultCalls(guarded, context);
    addControlCalls(guarded, context, runSoon);
    addOverview(guarded, rest);
  });
}
