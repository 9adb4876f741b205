import type { FastifyInstance } from 'fastify';
import type { World } from './world.ts';

/** A hanging call lets go at last, so that a forgotten fault cannot hold a server for ever. */
const HANG_MS = 120_000;

/**
 * Makes API calls go wrong as ordered: answered 500 before anything is done, never answered, or done with the
 * answer lost. `prefix` is where the provider is mounted; faults name paths without it.
 */
export function addCallFaults(app: FastifyInstance, world: World, prefix: string): void {
  const hanging = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const letGo of hanging) letGo();
  });

  app.decorateRequest('loseAnswer', false);

  app.addHook('preHandler', async (request, reply) => {
    const path = request.url.slice(prefix.length).split('?')[0] ?? '';
    const fault = world.faults.forCall(request.method, path);
    if (!fault) return;
    if (fault.kind === 'answer_500') {
      await reply
        .code(500)
        .send({ errors: [{ code: 'internal_server_error', detail: 'A fault that was asked for.' }] });
    } else if (fault.kind === 'hang') {
      await new Promise<void>((resolve) => {
        const letGo = () => {
          hanging.delete(letGo);
          callOff();
          resolve();
        };
        const callOff = world.clock.after(fault.delay_ms ?? HANG_MS, letGo);
        hanging.add(letGo);
        request.raw.socket.once('close', letGo);
      });
      reply.hijack();
      request.raw.socket.destroy();
    } else {
      request.setDecorator('loseAnswer', true);
    }
  });

  // The work is done and committed by now; only its answer is torn away.
  app.addHook('onSend', async (request, reply) => {
    if (request.getDecorator<boolean>('loseAnswer')) {
      reply.hijack();
      request.raw.socket.destroy();
    }
  });
}
