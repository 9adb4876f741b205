import type { Decision, ReportedRecord, ReportKind, ReportReason } from '@tara/contract/members/reports';
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from '../../platform/database/columns.ts';

/** What members reported. The member's and the reporter's ids are null once their accounts are deleted. */
export const reports = pgTable('reports', {
  id: text('id').primaryKey(),
  reporterId: text('reporter_id'),
  memberId: text('member_id'),
  kind: text('kind').$type<ReportKind>().notNull(),
  recordId: text('record_id').notNull(),
  /** For a message. */
  chatId: text('chat_id'),
  reason: text('reason').$type<ReportReason>().notNull(),
  detail: text('detail').notNull().default(''),
  /** The record as it was. */
  snapshot: jsonb('snapshot').$type<ReportedRecord>().notNull(),
  decision: text('decision').$type<Decision>(),
  /** Account of the admin. */
  decidedBy: text('decided_by'),
  decidedAt: moment('decided_at'),
  createdAt: createdAt(),
});
