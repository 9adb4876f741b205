import { createHash } from 'node:crypto';
import { get } from '@tara/contract/calls';
import type { FastifyInstance } from 'fastify';
import { escape as escapeHtml } from 'html-escaper';
import { z } from 'zod';
import { serve } from '../../platform/http/serve.ts';

/** Call of the wire: the first picture of a profile (§3). Size and colour that SDKs may ask for are ours to choose. */
export const initials = get('/v1/avatars/initials', {
  summary: 'A picture of a name’s initials.',
  access: 'anyone',
  query: z.object({ name: z.string().max(128, 'Must be at most 128 characters.').default('') }),
  reply: z.unknown(),
});

/** White text has a contrast of at least 4.5 : 1 on each. */
const backgrounds = [
  '#8a3b12',
  '#7a4a00',
  '#4d5f00',
  '#1f6b33',
  '#00696b',
  '#0b5f94',
  '#3f4fb0',
  '#6c3fa8',
  '#94306f',
  '#a3283b',
];

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** First letters of the first two words; N when there is none (§2, 'Layout shell'). */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.slice(0, 2).map((word) => [...characters.segment(word)][0]?.segment ?? '');
  return letters.join('').toUpperCase() || 'N';
}

/** An SVG of a name's initials; the same name has the same colour. */
export function initialsSvg(name: string): string {
  const text = initialsOf(name);
  const background = backgrounds[(createHash('sha256').update(name).digest()[0] ?? 0) % backgrounds.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512"><rect width="512" height="512" fill="${background}"/><text x="256" y="256" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="${text.length > 1 ? 208 : 256}" fill="#fff">${escapeHtml(text)}</text></svg>`;
}

/** Binds the wire's picture of initials. */
export function avatarRoutes(app: FastifyInstance): void {
  serve(
    app,
    initials,
    async ({ query, reply }) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('x-content-type-options', 'nosniff')
        .type('image/svg+xml; charset=utf-8')
        .send(initialsSvg(query.name)),
    { picture: 'public' },
  );
}
