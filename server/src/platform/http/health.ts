import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

/** `/healthz`: the process is alive. `/readyz`: it can serve now, else 503. */
export function healthRoutes(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (!(await isReady())) throw new Problem('general_unavailable', { retryAfter: 2 });
    return { status: 'ok' };
  });
}
