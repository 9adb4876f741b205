import { z } from 'zod';
import type { Caller } from './caller.ts';
import { Centavos, CURRENCY, DEFAULT_WALLET, type Metadata, one, resource, Seconds } from './envelope.ts';
import { requireParameters } from './errors.ts';
import { Payment } from './payments.ts';

export const PaymentIntent = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string(),
    client_key: z.string(),
    /** awaiting_payment_method, awaiting_next_action, awaiting_capture, processing, succeeded or cancelled */
    status: z.string(),
    description: z.string().nullish(),
    statement_descriptor: z.string().nullish(),
    payment_method_allowed: z.array(z.string()),
    /** automatic or manual */
    capture_type: z.string().nullish(),
    next_action: z
      .looseObject({
        type: z.string(),
        /** Absent when the payer scans a code (`consume_qr`). */
        redirect: z.looseObject({ url: z.string(), return_url: z.string().nullish() }).nullish(),
        /** The code to scan, as a data URL. */
        code: z.looseObject({ image_url: z.string(), expires_at: z.string().nullish() }).nullish(),
      })
      .nullish(),
    last_payment_error: z.unknown().optional(),
    payments: z.array(Payment).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    created_at: Seconds.nullish(),
    updated_at: Seconds.nullish(),
  }),
);
export type PaymentIntent = z.infer<typeof PaymentIntent>;

export type NewPaymentIntent = {
  /** Centavos, 2000 to 999999999. Default 0, which is refused. */
  amount?: number;
  /** Default PHP. */
  currency?: string;
  /** Default: cards and one wallet. */
  payment_method_allowed?: string[];
  /** Default: 3-D Secure for any card. */
  payment_method_options?: { card: { request_three_d_secure: 'any' | 'automatic' } };
  /** manual holds the money of a card for seven days until `capture`. */
  capture_type?: 'automatic' | 'manual';
  description?: string;
  statement_descriptor?: string;
  metadata?: Metadata;
};

export type Attachment = { payment_method: string; client_key?: string; return_url?: string };

/** §9: what is sent when the caller leaves it out. */
const DEFAULTS = {
  amount: 0,
  currency: CURRENCY,
  payment_method_allowed: ['card', DEFAULT_WALLET],
  payment_method_options: { card: { request_three_d_secure: 'any' } },
};

export const createPaymentIntents = (call: Caller) => ({
  async create(intent: NewPaymentIntent = {}, idempotencyKey?: string): Promise<PaymentIntent> {
    const attributes = { ...DEFAULTS, ...intent };
    return (await call.post('/v1/payment_intents', one(PaymentIntent), attributes, idempotencyKey)).data;
  },

  /** With a public key (`pk_…`) only with the intent's `client_key`. */
  async get(id: string, query: { client_key?: string } = {}): Promise<PaymentIntent> {
    requireParameters({ id });
    const path = `/v1/payment_intents/${encodeURIComponent(id)}`;
    return (await call.get(path, one(PaymentIntent), query)).data;
  },

  /** Pays with a method. A refused card throws `PaymongoError` with `sub_code`. */
  async attach(id: string, attachment: Attachment, idempotencyKey?: string): Promise<PaymentIntent> {
    requireParameters({ id, payment_method: attachment.payment_method });
    const path = `/v1/payment_intents/${encodeURIComponent(id)}/attach`;
    return (await call.post(path, one(PaymentIntent), attachment, idempotencyKey)).data;
  },

  /** Charges a held intent with `amount` centavos, at most what is held; all of it when omitted. */
  async capture(id: string, amount?: number, idempotencyKey?: string): Promise<PaymentIntent> {
    requireParameters({ id });
    const path = `/v1/payment_intents/${encodeURIComponent(id)}/capture`;
    return (await call.post(path, one(PaymentIntent), { amount }, idempotencyKey)).data;
  },

  /** Gives up an intent that has not succeeded; money that is held is released. */
  async cancel(id: string): Promise<PaymentIntent> {
    requireParameters({ id });
    return (await call.post(`/v1/payment_intents/${encodeURIComponent(id)}/cancel`, one(PaymentIntent))).data;
  },
});
