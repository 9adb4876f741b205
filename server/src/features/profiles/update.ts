import { payoutNumberDelayMs } from '@tara/contract/limits';
import {
  type AboutChange,
  eachAboutText,
  isBirthDateFixed,
  mobileNumber,
  type OwnProfile,
} from '@tara/contract/members/profiles';
import type { VerificationDecline } from '@tara/contract/members/verification-declines';
import { longDateTime } from '@tara/contract/philippine-time';
import { problemMessage } from '@tara/contract/problems';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { columnDefaults } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { requireRecentPassword, type Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { attachFile, releaseFile } from '../files/index.ts';
import { notify } from '../notifications/index.ts';
import { announceProfile, presentOwnProfile } from './present.ts';
import { type ProfileRow, readProfile } from './read.ts';
import { profiles } from './tables.ts';

type ProfileContext = Pick<Platform, 'database' | 'bus'>;

/** Holds the profile until the commit, so that what was before is known for sure. */
async function lockProfile(transaction: Transaction, id: string) {
  const [profile] = await transaction
    .select({
      imageId: profiles.imageId,
      phoneNumber: profiles.phoneNumber,
      payoutNumberFrom: profiles.payoutNumberFrom,
      name: profiles.name,
      username: profiles.username,
      bDay: profiles.birthDate,
      sentVerifiedReq: profiles.sentVerifiedReq,
      verified: profiles.verified,
    })
    .from(profiles)
    .where(eq(profiles.id, id))
    .for('update');
  if (!profile) throw new Problem('profile_not_found');
  return profile;
}

async function reread(transaction: Transaction, id: string): Promise<ProfileRow> {
  const row = await readProfile(transaction, id);
  if (!row) throw new Problem('profile_not_found');
  return row;
}

function finish({ bus }: ProfileContext, viewer: Viewer, { profile, picture }: ProfileRow): OwnProfile {
  bus.publish('viewerChanged', { accountId: viewer.accountId });
  announceProfile(bus, profile, picture);
  return presentOwnProfile(profile, picture, viewer.email);
}

/**
 * Changes one's About section (§5). A first phone number lets the payouts that wait for one go out (§6); another one is
 * used 24 hours later, and the change is mailed.
 * @throws Problem `user_recent_password_required` when the number that receives payouts changes,
 * `profile_birth_date_fixed` when the birth date changes after a verification was requested.
 */
export async function updateAbout(
  context: ProfileContext,
  viewer: Viewer,
  about: AboutChange,
): Promise<OwnProfile> {
  const changed = await context.database.transaction(async (transaction) => {
    const before = await lockProfile(transaction, viewer.profileId);
    const numberBefore = mobileNumber(before.phoneNumber);
    const numberChanged = mobileNumber(about.phoneNumber) !== numberBefore;
    const firstNumber = numberBefore === null && before.payoutNumberFrom === null;
    if (numberChanged) requireRecentPassword(viewer);
    const birthDate = about.birthDate === '' ? null : about.birthDate;
    if (birthDate !== before.bDay && isBirthDateFixed(before)) {
      const rule = problemMessage('profile_birth_date_fixed');
      throw new Problem('profile_birth_date_fixed', { fields: { birthDate: rule } });
    }
    await transaction
      .update(profiles)
      .set({
        ...eachAboutText((name) => about[name]),
        birthDate,
        phoneNumber: about.phoneNumber,
        ...(numberChanged && !firstNumber
          ? { payoutNumberFrom: sql`now() + make_interval(secs => ${payoutNumberDelayMs / 1000})` }
          : {}),
        updatedAt: sql`now()`,
      })
      .where(eq(profiles.id, viewer.profileId));
    const row = await reread(transaction, viewer.profileId);
    if (numberChanged) await tasks.profilePayouts.enqueue(transaction, { profileId: viewer.profileId });
    const from = row.profile.payoutNumberFrom;
    if (numberChanged && !firstNumber && from !== null) {
      await notify(transaction, {
        event: 'payoutNumberChanged',
        to: { profileId: viewer.profileId },
        occasion: from.toISOString(),
        details: { from: longDateTime(from) },
      });
    }
    return row;
  });
  return finish(context, viewer, changed);
}

/** Changes one's profile picture to an uploaded one; the one before goes, unless a post shows it. */
export async function updatePicture(
  context: ProfileContext,
  viewer: Viewer,
  imageId: string,
): Promise<OwnProfile> {
  const changed = await context.database.transaction(async (transaction) => {
    const before = await lockProfile(transaction, viewer.profileId);
    const picture = await attachFile(transaction, {
      id: imageId,
      ownerAccountId: viewer.accountId,
      bucket: 'images',
      alt: before.name,
    });
    await transaction
      .update(profiles)
      .set({ imageId: picture.id, updatedAt: sql`now()` })
      .where(eq(profiles.id, viewer.profileId));
    if (before.imageId !== null) await releaseFile(transaction, before.imageId);
    return reread(transaction, viewer.profileId);
  });
  return finish(context, viewer, changed);
}

/** Sets whether people who are not signed in see one's posts behind shared links (decisions §2). */
export async function updateSharing(
  context: ProfileContext,
  viewer: Viewer,
  sharesPosts: boolean,
): Promise<OwnProfile> {
  const changed = await context.database.transaction(async (transaction) => {
    await transaction.update(profiles).set({ sharesPosts }).where(eq(profiles.id, viewer.profileId));
    return reread(transaction, viewer.profileId);
  });
  return finish(context, viewer, changed);
}

/**
 * Renames a member in the transaction that renames the account; another name is not verified (decision 0046). Whoever
 * waits for a verification without a name gets one, and waits on. Follow it with `announceProfileChange`. Returns the
 * names of before.
 * @throws Problem `profile_name_in_verification`
 */
export async function renameProfile(
  transaction: Transaction,
  profileId: string,
  names: { name?: string; username?: string },
): Promise<{ name: string; username: string }> {
  const before = await lockProfile(transaction, profileId);
  const isRenamed = names.name !== undefined && names.name !== before.name;
  const isInVerification = before.sentVerifiedReq && before.verified !== true;
  if (isRenamed && isInVerification && before.name !== '') {
    const rule = problemMessage('profile_name_in_verification');
    throw new Problem('profile_name_in_verification', { fields: { name: rule } });
  }
  await transaction
    .update(profiles)
    .set({
      ...names,
      ...(isRenamed && !isInVerification ? { verified: null, sentVerifiedReq: false } : {}),
      updatedAt: sql`now()`,
    })
    .where(eq(profiles.id, profileId));
  return before;
}

/** Of a profile that passes to another person; Postgres makes the words. */
const asNew = columnDefaults(profiles, ['id', 'accountId', 'number', 'words', 'createdAt']);

/** Empties the profile of an account that passes to another person. Its picture goes. */
export async function renewProfile(transaction: Transaction, accountId: string, name: string): Promise<void> {
  const own = eq(profiles.accountId, accountId);
  const [before] = await transaction
    .select({ imageId: profiles.imageId })
    .from(profiles)
    .where(own)
    .for('update');
  await transaction
    .update(profiles)
    .set({ ...asNew, name })
    .where(own);
  if (before?.imageId) await releaseFile(transaction, before.imageId);
}

const noDecline = { declineReason: null, declineNote: null };

/** Notes that a member asks to be verified. False when they asked before, or are verified: then nothing changed (§4). */
export async function markVerificationSent(transaction: Transaction, profileId: string): Promise<boolean> {
  const changed = await transaction
    .update(profiles)
    .set({ sentVerifiedReq: true, ...noDecline, updatedAt: sql`now()` })
    .where(and(eq(profiles.id, profileId), eq(profiles.sentVerifiedReq, false), isNull(profiles.verified)))
    .returning({ id: profiles.id });
  return changed.length === 1;
}

/**
 * Sets what an admin decided of a member's identity (§4): accepted, `verified` is true; declined, it is null, the member
 * may ask again, and is told why. False when it cannot be accepted, because there is no birth date: then nothing changed. Follow
 * it with `announceProfileChange` after the commit.
 */
export async function setVerified(
  transaction: Transaction,
  profileId: string,
  decision: 'accepted' | { declined: VerificationDecline },
): Promise<boolean> {
  const accepted = decision === 'accepted';
  const own = eq(profiles.id, profileId);
  const changed = await transaction
    .update(profiles)
    .set(
      accepted
        ? { verified: true, verifiedName: profiles.name, updatedAt: sql`now()` }
        : {
            ...{ verified: null, sentVerifiedReq: false, updatedAt: sql`now()` },
            ...{ declineReason: decision.declined.reason, declineNote: decision.declined.note },
          },
    )
    .where(accepted ? and(own, isNotNull(profiles.birthDate)) : own)
    .returning({ id: profiles.id });
  return changed.length === 1;
}

/**
 * Sets a member's birth date as it is on the ID (decisions §2), by an admin or with the verification request, and returns
 * the one before. Follow it with
 * `announceProfileChange` after the commit.
 * @throws Problem `profile_not_found`
 */
export async function setBirthDate(
  transaction: Transaction,
  profileId: string,
  birthDate: string,
): Promise<string | null> {
  const own = eq(profiles.id, profileId);
  const [before] = await transaction
    .select({ birthDate: profiles.birthDate })
    .from(profiles)
    .where(own)
    .for('update');
  if (!before) throw new Problem('profile_not_found');
  await transaction.update(profiles).set({ birthDate, updatedAt: sql`now()` }).where(own);
  return before.birthDate;
}

/** After a commit that changed a member's profile: sessions read it again, and everybody's screens show it. */
export async function announceProfileChange(
  { database, bus }: { database: Database; bus: Platform['bus'] },
  profileId: string,
): Promise<void> {
  const row = await readProfile(database, profileId);
  if (!row) return;
  bus.publish('viewerChanged', { accountId: row.profile.accountId });
  announceProfile(bus, row.profile, row.picture);
}
