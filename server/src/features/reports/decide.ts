import { type NewDecision, type ReportedRecord, reportCan } from '@tara/contract/members/reports';
import type { MessagesPage } from '@tara/contract/messages/messages';
import { longDate } from '@tara/contract/philippine-time';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { wholeRow } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { lastRow } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { banAccount, suspendAccount, warnAccount } from '../accounts/index.ts';
import { audit } from '../audit/index.ts';
import { presentPicture, showHiddenToAdmins } from '../files/index.ts';
import { chats, findOriginal, forgetOriginal, inspectPlanChat, removeMessage } from '../messages/index.ts';
import { notify, withdrawByMember } from '../notifications/index.ts';
import { announceEnded, endBannedRequests } from '../payments/index.ts';
import { plans } from '../plans/index.ts';
import { announceRemovedPost, removePost } from '../posts/index.ts';
import { profiles } from '../profiles/index.ts';
import {
  announceRemovedComment,
  announceRemovedReview,
  removeComment,
  removeReview,
} from '../reviews/index.ts';
import { reports } from './tables.ts';

type ReportContext = Pick<Platform, 'database' | 'bus' | 'log'>;
type ReportRow = typeof reports.$inferSelect;
/** What is announced after the commit. */
type Announcement = (context: ReportContext) => unknown;

/**
 * Decides an open report, once; of two admins the second finds none. Never a report by or about the admin.
 * @throws Problem `report_not_found`, `admin_own_record`, `report_not_possible` without a record or member to act on.
 */
export async function decideReport(
  context: ReportContext,
  admin: Viewer,
  decision: NewDecision,
): Promise<void> {
  const announce = await context.database.transaction(async (transaction) => {
    const [report] = await transaction
      .select()
      .from(reports)
      .where(and(eq(reports.id, decision.id), isNull(reports.decidedAt)))
      .for('update');
    if (!report) throw new Problem('report_not_found');
    if (reportCan.decide(admin.profileId, report) !== true) throw new Problem('admin_own_record');
    const announcement = await act(context, transaction, report, decision);
    await transaction
      .update(reports)
      .set({ decision: decision.decision, decidedBy: admin.accountId, decidedAt: sql`now()` })
      .where(eq(reports.id, report.id));
    await forgetReported(transaction, report);
    if (report.reporterId !== null)
      await notify(transaction, {
        event: 'reportDecided',
        to: { profileId: report.reporterId },
        occasion: report.id,
        details: { decision: decision.decision === 'dismiss' ? 'dismiss' : 'act' },
      });
    await audit(transaction, admin, {
      action: `report.${decision.decision}`,
      subject: `report:${report.id}`,
      before: { kind: report.kind, recordId: report.recordId, reason: report.reason },
      after: { memberId: report.memberId, days: decision.days, note: decision.note },
    });
    return announcement;
  });
  await announce(context);
}

/** Deletes the original of a reported message that was taken back, with the last open report of it. */
async function forgetReported(
  transaction: Transaction,
  { kind, chatId, recordId }: ReportRow,
): Promise<void> {
  if (kind !== 'message' || chatId === null) return;
  // Of two decisions at once the second sees the first.
  await transaction.select({ id: chats.id }).from(chats).where(eq(chats.id, chatId)).for('update');
  const isOpen = and(
    ...[eq(reports.kind, kind), eq(reports.chatId, chatId), eq(reports.recordId, recordId)],
    isNull(reports.decidedAt),
  );
  if ((await transaction.$count(reports, isOpen)) === 0) await forgetOriginal(transaction, chatId, recordId);
}

async function act(
  { bus }: ReportContext,
  transaction: Transaction,
  report: ReportRow,
  { decision, days = 0, note = '' }: NewDecision,
): Promise<Announcement> {
  if (decision === 'dismiss') return () => {};
  const sanction = (until: Date | null = null) =>
    report.memberId !== null &&
    notify(transaction, {
      event: 'sanctioned',
      to: { profileId: report.memberId },
      occasion: report.id,
      details: { decision, note, ...(until && { until: longDate(until) }) },
    });
  if (decision === 'remove') {
    const announcement = await removeRecord(transaction, report);
    await sanction();
    return announcement;
  }
  const [member] = await transaction
    .select({ accountId: profiles.accountId })
    .from(profiles)
    .where(eq(profiles.id, report.memberId ?? ''));
  if (!member) throw new Problem('report_not_possible');
  const { accountId } = member;
  if (decision === 'warn') await warnAccount(transaction, accountId, note);
  await sanction(decision === 'suspend' ? await suspendAccount(transaction, accountId, days) : null);
  if (decision !== 'warn') await withdrawByMember(transaction, { bus }, report.memberId ?? '');
  if (decision !== 'ban') return () => bus.publish('viewerChanged', { accountId });
  await banAccount(transaction, bus, accountId);
  const ended = await endBannedRequests(transaction, report.memberId ?? '');
  return (context) => announceEnded(context, ended);
}

/** Removes the reported record; one that is gone already is no failure. */
async function removeRecord(
  transaction: Transaction,
  { kind, recordId, chatId }: ReportRow,
): Promise<Announcement> {
  switch (kind) {
    case 'post': {
      const removed = await removePost(transaction, recordId);
      return ({ bus }) => removed && announceRemovedPost(bus, removed);
    }
    case 'review': {
      const removed = await removeReview(transaction, recordId);
      return ({ bus }) => removed && announceRemovedReview(bus, removed);
    }
    case 'comment': {
      const removed = await removeComment(transaction, recordId);
      return ({ bus }) => removed && announceRemovedComment(bus, removed);
    }
    case 'plan':
      return removePlan(transaction, recordId);
    case 'message':
      return (await removeMessage(transaction, chatId ?? '', recordId)) ?? (() => {});
    case 'member':
      throw new Problem('report_not_possible', {
        text: 'A profile is not removed: suspend or ban the member.',
      });
  }
}

/** Hides a plan from everybody; its requests still show it. */
async function removePlan(transaction: Transaction, id: string): Promise<Announcement> {
  const [removed] = await transaction
    .update(plans)
    .set({ removedAt: sql`now()` })
    .where(and(eq(plans.id, id), isNull(plans.removedAt)))
    .returning({ creatorId: plans.creatorId, row: wholeRow(plans) });
  if (removed === undefined) return () => {};
  const { creatorId, row } = removed;
  const last = lastRow(plans, { ...row, removed_at: null });
  return ({ bus }) =>
    bus.publish('document', {
      ...{ collection: 'plans', id, change: 'delete', last, document: { id }, audience: 'members' },
      owners: { profileIds: [creatorId], authorId: null },
    });
}

/** An open report that the admin may decide. @throws Problem `report_not_found`, `admin_own_record` */
async function findDecidable(
  database: Database | Transaction,
  admin: Viewer,
  id: string,
): Promise<typeof reports.$inferSelect> {
  const [report] = await database
    .select()
    .from(reports)
    .where(and(eq(reports.id, id), isNull(reports.decidedAt)));
  if (!report) throw new Problem('report_not_found');
  if (reportCan.decide(admin.profileId, report) !== true) throw new Problem('admin_own_record');
  return report;
}

/**
 * What a reported message said before it was taken back, in a plan chat (decisions §2) or after it was reported with its
 * picture, for an admin who may decide the open report. Each look is written to the audit log, without the words.
 * @throws Problem `report_not_found`, `admin_own_record`, `report_not_possible` when there is no original (any more).
 */
export async function readOriginal(
  database: Database,
  admin: Viewer,
  id: string,
): Promise<Pick<ReportedRecord, 'text' | 'imageUrl'>> {
  return database.transaction(async (transaction) => {
    const report = await findDecidable(transaction, admin, id);
    const original = await findOriginal(transaction, report.chatId ?? '', report.recordId);
    if (!original) throw new Problem('report_not_possible', { text: 'There is no original of it.' });
    if (original.imageId !== null) await showHiddenToAdmins(transaction, original.imageId);
    await audit(transaction, admin, {
      action: 'report.original',
      subject: `report:${id}`,
      before: {},
      after: { chatId: original.chatId, recordId: report.recordId, memberId: report.memberId },
    });
    return { text: original.body, imageUrl: original.picture && presentPicture(original.picture).imageUrl };
  });
}

/**
 * Messages of the plan chat that a reported message is of, for an admin who may decide the open report. Each look is
 * written to the audit log. A conversation has no such look: its report holds a copy of what was reported.
 * @throws Problem `report_not_found`, `admin_own_record`, `report_not_possible` for a report of anything else.
 */
export async function readReportedChat(
  database: Database,
  admin: Viewer,
  { id, before }: { id: string; before?: number | undefined },
): Promise<MessagesPage> {
  const { kind, chatId } = await findDecidable(database, admin, id);
  const [chat] = await database
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.id, chatId ?? ''), eq(chats.kind, 'receipt')));
  if (kind !== 'message' || !chat)
    throw new Problem('report_not_possible', { text: 'It is not about a message of a plan chat.' });
  const look = { action: 'report.chat', subject: `report:${id}` };
  return inspectPlanChat(database, admin, { chatId: chat.id, before }, look);
}
