import { get } from '@tara/contract/calls';
import { queryNumber } from '@tara/contract/fields';
import { Color } from '@tara/contract/wire/storage';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addressKey } from '../../platform/http/client-address.ts';
import { serve } from '../../platform/http/serve.ts';
import { openTransformations } from '../../platform/images/preview.ts';
import type { Images } from '../../platform/images/queue.ts';
import { ImageRejected } from '../../platform/images/rejected.ts';
import type { Transformation } from '../../platform/images/size.ts';
import { Problem } from '../../platform/problem.ts';
import { backgroundOf, drawInitials, type Initials, initialsOf, initialsSvg } from './initials.ts';
import { sixDigits } from './preview-request.ts';

/** px of a side, where none is asked for. */
const usualSide = 500;
/** The most that may be asked for. */
export const largestSide = 2000;

/** Call of the wire: the first picture of a profile (§3). */
export const initials = get('/v1/avatars/initials', {
  summary:
    'A picture of a name’s initials, of the caller’s own without a name: a PNG, or an SVG where `Accept` names it.',
  access: 'anyone',
  query: z.object({
    name: z.string().max(128, 'Must be at most 128 characters.').default(''),
    /** 0 is the usual size. */
    width: z.optional(queryNumber(0, largestSide)),
    height: z.optional(queryNumber(0, largestSide)),
    background: z.optional(Color),
  }),
  reply: z.unknown(),
});

/** The drawing as it is, encoded as PNG. */
const asPng: Transformation = {
  ...{ width: 0, height: 0, gravity: 'center', quality: 100, output: 'png' },
  ...{ borderWidth: 0, borderColor: '', borderRadius: 0, opacity: 1, rotation: 0, background: null },
};

/** Binds the wire's picture of initials, which is encoded where uploads are and counted as theirs. */
export function avatarRoutes(app: FastifyInstance, images: Images): void {
  // A drawing is the key of its picture: members with the same initials share one.
  const encode = openTransformations(({ key }) => drawInitials(JSON.parse(key) as Initials), images);
  serve(
    app,
    initials,
    async ({ viewer, query, request, reply }) => {
      // An app asks for the picture of its own member so.
      const isOwn = query.name === '' && viewer !== null;
      const name = isOwn ? viewer.name || viewer.email : query.name;
      const drawing: Initials = {
        text: initialsOf(name),
        width: query.width || usualSide,
        height: query.height || usualSide,
        background: query.background ? `#${sixDigits(query.background)}` : backgroundOf(name),
      };
      const isSvg = request.headers.accept?.includes('image/svg+xml') === true;
      // Guests of an address are one requester.
      const requester = {
        accountId: viewer?.accountId ?? `guests of ${addressKey(request.ip)}`,
        ip: request.ip,
      };
      const encoded = () =>
        encode({ key: JSON.stringify(drawing), ...drawing }, asPng, requester).catch((error: unknown) => {
          throw error instanceof ImageRejected ? new Problem('general_unavailable', { cause: error }) : error;
        });
      const picture = isSvg ? initialsSvg(drawing) : await encoded();
      return (
        reply
          // Without a name the same address is another picture once somebody signs in.
          .header(
            'cache-control',
            query.name === '' ? 'private, no-cache' : 'public, max-age=31536000, immutable',
          )
          .header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '))
          .header('content-security-policy', "sandbox; default-src 'none'")
          .header('x-content-type-options', 'nosniff')
          .type(isSvg ? 'image/svg+xml; charset=utf-8' : 'image/png')
          .send(picture)
      );
    },
    { picture: 'public' },
  );
}
