import { adultVerdict } from '@tara/contract/members/profiles';
import type { Decline } from '@tara/contract/members/verification-declines';
import { and, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import { wholeRow } from '../../platform/database/columns.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import { lastRow } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { releaseFile } from '../files/index.ts';
import { notify } from '../notifications/index.ts';
import { announceProfileChange, setBirthDate, setVerified } from '../profiles/index.ts';
import { verificationCan } from './policy.ts';
import { announceRequest } from './requests.ts';
import { verifications } from './tables.ts';

type VerificationContext = Pick<Platform, 'database' | 'bus'>;

/** One that still waits and is about somebody else: of two admins at once the second finds none. */
const decidable = (admin: Viewer, id: string) =>
  and(eq(verifications.id, id), isNull(verifications.valid), ne(verifications.userId, admin.profileId));

async function refusal(transaction: Transaction, admin: Viewer, id: string): Promise<Problem> {
  const [request] = await transaction
    .select({ userId: verifications.userId })
    .from(verifications)
    .where(and(eq(verifications.id, id), isNull(verifications.valid)));
  const own = request !== undefined && verificationCan.decide(admin.profileId, request) !== true;
  return new Problem(own ? 'admin_own_record' : 'verification_not_found');
}

/**
 * Verifies the member (§4), whose birth date the admin compared with the ID.
 * @throws Problem `verification_not_found`, `verification_birth_date_missing`, `admin_own_record`
 */
export async function acceptRequest(parts: VerificationContext, admin: Viewer, id: string): Promise<void> {
  const userId = await parts.database.transaction(async (transaction) => {
    const [accepted] = await transaction
      .update(verifications)
      .set({ valid: true, acceptedAt: sql`now()` })
      .where(decidable(admin, id))
      .returning({ userId: verifications.userId });
    if (!accepted) throw await refusal(transaction, admin, id);
    if (!(await setVerified(transaction, accepted.userId, 'accepted')))
      throw new Problem('verification_birth_date_missing');
    await notify(transaction, {
      event: 'verificationAccepted',
      to: { profileId: accepted.userId },
      occasion: id,
    });
    await audit(transaction, admin, {
      action: 'verification.accept',
      subject: `profile:${accepted.userId}`,
      before: { request: id, valid: null },
      after: { request: id, valid: true, verified: true },
    });
    return accepted.userId;
  });
  await announceRequest(parts, { change: 'update' }, { id, userId, valid: true });
  await announceProfileChange(parts, userId);
}

/**
 * Declines: the request and its three pictures go, and the member is told why and may ask again (§4).
 * @throws Problem `verification_not_found`, `admin_own_record`
 */
export async function declineRequest(
  parts: VerificationContext,
  admin: Viewer,
  { id, reason = 'other', note = '' }: Decline,
): Promise<void> {
  const { userId, last } = await parts.database.transaction(async (transaction) => {
    const [declined] = await transaction
      .delete(verifications)
      .where(decidable(admin, id))
      .returning({ ...getTableColumns(verifications), row: wholeRow(verifications) });
    if (!declined) throw await refusal(transaction, admin, id);
    await setVerified(transaction, declined.userId, { declined: { reason, note } });
    await notify(transaction, {
      event: 'verificationDeclined',
      to: { profileId: declined.userId },
      occasion: id,
      details: { reason, note },
    });
    for (const fileId of [declined.idFrontId, declined.idBackId, declined.photoId]) {
      if (fileId !== null) await releaseFile(transaction, fileId);
    }
    await audit(transaction, admin, {
      action: 'verification.decline',
      subject: `profile:${declined.userId}`,
      before: { request: id, valid: null, sentVerifiedReq: true },
      after: { sentVerifiedReq: false, verified: null, reason },
    });
    return { userId: declined.userId, last: lastRow(verifications, declined.row) };
  });
  await announceRequest(parts, { change: 'delete', last }, { id, userId, valid: null });
  await announceProfileChange(parts, userId);
}

/**
 * Sets a member's birth date from the ID, where it is missing or wrong (decisions §2).
 * @throws Problem `profile_not_found`, `admin_own_record`
 */
export async function correctBirthDate(
  context: Pick<Platform, 'database' | 'bus'>,
  admin: Viewer,
  { userId, birthDate }: { userId: string; birthDate: string },
): Promise<void> {
  if (verificationCan.decide(admin.profileId, { userId }) !== true) throw new Problem('admin_own_record');
  await context.database.transaction(async (transaction) => {
    const before = await setBirthDate(transaction, userId, birthDate);
    await audit(transaction, admin, {
      action: 'verification.correctBirthDate',
      subject: `profile:${userId}`,
      // The log is kept for ever: what the date decides, not the date.
      before: { age: adultVerdict(before) },
      after: { age: adultVerdict(birthDate) },
    });
  });
  await announceProfileChange(context, userId);
}
