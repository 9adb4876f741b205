import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';
import { decodedPath, targetPath } from './route-path.ts';

/** Paths that belong to the server's calls: an unknown one there is an error, not a page. */
const serverPaths = /^\/(api|v1|sandbox|mailbox|docs|healthz|readyz)(\/|$)/;

/**
 * Serves the built web: hashed assets for ever, and `index.html` for every address that is a page of the router
 * (which knows what is 'Page Not Found').
 */
export async function webRoutes(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) return;
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false });
  app.get<{ Params: { '*': string } }>('/assets/*', async ({ params }, reply) =>
    // The name holds a hash of the content.
    reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(`assets/${params['*']}`),
  );
  app.get('/*', async ({ url }, reply) => {
    const path = targetPath(url);
    if (serverPaths.test(decodedPath(url))) throw new Problem('general_route_not_found');
    const isFile = /\.[a-z0-9]{2,11}$/i.test(path);
    return reply.header('cache-control', 'no-cache').sendFile(isFile ? path : 'index.html');
  });
}
