import type { MessagesPage } from '@tara/contract/messages';
import { type ReportedRecord, reportCan } from '@tara/contract/reports';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { presentPicture, showHiddenToAdmins } from '../files/index.ts';
import { chats, findOriginal, inspectPlanChat } from '../messages/index.ts';
import { reports } from './tables.ts';

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
  if (reportCan.decide(report, admin.profileId) !== true) throw new Problem('admin_own_record');
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
    await audit(transaction, {
      actorAccountId: admin.accountId,
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
