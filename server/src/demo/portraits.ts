import { demoPortraitPath } from '@tara/contract/accounts/accounts';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../platform/problem.ts';
import { readPortrait } from './pictures.ts';

/** Shows guests the portraits of the demo world, for its accounts on the sign-in page. */
export function demoPortraitRoute(app: FastifyInstance): void {
  app.get<{ Params: { key: string } }>(demoPortraitPath(':key'), async ({ params: { key } }, reply) => {
    const portrait = /^[a-z]+$/.test(key) ? await readPortrait(key) : null;
    if (portrait === null) throw new Problem('general_route_not_found');
    return reply
      .header('cache-control', 'public, max-age=3600')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .type('image/svg+xml')
      .send(portrait);
  });
}
