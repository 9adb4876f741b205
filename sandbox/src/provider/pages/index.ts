import type { FastifyInstance } from 'fastify';
import type { Access } from '../../access.ts';
import { addStyleSheet, securePages } from '../../page/secure.ts';
import { answerProblem } from '../api.ts';
import { addAuthorize } from './authorize.ts';
import { addCheckout } from './checkout.ts';
import { addFaultCalls } from './faults.ts';
import { addOverview, type ProviderContext } from './overview.ts';

/** The pages for people, and the calls that order faults. */
export function addPages(
  app: FastifyInstance,
  { access, ...parts }: ProviderContext & { access: Access },
): void {
  const { world, wake } = parts;
  app.setErrorHandler((error, _request, reply) => answerProblem(error, reply, world.log));
  app.register(async (open) => {
    securePages(open);
    addStyleSheet(open);
    addCheckout(open, world, wake);
    addAuthorize(open, world, wake);
  });
  app.register(async (guarded) => {
    guarded.addHook('onRequest', access.guard);
    securePages(guarded);
    addFaultCalls(guarded, world);
    addOverview(guarded, parts);
  });
}
