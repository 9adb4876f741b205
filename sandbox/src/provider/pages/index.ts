import type { FastifyInstance } from 'fastify';
import { securePages } from '../../page/secure.ts';
import { answerProblem } from '../api.ts';
import { addAuthorize } from './authorize.ts';
import { addCheckout } from './checkout.ts';
import { addFaultCalls } from './faults.ts';
import { addOverview, type Parts } from './overview.ts';

/** The pages for people, and the calls that order faults. */
export function addPages(app: FastifyInstance, parts: Parts): void {
  const { world, wake } = parts;
  app.setErrorHandler((error, _request, reply) => answerProblem(error, reply, world.log));
  securePages(app);
  addCheckout(app, world, wake);
  addAuthorize(app, world, wake);
  addFaultCalls(app, world);
  addOverview(app, parts);
}
