import * as z from 'zod/mini';
import { calls, post } from '../calls.ts';
import { Id, queryNumber, Time, text, wholeNumber } from '../fields.ts';
import { belongsTo } from '../form-fields.ts';
import { stages } from '../interactions/stages.ts';
import { ownRecord } from '../interactions/steps.ts';
import type { Verdict } from '../interactions/verdicts.ts';
import { reportDetailLength, suspensionDays } from '../limits.ts';
import { ChatId, MessagesPage } from '../messages/messages.ts';
import { getPage } from '../page.ts';
import { Person } from './profiles.ts';

/** What can be reported. */
export const reportKinds = ['member', 'post', 'comment', 'review', 'plan', 'message'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Why, in the words of the form. */
export const reportReasons = {
  spam: 'Spam or a scam',
  money: 'Asks for money outside Tara',
  harassment: 'Harassment or threats',
  hate: 'Hate or discrimination',
  sexual: 'Nudity or sexual content',
  minor: 'Seems to be under 18',
  impersonation: 'Pretends to be somebody else',
  danger: 'Dangerous or unsafe meeting',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof reportReasons;
const reasonNames = Object.keys(reportReasons) as [ReportReason];

const detailMissing = { path: ['detail'], message: 'Please say what is wrong.' };
const hasDetail = ({ reason, detail }: { reason: string; detail: string }) =>
  reason !== 'other' || detail !== '';

/** The fields of the report form. */
export const ReportFormFields = z
  .strictObject({
    // The form begins without one.
    reason: z.pipe(z.string(), z.enum(reasonNames, 'Please choose a reason.')),
    detail: text(reportDetailLength),
  })
  .check(z.refine(hasDetail, detailMissing));

export const NewReport = z
  .strictObject({
    kind: z.enum(reportKinds),
    recordId: Id,
    /** For a message: its chat. */
    chatId: z.optional(ChatId),
    reason: z.enum(reasonNames, 'Please choose a reason.'),
    detail: text(reportDetailLength),
  })
  .check(
    z.refine(hasDetail, detailMissing),
    belongsTo('chatId', 'a message', ({ kind, chatId }) => (kind === 'message') === (chatId !== undefined)),
  );
export type NewReport = z.infer<typeof NewReport>;

/** The reported record as it was: its texts and the address of its picture. */
export const ReportedRecord = z.object({
  title: z.string(),
  text: z.string(),
  imageUrl: z.nullable(z.string()),
  createdAt: Time,
});
export type ReportedRecord = z.infer<typeof ReportedRecord>;

/** A report as an admin sees it. */
export const Report = z.object({
  id: z.string(),
  kind: z.enum(reportKinds),
  recordId: z.string(),
  reason: z.enum(reasonNames),
  detail: z.string(),
  /** null once the account is deleted. */
  reporter: z.nullable(Person),
  member: z.nullable(Person),
  snapshot: ReportedRecord,
  /** A message of a plan chat that was taken back, whose original is still there to be looked at. */
  hasOriginal: z.boolean(),
  /** A message of a plan chat, into which the admin who decides may look. */
  hasPlanChat: z.boolean(),
  /** Decisions against the member before this one. */
  earlierDecisions: z.int(),
  createdAt: Time,
});
export type Report = z.infer<typeof Report>;

/** What an admin can decide. */
export const decisions = ['dismiss', 'remove', 'warn', 'suspend', 'ban'] as const;
export type Decision = (typeof decisions)[number];

/** Whether an admin may decide a report; the server enforces the same. */
export const reportCan = {
  decide: (profileId: string, report: { reporterId: string | null; memberId: string | null }): Verdict =>
    report.reporterId === profileId || report.memberId === profileId ? ownRecord : true,
} as const;

export const NewDecision = z
  .strictObject({
    id: Id,
    decision: z.enum(decisions),
    /** For a suspension. */
    days: z.optional(wholeNumber(suspensionDays.min, suspensionDays.max)),
    /** What the member reads of a warning. */
    note: z.optional(text(reportDetailLength)),
  })
  .check(
    belongsTo(
      'days',
      'a suspension',
      ({ decision, days }) => (decision === 'suspend') === (days !== undefined),
    ),
    belongsTo('note', 'a warning', ({ decision, note }) => (decision === 'warn') === Boolean(note)),
  );
export type NewDecision = z.infer<typeof NewDecision>;

/** The form of a warning. */
export const WarningFields = z.strictObject({
  note: text(reportDetailLength).check(z.minLength(1, 'Please write the warning.')),
});

/** The form of a suspension. */
export const SuspensionFields = z.strictObject({ days: queryNumber(suspensionDays.min, suspensionDays.max) });

/** An open paid request of a banned member: an admin ends it or confirms it. */
export const BannedRequest = z.object({
  id: z.string(),
  planTitle: z.string(),
  stage: z.enum(stages),
  /** Pesos. */
  price: z.number(),
  client: z.string(),
  creator: z.string(),
  banned: z.enum(['client', 'creator', 'both']),
  updatedAt: Time,
});
export type BannedRequest = z.infer<typeof BannedRequest>;

export const reports = calls('/api/report', {
  create: post('/create', {
    summary:
      'Reports a member, post, comment, review, plan or message; the record is copied as it is now, of a message also those of the same member before it.',
    body: NewReport,
    errors: ['report_record_not_found', 'report_own_record', 'report_already_sent'],
  }),
  open: getPage('/open', Report, {
    summary: 'Reports that wait for an admin, oldest first, 20 a page.',
    access: 'admin',
  }),
  decide: post('/decide', {
    summary:
      'Decides a report: dismisses it, removes the record, or warns, suspends or bans the member. A ban ends all sessions.',
    access: 'admin',
    body: NewDecision,
    errors: ['report_not_found', 'admin_own_record', 'report_not_possible'],
  }),
  original: post('/original', {
    summary:
      'Shows what a reported message of a plan chat said before it was taken back (§4); each look is written to the audit log.',
    access: 'admin',
    body: z.strictObject({ id: Id }),
    reply: z.pick(ReportedRecord, { text: true, imageUrl: true }),
    errors: ['report_not_found', 'admin_own_record', 'report_not_possible'],
  }),
  planChat: post('/planChat', {
    summary:
      'Messages of the plan chat that a reported message is of, newest first; each look is written to the audit log.',
    access: 'admin',
    body: z.strictObject({ id: Id, before: z.optional(wholeNumber(1)) }),
    reply: MessagesPage,
    errors: ['report_not_found', 'admin_own_record', 'report_not_possible'],
  }),
  bannedRequests: getPage('/bannedRequests', BannedRequest, {
    summary: 'Open paid requests of banned members, last changed first, 20 a page.',
    access: 'admin',
  }),
});
