import { and, eq, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { arrayText, isNotAmong } from '../../platform/database/among.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { hiddenMembers, mutes } from './tables.ts';

/** A viewer, or its placeholders in a prepared statement. */
export type Reader =
  | Pick<Viewer, 'hiddenProfileIds' | 'mutedProfileIds'>
  | typeof viewerPlaceholders
  | typeof unplannedViewer;

/** In place of the viewer in a prepared statement; give `visibilityValues(viewer)` at each call. */
export const viewerPlaceholders = {
  hiddenProfileIds: sql.placeholder('hiddenProfileIds'),
  mutedProfileIds: sql.placeholder('mutedProfileIds'),
} as const;

/**
 * The same for a statement that is slow to plan. Postgres keeps a plan for 10 hidden ids unless one for the ids of a call
 * is cheaper, which it is for viewers with fewer; in a sub-select the ids are not known when it plans.
 */
export const unplannedViewer = {
  hiddenProfileIds: sql`(select ${viewerPlaceholders.hiddenProfileIds}::text[])`,
  mutedProfileIds: sql`(select ${viewerPlaceholders.mutedProfileIds}::text[])`,
} as const;

/** The values of `viewerPlaceholders` for a viewer. */
export const visibilityValues = ({
  hiddenProfileIds,
  mutedProfileIds,
}: Pick<Viewer, 'hiddenProfileIds' | 'mutedProfileIds'>) => ({
  hiddenProfileIds: arrayText(hiddenProfileIds),
  mutedProfileIds: arrayText(mutedProfileIds),
});

const isNotListed = (column: SQLWrapper, ids: readonly string[] | Placeholder | SQL): SQL | undefined => {
  if (Array.isArray(ids)) return ids.length === 0 ? undefined : isNotAmong(column, ids);
  return sql`${column} <> all(${ids}::text[])`;
};

/**
 * The condition of every list of members and of what they made: nobody is in it who is hidden from the viewer. It is
 * part of the list's WHERE, so that pages stay full.
 * @param columns profile ids: of each member that a row shows.
 */
export const visibleTo = (reader: Reader, ...columns: SQLWrapper[]): SQL | undefined =>
  and(...columns.map((column) => isNotListed(column, reader.hiddenProfileIds)));

/** The condition of every list of posts, comments and reviews: `visibleTo`, and the viewer muted nobody of it. */
export const contentVisibleTo = (reader: Reader, ...columns: SQLWrapper[]): SQL | undefined =>
  and(visibleTo(reader, ...columns), ...columns.map((column) => isNotListed(column, reader.mutedProfileIds)));

/** What a viewer carries of blocks and mutes, as columns of a select that has the viewer's profile. */
export const viewerVisibility = (profileId: SQLWrapper) => ({
  hiddenProfileIds: sql<string[]>`array(select ${hiddenMembers.profileId} from ${hiddenMembers}
    where ${eq(hiddenMembers.viewerId, profileId)})`,
  hiddenAccountIds: sql<string[]>`array(select ${hiddenMembers.accountId} from ${hiddenMembers}
    where ${eq(hiddenMembers.viewerId, profileId)})`,
  mutedProfileIds: sql<
    string[]
  >`array(select ${mutes.mutedId} from ${mutes} where ${eq(mutes.muterId, profileId)})`,
});

/** The name by which a member knows another who is hidden from them; null when neither blocked the other. */
export const hiddenName = (viewerId: SQLWrapper, profileId: SQLWrapper) => sql<string | null>`(
  select ${hiddenMembers.name} from ${hiddenMembers}
  where ${hiddenMembers.viewerId} = ${viewerId} and ${hiddenMembers.profileId} = ${profileId}
  order by ${hiddenMembers.createdAt} limit 1)`;
