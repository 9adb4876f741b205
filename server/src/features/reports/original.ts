import { type ReportedRecord, reportCan } from '@tara/contract/reports';
import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { audit } from '../audit/index.ts';
import { presentPicture, showHiddenToAdmins } from '../files/index.ts';
import { findOriginal } from '../messages/index.ts';
import { reports } from './tables.ts';

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
    const [report] = await transaction
      .select()
      .from(reports)
      .where(and(eq(reports.id, id), isNull(reports.decidedAt)));
    if (!report) throw new Problem('report_not_found');
    if (reportCan.decide(report, admin.profileId) !== true) throw new Problem('admin_own_record');
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
