import { pageSize } from '@tara/contract/limits';
import type { OwnProfile, Profile } from '@tara/contract/members/profiles';
import type { PageOf } from '@tara/contract/page';
import { and, desc, eq, getTableColumns, isNull, ne, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Cursor, readPage, unknownCursor } from '../../platform/cursor.ts';
import { jsonObject } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { bestHits } from '../../platform/database/search.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, type PictureRow, pictureColumns } from '../files/index.ts';
import { type Reader, requireVisible, unplannedViewer, visibleTo } from '../visibility/index.ts';
import { profileCan } from './policy.ts';
import {
  type PersonRow,
  type ProfileFields,
  personColumns,
  presentOwnProfile,
  presentProfile,
} from './present.ts';
import { profiles } from './tables.ts';

const {
  number: _number,
  words: _words,
  cityKey: _cityKey,
  completeness: _completeness,
  ...shown
} = getTableColumns(profiles);
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

/** Whoever never confirmed an email is in no list and no search of people (decision 0002). */
export const hasConfirmedEmail = sql`not exists (select from unconfirmed_accounts where unconfirmed_accounts.id = ${profiles.accountId})`;

/** The parts of the list of people: those of the viewer's city, then the others. */
const PARTS = ['city', 'others'] as const;
type Part = (typeof PARTS)[number];

/**
 * Members other than the viewer, 20 a page: those of the viewer's city, then the others; in both parts the more complete
 * profiles first, then those updated last (decision 0002).
 */
export async function listPeople(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<Profile>> {
  const ownCity = sql`(select own.city_key from profiles as own where own.id = ${viewer.profileId})`;
  const conditions: Record<Part, SQL> = {
    city: sql`${profiles.cityKey} = ${ownCity} and ${profiles.cityKey} <> ''`,
    others: sql`(${profiles.cityKey} = '' or ${profiles.cityKey} <> ${ownCity})`,
  };
  const { completeness, updatedAt, id } = profiles;
  const readPart = async (part: Part, after: PersonCursor | null, limit: number) => {
    const rows = await database
      .select({ ...profileColumns, completeness })
      .from(profiles)
      .leftJoin(files, eq(files.id, profiles.imageId))
      .where(
        and(
          conditions[part],
          ne(id, viewer.profileId),
          isNull(profiles.deletedAt),
          hasConfirmedEmail,
          visibleTo(viewer, id),
          after
            ? sql`(${completeness}, ${updatedAt}, ${id}) < (${after.completeness}::smallint, ${after.at.toISOString()}::timestamptz, ${after.id})`
            : undefined,
        ),
      )
      .orderBy(desc(completeness), desc(updatedAt), desc(id))
      .limit(limit);
    return rows.map((row) => ({ ...row, part }));
  };
  return readPage(cursor, {
    size: pageSize.people,
    read: async ({ after, limit }) => {
      const from = after && readPersonCursor(after);
      const first = from?.part === 'others' ? [] : await readPart('city', from, limit);
      const rest = limit - first.length;
      return rest === 0
        ? first
        : [...first, ...(await readPart('others', from?.part === 'others' ? from : null, rest))];
    },
    present: ({ profile, picture }) => presentProfile(profile, picture),
    toCursor: ({ profile, completeness, part }) => ({
      at: profile.updatedAt,
      id: `${part}.${completeness}.${profile.id}`,
    }),
  });
}

interface PersonCursor extends Cursor {
  part: Part;
  completeness: number;
}

/** @throws Problem `general_cursor_not_found` */
function readPersonCursor({ at, id: text }: Cursor): PersonCursor {
  const [, name, completeness, id] = /^([a-z]+)\.(\d{1,2})\.(.+)$/.exec(text) ?? [];
  const part = PARTS.find((known) => known === name);
  if (part === undefined || id === undefined) throw unknownCursor();
  return { at, id, part, completeness: Number(completeness) };
}

/** Which members a search finds: everybody but the reader, who is not hidden from them. */
const isFoundBy = (reader: Reader, readerId: Placeholder | string) =>
  and(
    ne(profiles.id, readerId),
    isNull(profiles.deletedAt),
    hasConfirmedEmail,
    visibleTo(reader, profiles.id),
  );

/**
 * The best few of `searchPeople`, as JSON: part of a prepared statement, whose placeholders are `search`, `viewer` (a
 * profile's id) and those of `visibilityValues`.
 */
export function foremostPeople(count: number): SQL<{ person: PersonRow; picture: PictureRow | null }[]> {
  const isFound = isFoundBy(unplannedViewer, sql.placeholder('viewer'));
  const best = bestHits(profiles, profiles, sql.placeholder('search'), isFound, count);
  return sql`(
    select coalesce(json_agg(json_build_object(
      'person', ${jsonObject(personColumns(profiles))},
      'picture', case when ${files.id} is not null then ${jsonObject(pictureColumns(files))} end
    ) order by ${sql.join(best.order, sql`, `)}), '[]')
    from ${profiles} join ${best.table} on ${profiles.number} = ${best.number}
    left join ${files} on ${files.id} = ${profiles.imageId})`;
}

/** Members other than the viewer with all words of a text in name, username or hobby, the best first (decision 0034). */
export async function searchPeople(
  database: Database,
  viewer: Viewer,
  search: string,
): Promise<PageOf<Profile>> {
  const best = bestHits(profiles, profiles, search, isFoundBy(viewer, viewer.profileId));
  const rows = await database
    .select(profileColumns)
    .from(profiles)
    .innerJoin(best.table, eq(profiles.number, best.number))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .orderBy(...best.order);
  return { items: rows.map(({ profile, picture }) => presentProfile(profile, picture)), next: null };
}
