import { reportedMessages } from '@tara/contract/limits';
import { shownAboutFields } from '@tara/contract/members/profiles';
import type { NewReport, ReportedRecord, ReportKind } from '@tara/contract/members/reports';
import { picturePreview } from '@tara/contract/notices';
import { and, desc, eq, lte, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../../platform/database/connect.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns, presentPicture, showToAdmins } from '../files/index.ts';
import { findChat, messages } from '../messages/index.ts';
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

const sources: Record<Exclude<ReportKind, 'message'>, Source> = {
  member: {
    ...{ table: profiles, id: profiles.id, memberId: profiles.id, imageId: profiles.imageId },
    ...{ createdAt: profiles.createdAt, title: sql`${profiles.name} || ' @' || ${profiles.username}` },
    text: lines(
      ...shownAboutFields.filter(({ unreported }) => !unreported).map(({ name }) => profiles[name]),
    ),
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

/** A record as it was reported. */
interface Copy {
  memberId: string;
  snapshot: ReportedRecord;
  /** A picture that only the two members of its chat see. */
  privateImageId?: string | null;
}

/** The record as it is now, and whose it is. @throws Problem `report_record_not_found`, also when it is hidden. */
async function copyRecord(
  database: Database,
  viewer: Viewer,
  kind: keyof typeof sources,
  recordId: string,
): Promise<Copy> {
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
 * A message of a chat that the viewer can read, with what the same member wrote there before it.
 * @throws Problem `report_record_not_found`, also for a line of Tara and for others' chats.
 */
async function copyMessage(
  database: Database,
  viewer: Viewer,
  chatId: string,
  messageId: string,
): Promise<Copy> {
  await findChat(database, viewer, chatId).catch((cause: unknown) => {
    throw cause instanceof Problem ? new Problem('report_record_not_found', { cause }) : cause;
  });
  const inChat = eq(messages.chatId, chatId);
  const [reported] = await database
    .select()
    .from(messages)
    .where(and(inChat, eq(messages.id, messageId)));
  if (!reported?.userId) throw new Problem('report_record_not_found');
  const newestFirst = await database
    .select({ body: messages.body })
    .from(messages)
    .where(and(inChat, eq(messages.userId, reported.userId), lte(messages.sequence, reported.sequence)))
    .orderBy(desc(messages.sequence))
    .limit(reportedMessages);
  return {
    memberId: reported.userId,
    snapshot: {
      title: '',
      text: newestFirst
        .reverse()
        .map(({ body }) => body || picturePreview)
        .join('\n'),
      imageUrl: reported.picture && presentPicture(reported.picture).imageUrl,
      createdAt: reported.createdAt.toISOString(),
    },
    privateImageId: reported.imageId,
  };
}

/**
 * Stores a report with a copy of the record.
 * @throws Problem `report_record_not_found`, `report_own_record`, `report_already_sent` while one's last is open.
 */
export async function createReport(database: Database, viewer: Viewer, form: NewReport): Promise<void> {
  const { chatId = '', ...report } = form;
  const { memberId, snapshot, privateImageId } =
    report.kind === 'message'
      ? await copyMessage(database, viewer, chatId, report.recordId)
      : await copyRecord(database, viewer, report.kind, report.recordId);
  if (memberId === viewer.profileId) throw new Problem('report_own_record');
  await database
    .transaction(async (transaction) => {
      await transaction.insert(reports).values({
        id: newId(),
        reporterId: viewer.profileId,
        memberId,
        snapshot,
        ...report,
        chatId: chatId || null,
      });
      if (privateImageId) await showToAdmins(transaction, privateImageId);
    })
    .catch(refuseAs({ reports_one_open: 'report_already_sent' }));
}
