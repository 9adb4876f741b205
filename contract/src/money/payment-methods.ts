import * as z from 'zod/mini';
import { nowMs } from '../clock.ts';
import { text } from '../fields.ts';
import { profileLength } from '../limits.ts';
import { mobileNumber } from '../members/profiles.ts';

/**
 * The provider's payment methods, by the name that it gives them in a payment's `source.type`: within how many days it
 * gives a payment back, and whether also in part. 0 days: never. And what it takes of a payment at the least: hundredths of a
 * percent, and centavos beside them. Foreign cards cost more, and so does online banking below ₱1,875.
 *
 * Source of the fees: developers.paymongo.com/docs/pipm-workflow ('Pricing'); an account may have others. Source of the days:
 * docs.paymongo.com/docs/payment-acceptance-refunds and developers.paymongo.com/docs/refunding-transactions. Its
 * pages disagree on parts of GrabPay and Maya payments; the stricter one counts here, because a transfer always works.
 * BPI (30 days) and UnionBank (never) are both `dob`, and what Brankas gives back goes to Tara's bank account.
 */
export const paymentMethods = {
  card: { label: 'card', refundDays: 60, partial: true, feeBasisPoints: 350, feeCentavos: 15_00 },
  gcash: { label: 'GCash', refundDays: 180, partial: true, feeBasisPoints: 250, feeCentavos: 0 },
  grab_pay: { label: 'GrabPay', refundDays: 90, partial: false, feeBasisPoints: 200, feeCentavos: 0 },
  paymaya: { label: 'Maya', refundDays: 365, partial: false, feeBasisPoints: 220, feeCentavos: 0 },
  billease: { label: 'BillEase', refundDays: 60, partial: true, feeBasisPoints: 150, feeCentavos: 0 },
  dob: { label: 'online banking', refundDays: 0, partial: false, feeBasisPoints: 80, feeCentavos: 0 },
  brankas: { label: 'online banking', refundDays: 0, partial: false, feeBasisPoints: 80, feeCentavos: 0 },
  qrph: { label: 'QR Ph', refundDays: 0, partial: false, feeBasisPoints: 150, feeCentavos: 0 },
} as const;
export type PaymentMethod = keyof typeof paymentMethods;

export const isPaymentMethod = (name: string): name is PaymentMethod => Object.hasOwn(paymentMethods, name);

/** Days from the plan's day in which a refund may still be decided: an objection, a dispute, or no answer. */
export const refundMarginDays = 14;
/** The plan's day at the latest, while none is agreed: a week to accept, then 14 days. Counted from the payment. */
const dayAtLatestDays = 21;
const dayMs = 86_400_000;

/** In how many days after the payment a refund is possible by each of these methods. 0: not by each. */
export const refundWindowDays = (methods: readonly PaymentMethod[]) =>
  Math.min(...methods.map((name) => paymentMethods[name].refundDays));

/** Whether a payment made now may need to go back when its method no longer allows it. `day` is the plan's, if known. */
export function isWindowTooShort(windowDays: number, day: Date | null, now = nowMs()): boolean {
  const latest = day?.getTime() ?? now + dayAtLatestDays * dayMs;
  return latest + refundMarginDays * dayMs > now + windowDays * dayMs;
}

/** Whether the provider gives back a part or all of a payment by its method now; null for a method that is not known. */
export function isRefundable(
  payment: { method: string | null; paidAt: Date; isPart: boolean },
  now = nowMs(),
): boolean | null {
  const { method, paidAt, isPart } = payment;
  if (method === null || !isPaymentMethod(method)) return null;
  const { refundDays, partial } = paymentMethods[method];
  return paidAt.getTime() + refundDays * dayMs > now && (partial || !isPart);
}

/** Where a refund goes that cannot go back the way it was paid. */
export const RefundNumber = z.strictObject({
  number: text(profileLength.phoneNumber).check(
    z.refine(
      (number) => mobileNumber(number) !== null,
      'Must be a Philippine mobile number, such as 0917 123 4567.',
    ),
  ),
});
