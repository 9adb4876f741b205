import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from './context.ts';

/** A hanging call is closed after this time, so that a forgotten fault cannot block a server for ever. */
const HANG_MS = 120_000;

const REFUSALS: Record<string, { status: number; code: string }> = {
  answer_403: { status: 403, code: 'access_denied' },
  answer_409: { status: 409, code: 'idempotency_in_progress' },
  answer_500: { status: 500, code: 'internal_server_error' },
};

/**
 * Applies faults to API calls: a refusal before the work, no reply at all, or the work without its reply. `prefix` is the
 * provider's prefix; faults name paths without it.
 */
export function addCallFaults(app: FastifyInstance, context: ProviderContext, prefix: string): void {
  const hanging = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const release of hanging) release();
  });

  app.decorateRequest('loseAnswer', false);

  app.addHook('preHandler', async (request, reply) => {
    const path = request.url.slice(prefix.length).split('?')[0] ?? '';
    const fault = context.faults.forCall(request.method, path);
    if (!fault) return;
    if (fault.kind === 'answer_429') {
      if (fault.delay_ms !== null) reply.header('retry-after', Math.ceil(fault.delay_ms / 1000));
      await reply.code(429).type('text/plain').send('Too many requests');
    } else if (REFUSALS[fault.kind]) {
      const { status, code } = REFUSALS[fault.kind] ?? { status: 500, code: '' };
      await reply.code(status).send({ errors: [{ code, detail: 'Simulated by a fault.' }] });
    } else if (fault.kind === 'hang') {
      await new Promise<void>((resolve) => {
        const release = () => {
          hanging.delete(release);
          cancelTimer();
          resolve();
        };
        const cancelTimer = context.clock.after(fault.delay_ms ?? HANG_MS, release);
        hanging.add(release);
        request.raw.socket.once('close', release);
      });
      reply.hijack();
      request.raw.socket.destroy();
    } else {
      request.setDecorator('loseAnswer', true);
    }
  });

  // The work is committed at this point; only the reply is dropped.
  app.addHook('onSend', async (request, reply) => {
    if (request.getDecorator<boolean>('loseAnswer')) {
      reply.hijack();
      request.raw.socket.destroy();
    }
  });
}
