import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { releaseFile } from '../files/index.ts';
import { setVerified, tellOfProfile } from '../profiles/index.ts';
import { announceRequest } from './announce.ts';
import { verifications } from './tables.ts';

type Parts = Pick<Platform, 'database' | 'bus'>;

/** One that still waits: of two admins at once the second finds none. */
const waiting = (id: string) => and(eq(verifications.id, id), isNull(verifications.valid));

/** Verifies the member (§4). @throws Problem `verification_not_found` */
export async function acceptRequest(parts: Parts, admin: Viewer, id: string): Promise<void> {
  const userId = await parts.database.transaction(async (transaction) => {
    const [accepted] = await transaction
      .update(verifications)
      .set({ valid: true, acceptedAt: sql`now()` })
      .where(waiting(id))
      .returning({ userId: verifications.userId });
    if (!accepted) throw new Problem('verification_not_found');
    await setVerified(transaction, accepted.userId, true);
    await audit(transaction, {
      actorAccountId: admin.accountId,
      action: 'verification.accept',
      subject: `profile:${accepted.userId}`,
      before: { request: id, valid: null },
      after: { request: id, valid: true, verified: true },
    });
    return accepted.userId;
  });
  announceRequest(parts.bus, 'update', { id, userId, valid: true });
  await tellOfProfile(parts, userId);
}

/** Declines: the request and its three pictures go, and the member may ask again (§4). @throws Problem `verification_not_found` */
export async function declineRequest(parts: Parts, admin: Viewer, id: string): Promise<void> {
  const userId = await parts.database.transaction(async (transaction) => {
    const [declined] = await transaction.delete(verifications).where(waiting(id)).returning();
    if (!declined) throw new Problem('verification_not_found');
    await setVerified(transaction, declined.userId, false);
    for (const fileId of [declined.idFrontId, declined.idBackId, declined.photoId]) {
      if (fileId !== null) await releaseFile(transaction, fileId);
    }
    await audit(transaction, {
      actorAccountId: admin.accountId,
      action: 'verification.decline',
      subject: `profile:${declined.userId}`,
      before: { request: id, valid: null, sentVerifiedReq: true },
      after: { sentVerifiedReq: false, verified: null },
    });
    return declined.userId;
  });
  announceRequest(parts.bus, 'delete', { id, userId, valid: null });
  await tellOfProfile(parts, userId);
}
