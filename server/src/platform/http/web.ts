import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';

/** Paths that belong to the server's calls: an unknown one there is an error, not a page. */
const serverPaths = /^\/(api|v1|sandbox|mailbox|docs|healthz|readyz|assets)(\/|$)/;

/**
 * Serves the built web: hashed assets for ever, and `index.html` for every address that is a page of the router
 * (which knows what is 'Page Not Found').
 */
export async function webRoutes(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${join(folder, 'assets')}`);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', async (request, reply) => {
    const path = request.url.replace(/\?.*$/s, '');
    if (serverPaths.test(path) || /\.[a-z0-9]{2,5}$/i.test(path))
      throw new Problem('general_route_not_found');
    return reply.sendFile('index.html');
  });
}
