import type { FastifyReply } from 'fastify';
import { readProven } from '../../platform/files/checksum.ts';
import { FileNotFound } from '../../platform/files/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { type FileRow, variantOf } from './read.ts';

/** Wide enough for the previews of other sites and for a page on a phone, in pixels. */
const pictureWidth = 1080;
/** Seconds that others may keep such a picture: so long it may still be seen after its member stops showing it. */
const maxAgeSeconds = 300;

/**
 * Answers the bytes of a picture that people without a session see, also within other sites.
 * @param notFound what is answered where there is none. @throws Problem of it
 */
export async function sendOutside(
  { files }: Pick<Platform, 'files'>,
  reply: FastifyReply,
  file: FileRow | null | undefined,
  notFound: 'post_not_found' | 'plan_link_not_found',
): Promise<FastifyReply> {
  if (!file) throw new Problem(notFound);
  const picture = variantOf(file, pictureWidth);
  const bytes = await readProven(files, picture).catch((error: unknown) => {
    throw error instanceof FileNotFound ? new Problem(notFound, { cause: error }) : error;
  });
  return reply
    .header('cache-control', `public, max-age=${maxAgeSeconds}`)
    .header('content-security-policy', 'sandbox')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-robots-tag', 'noindex')
    .type(picture.mimeType)
    .send(bytes);
}
