import { z } from 'zod';
import type { Caller } from './caller.ts';
import {
  Billing,
  Centavos,
  CURRENCY,
  type Metadata,
  many,
  type Page,
  type PageQuery,
  resource,
  resourcePath,
  Seconds,
} from './envelope.ts';
import { requireParameters } from './errors.ts';

export const Refund = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string().nullish(),
    payment_id: z.string(),
    reason: z.string().nullish(),
    notes: z.string().nullish(),
    /** pending, processing, succeeded or failed */
    status: z.string(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type Refund = z.infer<typeof Refund>;

export type RefundReason = 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'others';

export type NewRefund = {
  /** Centavos, at most the part of the payment that is not refunded yet. */
  amount: number;
  payment_id: string;
  reason: RefundReason;
  notes?: string;
  metadata?: Metadata;
};

export const createRefunds = (call: Caller) => ({
  /**
   * After a lost reply, repeat the call with the same key and content; once the key may have expired, search the
   * payment's `refunds` (`payments.get`) first.
   */
  async create(refund: NewRefund, idempotencyKey?: string): Promise<Refund> {
    requireParameters({ amount: refund.amount, payment_id: refund.payment_id, reason: refund.reason });
    return call.post('/v1/refunds', Refund, refund, idempotencyKey);
  },

  async get(id: string): Promise<Refund> {
    return call.get(resourcePath('/v1/refunds', id), Refund);
  },

  /** Newest first. */
  async list(query: PageQuery & { payment_id?: string } = {}): Promise<Page<Refund>> {
    return call.list('/v1/refunds', many(Refund), query);
  },
});

export const Payment = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string(),
    fee: Centavos.nullish(),
    /** For cards of other countries. */
    foreign_fee: Centavos.nullish(),
    /** Withheld on the fees, which it lowers. */
    tax_amount: Centavos.nullish(),
    /** amount − fee − foreign_fee + tax_amount; 0 for a failed payment. */
    net_amount: Centavos.nullish(),
    /** pending, paid or failed */
    status: z.string(),
    /** Whether it has a dispute that is open or lost. */
    disputed: z.boolean().nullish(),
    description: z.string().nullish(),
    statement_descriptor: z.string().nullish(),
    external_reference_number: z.string().nullish(),
    payment_intent_id: z.string().nullish(),
    failed_code: z.string().nullish(),
    failed_message: z.string().nullish(),
    source: z.looseObject({ id: z.string().nullish(), type: z.string().nullish() }).nullish(),
    billing: Billing.nullish(),
    refunds: z.array(Refund).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    livemode: z.boolean().nullish(),
    paid_at: Seconds.nullish(),
    /** When the money can be used. */
    available_at: Seconds.nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type Payment = z.infer<typeof Payment>;

/**
 * What the provider keeps of a paid payment, in centavos: amount − net_amount, or the sum of its fees when there is no
 * usable net amount. Null when neither is from 0 to less than the amount.
 */
export function paymentFee({ attributes }: Payment): number | null {
  const { amount, net_amount: net, fee, foreign_fee: foreignFee, tax_amount: tax } = attributes;
  const candidates = [net == null ? null : amount - net, (fee ?? 0) + (foreignFee ?? 0) - (tax ?? 0)];
  return candidates.find((candidate) => candidate !== null && candidate >= 0 && candidate < amount) ?? null;
}

/**
 * The tax that the provider withholds on its fees and passes to us, in centavos: what it keeps is its fees less this. 0 when the
 * amounts of the payment do not say so.
 */
export function withheldTax(payment: Payment): number {
  const { fee, foreign_fee: foreignFee, tax_amount: tax } = payment.attributes;
  const isNetted = paymentFee(payment) === (fee ?? 0) + (foreignFee ?? 0) - (tax ?? 0);
  return isNetted ? Math.max(0, tax ?? 0) : 0;
}

export type NewPayment = {
  /** Centavos. Default 0, which is refused. */
  amount?: number;
  /** Default PHP. */
  currency?: string;
  source: { id: string; type: 'source' };
  description?: string;
  statement_descriptor?: string;
};

export const createPayments = (call: Caller) => ({
  /** Charges a source whose status is 'chargeable'. */
  async create(payment: NewPayment, idempotencyKey?: string): Promise<Payment> {
    requireParameters({ source: payment.source });
    const attributes = { amount: 0, currency: CURRENCY, ...payment };
    return call.post('/v1/payments', Payment, attributes, idempotencyKey);
  },

  async get(id: string): Promise<Payment> {
    return call.get(resourcePath('/v1/payments', id), Payment);
  },

  async list(query: PageQuery = {}): Promise<Page<Payment>> {
    return call.list('/v1/payments', many(Payment), query);
  },
});

/**
 * A chargeback: the bank of the cardholder takes a payment back. The provider holds the amount and a fee of ₱800 until it
 * is decided; evidence is submitted in its dashboard.
 */
export const Dispute = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string().nullish(),
    /** needs_response, under_review, won, lost or expired. Treat an unknown status as open. */
    status: z.string(),
    reason: z.string().nullish(),
    /** Not documented. Without it, search the payments for `disputed`. */
    payment_id: z.string().nullish(),
    livemode: z.boolean().nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type Dispute = z.infer<typeof Dispute>;

/** Working days after the opening in which evidence is taken: developers.paymongo.com/docs/disputes-chargebacks. Then a dispute is lost. */
const evidenceDays = 5;
const isWorkingDay = (day: Date) => day.getUTCDay() % 6 !== 0;

/**
 * The last day on which the provider takes evidence for a dispute, `YYYY-MM-DD`, since the dispute itself has none. Public holidays are
 * not known here, so the provider's day may be a later one.
 * @param openedOn the day of the opening in the Philippines.
 */
export function evidenceDueOn(openedOn: string): string {
  const day = new Date(openedOn);
  for (let left = evidenceDays; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (isWorkingDay(day)) left--;
  }
  return day.toISOString().slice(0, 10);
}

export const createDisputes = (call: Caller) => ({
  /** Refused with 403 `access_denied` for accounts without access to disputes, among them those in test mode. */
  async get(id: string): Promise<Dispute> {
    return call.get(resourcePath('/v1/disputes', id), Dispute);
  },

  /** Newest first. */
  async list(query: PageQuery = {}): Promise<Page<Dispute>> {
    return call.list('/v1/disputes', many(Dispute), query);
  },
});
