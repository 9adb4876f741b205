import * as z from 'zod/mini';
import { calls, get } from './calls.ts';
import { Day, Time } from './fields.ts';

/** How much waits for an admin, list by list. */
export const WorkCounts = z.object({
  /** Members who ask to be verified. */
  verifications: z.int(),
  /** Fulfilled plans whose payout must be confirmed. */
  plans: z.int(),
  /** Reports of members that are not decided. */
  reports: z.int(),
  /** Open disputes. */
  disputes: z.int(),
  /** Paid requests whose client did not say whether they met. */
  noAnswer: z.int(),
  /** Payments that the card issuer disputes. */
  chargebacks: z.int(),
  /** Card disputes that do not name their payment. */
  unassignedDisputes: z.int(),
  /** Payouts and refunds that admins send by hand. */
  byHand: z.int(),
});
export type WorkCounts = z.infer<typeof WorkCounts>;

/** Where the money of members is that an admin watches over. */
export const moneyPlaces = ['escrow', 'toConfirm', 'noAnswer', 'disputed', 'toPayOut', 'failed'] as const;
/** How long it has been there; the last age has no end. */
export const moneyAges = [
  { age: 'day', days: 1 },
  { age: 'week', days: 7 },
  { age: 'month', days: 30 },
  { age: 'older', days: null },
] as const;

const Sum = z.object({ count: z.int(), pesos: z.number() });
/** A sale by the present fees, in pesos. */
const Sale = z.object({
  price: z.number(),
  /** Tara's share. */
  earned: z.number(),
  /** What the provider takes of the payment and for the payout. */
  cost: z.number(),
});

/** What can be wrong with money. Each is an event of its name for all admins, and a line of the money page while it lasts. */
export const moneyAlarmKinds = [
  ...(['ledgerDiffers', 'chargebackOpened', 'disbursementStuck'] as const),
  ...(['transferRefused', 'balanceShort', 'webhookDisabled', 'proofOverdue'] as const),
] as const;
export type MoneyAlarmKind = (typeof moneyAlarmKinds)[number];

/** What is wrong of one kind. */
export const MoneyAlarm = z.object({
  kind: z.enum(moneyAlarmKinds),
  /** How many differences, chargebacks, payouts, refunds and transfers by hand. */
  count: z.int(),
  /** What they are about, in all; null of a kind without an amount. */
  pesos: z.nullable(z.number()),
  /** The first day after which it is too late, in the Philippines; null when nothing has to be done by a day. */
  dueOn: z.nullable(Day),
  /** Since when the first of them. */
  since: Time,
});
export type MoneyAlarm = z.infer<typeof MoneyAlarm>;

export const MoneyOverview = z.object({
  alarms: z.array(MoneyAlarm),
  /** The best sale of all, when even that one loses money by the fee setting. */
  losingSale: z.nullable(Sale),
  places: z.array(
    z.object({ place: z.enum(moneyPlaces), ages: z.object({ day: Sum, week: Sum, month: Sum, older: Sum }) }),
  ),
});
export type MoneyOverview = z.infer<typeof MoneyOverview>;

export const adminWork = calls('/api/admin', {
  counts: get('/counts', {
    summary: 'How many records wait in each list of the admins.',
    access: 'admin',
    reply: WorkCounts,
  }),
  moneyOverview: get('/moneyOverview', {
    summary: 'The money of members by where it is and how long it has been there, and what is wrong with it.',
    access: 'admin',
    reply: MoneyOverview,
  }),
});
