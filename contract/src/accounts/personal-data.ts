import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';
import { stages } from '../interactions/stages.ts';
import { CurrentPassword } from './forms.ts';

/** An export of one's own data. */
export const DataExport = z.object({
  id: z.string(),
  createdAt: Time,
  /** Until when the file can be downloaded; null while it is being made. */
  expiresAt: z.nullable(Time),
  sizeBytes: z.nullable(z.number()),
});
export type DataExport = z.infer<typeof DataExport>;

/** A request with money under way: the account cannot be deleted before it is over. */
export const OpenRequest = z.object({
  id: z.string(),
  planTitle: z.string(),
  /** Name of the other party. */
  otherName: z.string(),
  stage: z.enum(stages),
  /** Its plan chat, if there is one that the member can read. */
  receiptId: z.nullable(z.string()),
});
export type OpenRequest = z.infer<typeof OpenRequest>;

export const PersonalData = z.object({
  /** The newest export that can be downloaded or is being made. */
  latestExport: z.nullable(DataExport),
  /** From when another export can be requested; null when at once. */
  nextExportAt: z.nullable(Time),
  openRequests: z.array(OpenRequest),
});
export type PersonalData = z.infer<typeof PersonalData>;

export const DeleteAccount = z.strictObject({ password: CurrentPassword });
const ExportId = z.object({ id: Id });

/** A member's own data: its export, and its deletion with the account. */
export const personalData = calls('/api/account', {
  get: get('/personalData', {
    summary: 'One’s latest export, and the requests that keep the account from being deleted.',
    access: 'account',
    reply: PersonalData,
  }),
  requestExport: post('/requestExport', {
    whileDiskFull: false,
    whileSuspended: true,
    summary:
      'Has one’s data collected into a zip of JSON and pictures, once a day; an email says when it is ready, if it is confirmed.',
    access: 'account',
    recentPassword: 'always',
    reply: DataExport,
    errors: ['account_export_too_soon'],
  }),
  prepareDownload: post('/prepareDownload', {
    whileSuspended: true,
    summary: 'The address of one’s export, for 15 minutes after the password was shown.',
    access: 'account',
    recentPassword: 'always',
    body: ExportId,
    reply: z.object({ url: z.string() }),
    errors: ['account_export_not_found'],
  }),
  download: get('/export/:id', {
    summary: 'One’s export as a zip file.',
    access: 'account',
    recentPassword: 'always',
    params: ExportId,
    reply: z.unknown(),
    errors: ['account_export_not_found'],
  }),
  delete: post('/delete', {
    whileSuspended: true,
    summary:
      'Hides the account at once and deletes it after 14 days (§7). Refused while a paid request is open, which the text names.',
    access: 'account',
    body: DeleteAccount,
    reply: z.object({ deletesAt: Time }),
    errors: ['user_invalid_credentials', 'account_requests_open'],
  }),
  keep: post('/keep', {
    whileSuspended: true,
    summary: 'Keeps an account that would be deleted.',
    access: 'account',
    errors: ['account_deletion_begun'],
  }),
});
