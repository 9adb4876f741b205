import { verification } from '@tara/contract/members/verification';
import type { FastifyInstance } from 'fastify';
import { encryptedStore, type Keyring } from '../../platform/files/encrypted.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { acceptRequest, correctBirthDate, declineRequest } from './decide.ts';
import { openLinks, pictureLinks, viewPicture } from './pictures.ts';
import { listPending, sendRequest } from './requests.ts';
import { openUsualTime } from './usual-time.ts';

/** Binds the calls of verification. `documentsKey` encrypts identity pictures. */
export function verificationRoutes(
  app: FastifyInstance,
  platform: Platform,
  documentsKey: Keyring | Buffer,
): void {
  const { database } = platform;
  const links = openLinks(documentsKey);
  const documents = encryptedStore(platform.files, documentsKey);
  const usualTime = openUsualTime(database);

  serve(app, verification.usualTime, () => usualTime());
  serve(app, verification.send, ({ viewer, body }) => sendRequest(platform, viewer, body), { perMinute: 10 });
  serve(app, verification.pending, async ({ query, reply }) => {
    reply.header('cache-control', 'no-store');
    return listPending(database, query.cursor);
  });
  serve(app, verification.pictures, async ({ viewer, params, reply }) => {
    reply.header('cache-control', 'no-store');
    return pictureLinks({ database, links }, viewer, params.id);
  });
  serve(app, verification.picture, async ({ viewer, params, query, reply }) => {
    const { bytes, mimeType } = await viewPicture({ database, documents, links }, viewer, {
      fileId: params.fileId,
      ...query,
    });
    return reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', 'sandbox')
      .header('x-content-type-options', 'nosniff')
      .type(mimeType)
      .send(bytes);
  });
  serve(app, verification.accept, ({ viewer, body }) => acceptRequest(platform, viewer, body.id));
  serve(app, verification.decline, ({ viewer, body }) => declineRequest(platform, viewer, body));
  serve(app, verification.correctBirthDate, ({ viewer, body }) => correctBirthDate(platform, viewer, body));
}
