import { pageSize } from '@tara/contract/limits';
import type { OwnProfile, Profile } from '@tara/contract/members/profiles';
import type { PageOf } from '@tara/contract/page';
import { and, eq, getTableColumns, isNull, ne } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { bestHits } from '../../platform/database/search.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, type PictureRow, pictureColumns } from '../files/index.ts';
import { requireVisible, visibleTo } from '../visibility/index.ts';
import { profileCan } from './policy.ts';
import { type ProfileFields, presentOwnProfile, presentProfile } from './present.ts';
import { profiles } from './tables.ts';

const { number: _number, words: _words, ...shown } = getTableColumns(profiles);
/** A member with the picture; join `files` on the profile's `imageId`. */
export const profileColumns = { profile: shown, picture: pictureColumns(files) };

export interface ProfileRow {
  profile: ProfileFields;
  picture: PictureRow | null;
}

/** One member with the picture, as stored; undefined when there is none. */
export async function readProfile(
  database: Database | Transaction,
  id: string,
): Promise<ProfileRow | undefined> {
  const [row] = await database
    .select(profileColumns)
    .from(profiles)
    .leftJoin(files, eq(files.id, profiles.imageId))
    .where(eq(profiles.id, id));
  return row;
}

/** @throws Problem `profile_not_found` */
export async function getProfile(
  database: Database,
  viewer: Viewer,
  id: string,
): Promise<Profile | OwnProfile> {
  const row = await readProfile(database, id);
  if (!row || row.profile.deletedAt !== null) throw new Problem('profile_not_found');
  requireVisible(viewer, id, 'profile_not_found');
  const { profile, picture } = row;
  return profileCan.seePrivate(viewer, profile)
    ? presentOwnProfile(profile, picture, viewer.email)
    : { ...presentProfile(profile, picture), muted: viewer.mutedProfileIds.includes(id) };
}

/** Members other than the viewer by last update, 20 a page (§7). */
export async function listPeople(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<Profile>> {
  return readPage(cursor, {
    size: pageSize.people,
    sortedBy: { time: profiles.updatedAt, id: profiles.id },
    query: database.select(profileColumns).from(profiles).leftJoin(files, eq(files.id, profiles.imageId)),
    where: and(ne(profiles.id, viewer.profileId), isNull(profiles.deletedAt), visibleTo(viewer, profiles.id)),
    present: ({ profile, picture }) => presentProfile(profile, picture),
    toCursor: ({ profile }) => ({ at: profile.updatedAt, id: profile.id }),
  });
}

/** Members other than the viewer with all words of a text in name, username or hobby, the best first (decision 0034). */
export async function searchPeople(
  database: Database,
  viewer: Viewer,
  search: string,
): Promise<PageOf<Profile>> {
  const visible = and(
    ne(profiles.id, viewer.profileId),
    isNull(profiles.deletedAt),
    visibleTo(viewer, profiles.id),
  );
  const best = bestHits(profiles, profiles, search, visible);
  const rows = await database
    .select(profileColumns)
    .from(profiles)
    .innerJoin(best.table, eq(profiles.number, best.number))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .orderBy(...best.order);
  return { items: rows.map(({ profile, picture }) => presentProfile(profile, picture)), next: null };
}
