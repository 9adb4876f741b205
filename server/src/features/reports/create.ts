import type { NewReport, ReportedRecord, ReportKind } from '@tara/contract/reports';
import { eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns, presentPicture } from '../files/index.ts';
import { plans } from '../plans/index.ts';
import { posts } from '../posts/index.ts';
import { profiles } from '../profiles/index.ts';
import { reviewComments, reviewPhotos, reviews } from '../reviews/index.ts';
import { memberCan } from '../visibility/index.ts';
import { reports } from './tables.ts';

/** Where a kind of record is, whose it is, and what is copied of it. */
interface Source {
  table: PgTable;
  id: PgColumn;
  memberId: PgColumn;
  imageId: SQLWrapper | null;
  createdAt: PgColumn;
  title: SQLWrapper;
  text: SQLWrapper;
}

const lines = (...parts: SQLWrapper[]) => sql`concat_ws(e'\n', ${sql.join(parts, sql`, `)})`;
const nothing = sql`''`;

/** The photo of a review that its card shows. */
const firstPhoto = sql`(select ${reviewPhotos.imageId} from ${reviewPhotos}
  where ${reviewPhotos.reviewId} = ${reviews.id} order by ${reviewPhotos.position} limit 1)`;

const sources: Record<ReportKind, Source> = {
  member: {
    ...{ table: profiles, id: profiles.id, memberId: profiles.id, imageId: profiles.imageId },
    ...{ createdAt: profiles.createdAt, title: sql`${profiles.name} || ' @' || ${profiles.username}` },
    text: lines(profiles.bio, profiles.workingAs, profiles.education, profiles.lookingFor, profiles.hobby),
  },
  post: {
    ...{ table: posts, id: posts.id, memberId: posts.creatorId, imageId: posts.imageId },
    ...{ createdAt: posts.createdAt, title: posts.location },
    text: lines(posts.caption, sql`array_to_string(${posts.tags}, ' ')`),
  },
  comment: {
    ...{ table: reviewComments, id: reviewComments.id, memberId: reviewComments.creatorId, imageId: null },
    ...{ createdAt: reviewComments.createdAt, title: nothing, text: reviewComments.body },
  },
  review: {
    ...{ table: reviews, id: reviews.id, memberId: reviews.creatorId, imageId: firstPhoto },
    ...{ createdAt: reviews.createdAt, title: reviews.location, text: reviews.caption },
  },
  plan: {
    ...{ table: plans, id: plans.id, memberId: plans.creatorId, imageId: plans.imageId },
    ...{ createdAt: plans.createdAt, title: plans.title, text: lines(plans.description, plans.terms) },
  },
};

/** The record as it is now, and whose it is. @throws Problem `report_record_not_found`, also when it is hidden. */
async function copyRecord(
  database: Database,
  viewer: Viewer,
  kind: ReportKind,
  recordId: string,
): Promise<{ memberId: string; snapshot: ReportedRecord }> {
  const { table, id, memberId, imageId, createdAt, title, text } = sources[kind];
  const [row] = await database
    .select({
      memberId: sql<string>`${memberId}`,
      title: sql<string>`${title}`,
      text: sql<string>`${text}`,
      createdAt: sql<string>`${createdAt}`,
      picture: pictureColumns(files),
    })
    .from(table)
    .leftJoin(files, imageId === null ? sql`false` : eq(files.id, imageId))
    .where(eq(id, recordId));
  if (!row || !memberCan.see(viewer, row.memberId)) throw new Problem('report_record_not_found');
  const { picture } = row;
  return {
    memberId: row.memberId,
    snapshot: {
      title: row.title,
      text: row.text,
      imageUrl: picture && presentPicture(picture).imageUrl,
      createdAt: new Date(row.createdAt).toISOString(),
    },
  };
}

/**
 * Stores a report with a copy of the record.
 * @throws Problem `report_record_not_found`, `report_own_record`, `report_already_sent` while one's last is open.
 */
export async function createReport(database: Database, viewer: Viewer, form: NewReport): Promise<void> {
  const { memberId, snapshot } = await copyRecord(database, viewer, form.kind, form.recordId);
  if (memberId === viewer.profileId) throw new Problem('report_own_record');
  try {
    await database
      .insert(reports)
      .values({ id: newId(), reporterId: viewer.profileId, memberId, snapshot, ...form });
  } catch (error) {
    if (violates(error, 'reports_one_open')) throw new Problem('report_already_sent', { cause: error });
    throw error;
  }
}
