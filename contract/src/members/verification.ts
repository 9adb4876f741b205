import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, queryNumber, Time } from '../fields.ts';
import { requiredText } from '../form-fields.ts';
import { ownRecord } from '../interactions/steps.ts';
import type { Verdict } from '../interactions/verdicts.ts';
import { addressLength } from '../limits.ts';
import { getPage } from '../page.ts';
import { BirthDate, Person } from './profiles.ts';
import { Decline } from './verification-declines.ts';

/** The request of /verifying-identity: three uploaded pictures and an address (§5). */
export const VerificationForm = z.strictObject({
  idFrontId: Id,
  idBackId: Id,
  photoId: Id,
  address: requiredText('Address', addressLength.min, addressLength.max),
});
export type VerificationForm = z.infer<typeof VerificationForm>;

/** What is sent: our own form adds the birth date of the ID, which callers of §7 do not send. */
export const VerificationSend = z.extend(VerificationForm, { birthDate: z.optional(BirthDate) });
export type VerificationSend = z.infer<typeof VerificationSend>;

/** A verification request as an admin sees it; its pictures have a separate call. */
export const VerificationRequest = z.object({
  id: z.string(),
  userId: z.string(),
  creator: Person,
  address: z.string(),
  /** To be compared with the ID; null until set. */
  birthDate: z.nullable(z.string()),
  /** null while pending, true once accepted (§3). */
  valid: z.nullable(z.boolean()),
  createdAt: Time,
});
export type VerificationRequest = z.infer<typeof VerificationRequest>;

/** Short-lived URLs of the three pictures; each view is written to the audit log. */
export const IdentityLinks = z.object({ idFront: z.string(), idBack: z.string(), photo: z.string() });
export type IdentityLinks = z.infer<typeof IdentityLinks>;

/** How long it usually takes from a request to its acceptance; null where too few were accepted to say so. */
export const UsualTime = z.object({ minutes: z.nullable(z.int()) });
export type UsualTime = z.infer<typeof UsualTime>;

/** Whether an admin may decide a request; the server enforces the same. */
export const verificationCan = {
  decide: (profileId: string, request: Pick<VerificationRequest, 'userId'>): Verdict =>
    request.userId === profileId ? ownRecord : true,
} as const;

const RequestId = z.strictObject({ id: Id });

export const verification = calls('/api/verification', {
  send: post('/send', {
    summary:
      'Requests an identity check by an admin; one request at a time. A birth date is saved to the profile.',
    body: VerificationSend,
    errors: ['verification_already_sent', 'storage_file_not_found'],
  }),
  usualTime: get('/usualTime', {
    summary:
      'How many minutes it usually takes until a request is accepted: the median of the latest 50, null below 5.',
    reply: UsualTime,
  }),
  pending: getPage('/pending', VerificationRequest, {
    summary: 'Pending requests, oldest first, 20 a page (§7).',
    access: 'admin',
  }),
  pictures: get('/pictures/:id', {
    summary: 'Links to the three pictures of a pending request, valid for this admin for five minutes.',
    access: 'admin',
    recentPassword: 'always',
    params: z.object({ id: Id }),
    reply: IdentityLinks,
    errors: ['verification_not_found'],
  }),
  picture: get('/picture/:fileId', {
    summary: 'One identity picture, by a short-lived link; the view is audited.',
    access: 'admin',
    recentPassword: 'always',
    params: z.object({ fileId: Id }),
    query: z.object({
      /** ms since 1970. */
      until: queryNumber(0, 8_640_000_000_000_000),
      signature: z.string().check(z.maxLength(200)),
    }),
    reply: z.unknown(),
    errors: ['storage_file_not_found'],
  }),
  accept: post('/accept', {
    summary: 'Verifies the member, with the birth date of the profile.',
    access: 'admin',
    body: RequestId,
    errors: ['verification_not_found', 'verification_birth_date_missing', 'admin_own_record'],
  }),
  decline: post('/decline', {
    summary: 'Declines and deletes the request with its three pictures, and tells the member why.',
    access: 'admin',
    body: Decline,
    errors: ['verification_not_found', 'admin_own_record'],
  }),
  correctBirthDate: post('/correctBirthDate', {
    summary: 'Sets a member’s birth date from the ID, before or after the verification; audited.',
    access: 'admin',
    recentPassword: 'always',
    body: z.strictObject({ userId: Id, birthDate: BirthDate }),
    errors: ['profile_not_found', 'admin_own_record'],
  }),
});
