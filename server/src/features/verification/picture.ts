import type { IdentityLinks } from '@tara/contract/verification';
import { and, eq, isNull, or } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { FileNotFound, type FileStore } from '../../platform/files/store.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { files } from '../files/index.ts';
import type { Links } from './links.ts';
import { canSeePicture } from './policy.ts';
import { verifications } from './tables.ts';

interface PictureLink {
  fileId: string;
  /** ms since 1970. */
  until: number;
  signature: string;
}

/** Links to the pictures of a request that waits, for this admin alone. @throws Problem `verification_not_found` */
export async function pictureLinks(
  { database, links }: { database: Database; links: Links },
  viewer: Viewer,
  id: string,
): Promise<IdentityLinks> {
  const [request] = await database
    .select()
    .from(verifications)
    .where(and(eq(verifications.id, id), isNull(verifications.valid)));
  if (!request) throw new Problem('verification_not_found');
  const link = async (fileId: string | null) => (fileId === null ? '' : links.make(fileId, viewer.accountId));
  return {
    idFront: await link(request.idFrontId),
    idBack: await link(request.idBackId),
    photo: await link(request.photoId),
  };
}

/**
 * Decrypts one identity picture. The view is in the audit log before a byte leaves.
 * @throws Problem `storage_file_not_found`, also for a link that is too old or another's
 */
export async function viewPicture(
  { database, documents, links }: { database: Database; documents: FileStore; links: Links },
  viewer: Viewer,
  link: PictureLink,
): Promise<{ bytes: Buffer; mimeType: string }> {
  const { fileId } = link;
  if (!(await links.isGood(link, viewer.accountId))) throw new Problem('storage_file_not_found');
  const [row] = await database
    .select({ id: verifications.id, userId: verifications.userId, mimeType: files.mimeType })
    .from(verifications)
    .innerJoin(files, eq(files.id, fileId))
    .where(
      or(
        eq(verifications.idFrontId, fileId),
        eq(verifications.idBackId, fileId),
        eq(verifications.photoId, fileId),
      ),
    );
  if (!row || !canSeePicture(viewer, row)) throw new Problem('storage_file_not_found');
  await audit(database, {
    actorAccountId: viewer.accountId,
    action: 'verification.viewPicture',
    subject: `profile:${row.userId}`,
    after: { request: row.id, file: fileId },
  });
  const bytes = await documents.read(`${fileId}/original`).catch((error: unknown) => {
    throw error instanceof FileNotFound ? new Problem('storage_file_not_found', { cause: error }) : error;
  });
  return { bytes, mimeType: row.mimeType };
}
