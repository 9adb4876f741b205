import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Day, Time } from '../fields.ts';
import { getPage, Page } from '../page.ts';

/** What a member has a confirmation of: as a client a payment or a refund, as a creator a payout. */
export const confirmationKinds = ['payment', 'refund', 'payout'] as const;
const ConfirmationKind = z.enum(confirmationKinds);
export type ConfirmationKind = z.infer<typeof ConfirmationKind>;

/** Money that a member paid or received, with what was agreed. It is no official receipt. Pesos. */
export const Confirmation = z.object({
  /** Such as `TARA-00001234`: each movement of the ledger has one. */
  number: z.string(),
  kind: ConfirmationKind,
  issuedAt: Time,
  interactionId: z.string(),
  planTitle: z.string(),
  /** Names, as they were when the request ended. */
  client: z.string(),
  creator: z.string(),
  meetsAt: z.nullable(Time),
  place: z.string(),
  /** Of the plan, as requested. */
  price: z.number(),
  /** Of a payout: the creator's part of the price, and what of it Tara kept as its fee; otherwise 0. */
  released: z.number(),
  fee: z.number(),
  /** What was paid or received. */
  amount: z.number(),
  /** By the payment's own method, by a transfer of the provider, or by a transfer of Tara's by hand. */
  way: z.enum(['provider', 'transfer', 'manual']),
  /** How it was paid, in words such as 'GCash'; null when the provider did not say. */
  method: z.nullable(z.string()),
  /** The last digits of the number that received a transfer. */
  receiver: z.nullable(z.string()),
  /** The provider's id of the payment, refund or transfer, or the reference of a transfer by hand. */
  reference: z.nullable(z.string()),
  /** The reference number of the payment page. */
  referenceNumber: z.nullable(z.string()),
  /** The terms of the plan as the client accepted them. */
  terms: z.string(),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** The number of a confirmation, of that of the movement. */
export const confirmationNumber = (movement: number | string): string =>
  `TARA-${String(movement).padStart(8, '0')}`;

/** Days of a statement, both included, by Philippine time; without one there is no limit. */
const StatementRange = z.object({ from: z.optional(Day), to: z.optional(Day) });
export type StatementRange = z.infer<typeof StatementRange>;

/** One movement of a member's money. Pesos. */
export const StatementRow = z.object({
  id: z.string(),
  at: Time,
  kind: z.enum([
    ...(['capture', 'release', 'payout', 'refund'] as const),
    ...(['chargeback', 'chargeback_won', 'chargeback_lost', 'chargeback_corrected'] as const),
  ]),
  interactionId: z.string(),
  planTitle: z.string(),
  /** By how much what Tara holds for the member, or owes them, changed. */
  amount: z.number(),
  /** How much that was afterwards. */
  balance: z.number(),
  /** Its confirmation, where there is one: by the id under which `confirmation` is read. */
  confirmation: z.nullable(z.object({ kind: ConfirmationKind, id: z.string() })),
});
export type StatementRow = z.infer<typeof StatementRow>;

/** A member's own money, and the provider's webhook deliveries: their body is not parsed, because the signature covers its bytes. */
export const payments = calls('/api/payment', {
  statement: getPage('/statement', StatementRow, {
    summary:
      'What changed what Tara holds for you as a client and owes you as a creator, newest first, 20 a page; of the days that are given.',
    query: z.extend(Page, StatementRange.shape),
  }),
  statementBalances: get('/statementBalances', {
    summary:
      'What Tara held for you and owed you before the first and after the last of these days, in pesos.',
    query: StatementRange,
    reply: z.object({ opening: z.number(), closing: z.number() }),
  }),
  confirmation: get('/confirmation/:kind/:id', {
    summary:
      'The confirmation of your payment, refund or payout: by the id of the request, or of a payment that came a second time.',
    params: z.object({ kind: ConfirmationKind, id: z.string().check(z.minLength(1), z.maxLength(100)) }),
    reply: Confirmation,
    errors: ['payment_confirmation_not_found'],
  }),
  webhook: post('/webhook', {
    whileDiskFull: true,
    summary: 'Receives the payment provider’s signed deliveries; stores them and processes them in a job.',
    access: 'anyone',
    bodyKind: 'raw',
    errors: ['payment_signature_invalid'],
  }),
});
