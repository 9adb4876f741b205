import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import type { OwnProfile, Profile } from '@tara/contract/profiles';
import { and, eq, getTableColumns, ilike, ne } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, type PictureRow, pictureColumns } from '../files/index.ts';
import { requireVisible, visibleTo } from '../visibility/index.ts';
import { canSeeOwn } from './policy.ts';
import { presentOwnProfile, presentProfile } from './present.ts';
import { profiles } from './tables.ts';

const columns = { profile: getTableColumns(profiles), picture: pictureColumns(files) };

export interface ProfileRow {
  profile: typeof profiles.$inferSelect;
  picture: PictureRow | null;
}

/** One member with the picture, as stored; undefined when there is none. */
export async function readProfile(
  database: Database | Transaction,
  id: string,
): Promise<ProfileRow | undefined> {
  const [row] = await database
    .select(columns)
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
  if (!row) throw new Problem('profile_not_found');
  requireVisible(viewer, id, 'profile_not_found');
  const { profile, picture } = row;
  return canSeeOwn(viewer, profile)
    ? presentOwnProfile(profile, picture, viewer.email)
    : { ...presentProfile(profile, picture), muted: viewer.mutedProfileIds.includes(id) };
}

/** What is searched is found as it was typed: `%` and `_` mean themselves. */
const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Members other than the viewer by last update, 20 a page; `search` finds by name (§7). */
export async function listPeople(
  database: Database,
  viewer: Viewer,
  { cursor, search }: { cursor?: string; search?: string },
): Promise<PageOf<Profile>> {
  const { where, orderBy } = keyset(profiles.updatedAt, profiles.id, readCursor(cursor), 'desc');
  const rows = await database
    .select(columns)
    .from(profiles)
    .leftJoin(files, eq(files.id, profiles.imageId))
    .where(
      and(
        ne(profiles.id, viewer.profileId),
        visibleTo(viewer, profiles.id),
        where,
        search ? ilike(profiles.name, containing(search)) : undefined,
      ),
    )
    .orderBy(...orderBy)
    .limit(pageSize.people + 1);
  return presentPage(
    rows,
    pageSize.people,
    ({ profile, picture }) => presentProfile(profile, picture),
    ({ profile }) => ({ at: profile.updatedAt, id: profile.id }),
  );
}
