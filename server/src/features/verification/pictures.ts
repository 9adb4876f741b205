import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { nowMs } from '@tara/contract/clock';
import type { IdentityLinks } from '@tara/contract/members/verification';
import { and, eq, isNull, or } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { readProven } from '../../platform/files/checksum.ts';
import type { Keyring } from '../../platform/files/encrypted.ts';
import { FileNotFound, type FileStore } from '../../platform/files/store.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { files, originalPicture } from '../files/index.ts';
import { verificationCan } from './policy.ts';
import { verifications } from './tables.ts';

/** ms for which a link to an identity picture opens it. */
export const linkLifetime = 5 * 60_000;

/** Makes and checks links to identity pictures; a link opens for the one account it was made for. */
export interface Links {
  /** Address of the picture, good until five minutes from `now` (ms). */
  make(fileId: string, accountId: string, now?: number): Promise<string>;
  isGood(
    link: { fileId: string; until: number; signature: string },
    accountId: string,
    now?: number,
  ): Promise<boolean>;
}

/** Links signed with a key of their own, derived from the documents key; a rotation leaves those of before good. */
export function openLinks(keys: Keyring | Buffer): Links {
  const readKeys: Keyring = typeof keys === 'function' ? keys : async () => [keys];
  const sign = (documentsKey: Buffer, fileId: string, until: number, accountId: string) => {
    const key = Buffer.from(hkdfSync('sha256', documentsKey, '', 'links to identity pictures', 32));
    return createHmac('sha256', key)
      .update(JSON.stringify([fileId, until, accountId]))
      .digest();
  };
  return {
    async make(fileId, accountId, now = nowMs()) {
      const until = now + linkLifetime;
      const [current] = await readKeys();
      const signature = sign(current, fileId, until, accountId).toString('base64url');
      return `/api/verification/picture/${fileId}?until=${until}&signature=${signature}`;
    },
    async isGood({ fileId, until, signature }, accountId, now = nowMs()) {
      if (until < now) return false;
      const received = Buffer.from(signature, 'base64url');
      return (await readKeys()).some((key) => {
        const right = sign(key, fileId, until, accountId);
        return received.length === right.length && timingSafeEqual(received, right);
      });
    },
  };
}

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
    .select({ id: verifications.id, userId: verifications.userId, file: files })
    .from(verifications)
    .innerJoin(files, eq(files.id, fileId))
    .where(
      or(
        eq(verifications.idFrontId, fileId),
        eq(verifications.idBackId, fileId),
        eq(verifications.photoId, fileId),
      ),
    );
  if (!row || !verificationCan.seePicture(viewer, row)) throw new Problem('storage_file_not_found');
  await audit(database, viewer, {
    action: 'verification.viewPicture',
    subject: `profile:${row.userId}`,
    after: { request: row.id, file: fileId },
  });
  const bytes = await readProven(documents, originalPicture(row.file)).catch((error: unknown) => {
    throw error instanceof FileNotFound ? new Problem('storage_file_not_found', { cause: error }) : error;
  });
  return { bytes, mimeType: row.file.mimeType };
}
