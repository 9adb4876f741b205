import type { LikeCalls } from '@tara/contract/posts/likes';
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Likeable } from './likes.ts';

/** Binds the calls of likes of records of one kind; `readId` takes the record's id from their body. */
export function likeRoutes<Body extends z.ZodMiniType>(
  app: FastifyInstance,
  context: Pick<Platform, 'database' | 'bus'>,
  {
    calls,
    likeable,
    readId,
  }: { calls: LikeCalls<Body>; likeable: Likeable; readId: (body: z.output<Body>) => string },
): void {
  const options = { perMinute: 120 };
  for (const [call, liked] of [
    [calls.like, true],
    [calls.unlike, false],
  ] as const) {
    serve(
      app,
      call,
      async ({ viewer, body }) => ({
        status: 'ok' as const,
        ...(await likeable.set(context, viewer, readId(body), liked)),
      }),
      options,
    );
  }
  serve(
    app,
    calls.updateLikes,
    async ({ viewer, body }) => ({
      status: 'ok' as const,
      ...(await likeable.count(context, viewer, readId(body))),
    }),
    options,
  );
}
