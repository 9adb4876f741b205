import { nowMs } from '@tara/contract/clock';
import type { Rating } from '@tara/contract/fields';
import { eachAboutText, type OwnProfile, type Person, type Profile } from '@tara/contract/members/profiles';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { pickColumns } from '../../platform/database/columns.ts';
import type { Platform } from '../../platform/platform.ts';
import { initialsPicture, type PictureRow, presentPicture } from '../files/index.ts';
import type { profiles } from './tables.ts';

export interface PersonRow {
  id: string;
  accountId: string;
  name: string;
  username: string;
  verified: boolean | null;
}

type PersonTable = Record<keyof PersonRow, PgColumn>;

/** Columns of a joined member; give the (aliased) table, and join `files` on its `imageId` for the picture. */
export const personColumns = <Table extends PersonTable>(table: Table) =>
  pickColumns(table, ['id', 'accountId', 'name', 'username', 'verified']);

/** A member as shown beside what they made; `picture` is the joined file, null before the first upload. */
export function presentPerson(row: PersonRow, picture: PictureRow | null): Person {
  return {
    id: row.id,
    accountId: row.accountId,
    name: row.name,
    username: row.username,
    verified: row.verified,
    picture: picture ? presentPicture(picture) : initialsPicture(row.name),
  };
}

/** A member who is hidden from the reader, where a request between them stays reachable: the name, and no link. */
export const presentHiddenPerson = (name: string): Person => ({
  id: '',
  accountId: '',
  name,
  username: '',
  picture: initialsPicture(name),
  verified: null,
});

/** What is read of a profile; the list of people alone reads its order, and a search its words. */
export type ProfileFields = Omit<
  typeof profiles.$inferSelect,
  'number' | 'words' | 'cityKey' | 'completeness'
>;

/** Stars and meetings from stored totals. */
export const presentRating = (totals: {
  totalReviews: number;
  totalStars: number;
  totalMeetings: number;
}): Rating => ({
  stars: totals.totalReviews === 0 ? null : totals.totalStars / totals.totalReviews,
  totalReviews: totals.totalReviews,
  totalMeetings: totals.totalMeetings,
});

/** A member's profile for every other member: no email, phone number or birth date (decisions §2). */
export function presentProfile(row: ProfileFields, picture: PictureRow | null): Profile {
  return {
    ...presentPerson(row, picture),
    ...eachAboutText((name) => row[name]),
    rating: presentRating({ ...row, totalMeetings: row.totalInteraction }),
    createdAt: row.createdAt.toISOString(),
  };
}

/** A profile for its owner alone. `email` is the account's. */
export function presentOwnProfile(row: ProfileFields, picture: PictureRow | null, email: string): OwnProfile {
  return {
    ...presentProfile(row, picture),
    email,
    phoneNumber: row.phoneNumber,
    payoutNumberFrom:
      row.payoutNumberFrom && row.payoutNumberFrom.getTime() > nowMs()
        ? row.payoutNumberFrom.toISOString()
        : null,
    bDay: row.birthDate,
    sentVerifiedReq: row.sentVerifiedReq,
    verificationDecline:
      row.declineReason === null ? null : { reason: row.declineReason, note: row.declineNote ?? '' },
    sharesPosts: row.sharesPosts,
    limitedPlan: row.limitedPlan,
    totalPlan: row.totalPlan,
    totalInteraction: row.totalInteraction,
  };
}

/** Announces a changed profile to everybody, as everybody may see it. */
export function announceProfile(
  bus: Platform['bus'],
  profile: ProfileFields,
  picture: PictureRow | null,
): void {
  bus.publish('document', {
    collection: 'users',
    id: profile.id,
    change: 'update',
    document: { ...presentProfile(profile, picture) },
    audience: 'members',
    owners: { profileIds: [profile.id], authorId: null },
  });
}
