import * as z from 'zod/mini';
import { Id, text } from '../fields.ts';
import { belongsTo } from '../form-fields.ts';
import { declineNoteLength } from '../limits.ts';

/** Why a verification request is declined: in the admin's list, and what the member reads. */
export const declineReasons = {
  unreadable: {
    label: 'A picture cannot be read',
    text: 'A picture is too dark, blurred or cut off to be read. Take it again in daylight, with all four corners of the card.',
  },
  document: {
    label: 'The document is not accepted, or is no longer valid',
    text: 'The document is not on the list of IDs that are good, or it is no longer valid.',
  },
  face: {
    label: 'The photo shows somebody else, or no face',
    text: 'We could not see that the photo of yourself and the one on the ID show the same person.',
  },
  details: {
    label: 'Name, birth date or address differ',
    text: 'Your name, birth date or address on Tara differs from the one on the document.',
  },
  other: { label: 'Something else', text: 'Something about the request was not right.' },
} as const;
export type DeclineReason = keyof typeof declineReasons;
const reasonNames = Object.keys(declineReasons) as [DeclineReason];

const noteMissing = { path: ['note'], message: 'Please say what is missing.' };
const hasNote = ({ reason, note }: { reason?: string; note?: string }) => reason !== 'other' || Boolean(note);

/** The fields of the form of an admin who declines. */
export const DeclineFields = z
  .strictObject({
    // The form begins without one.
    reason: z.pipe(z.string(), z.enum(reasonNames, 'Please choose a reason.')),
    note: text(declineNoteLength),
  })
  .check(z.refine(hasNote, noteMissing));

/** What is sent: our own form adds why, which callers of §7 do not send. */
export const Decline = z
  .strictObject({
    id: Id,
    reason: z.optional(z.enum(reasonNames, 'Please choose a reason.')),
    note: z.optional(text(declineNoteLength)),
  })
  .check(
    z.refine(hasNote, noteMissing),
    belongsTo('note', 'a reason', ({ reason, note }) => !note || reason !== undefined),
  );
export type Decline = z.infer<typeof Decline>;

/** What the member is told of a declined request until the next one. */
export const VerificationDecline = z.object({
  reason: z.enum(reasonNames),
  /** The admin's own words; may be empty. */
  note: z.string(),
});
export type VerificationDecline = z.infer<typeof VerificationDecline>;
