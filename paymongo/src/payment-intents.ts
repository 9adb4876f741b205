import { z } from 'zod';
import type { Caller } from './caller.ts';
import {
  Billing,
  Centavos,
  CURRENCY,
  DEFAULT_WALLET,
  type Metadata,
  resource,
  resourcePath,
  Seconds,
} from './envelope.ts';
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
    return call.post('/v1/payment_intents', PaymentIntent, attributes, idempotencyKey);
  },

  /** With a public key (`pk_…`) only with the intent's `client_key`. */
  async get(id: string, query: { client_key?: string } = {}): Promise<PaymentIntent> {
    const path = resourcePath('/v1/payment_intents', id);
    return call.get(path, PaymentIntent, query);
  },

  /** Pays with a method. A refused card throws `PaymongoError` with `sub_code`. */
  async attach(id: string, attachment: Attachment, idempotencyKey?: string): Promise<PaymentIntent> {
    requireParameters({ id, payment_method: attachment.payment_method });
    const path = `${resourcePath('/v1/payment_intents', id)}/attach`;
    return call.post(path, PaymentIntent, attachment, idempotencyKey);
  },

  /** Charges a held intent with `amount` centavos, at most what is held; all of it when omitted. */
  async capture(id: string, amount?: number, idempotencyKey?: string): Promise<PaymentIntent> {
    const path = `${resourcePath('/v1/payment_intents', id)}/capture`;
    return call.post(path, PaymentIntent, { amount }, idempotencyKey);
  },

  /** Gives up an intent that has not succeeded; money that is held is released. */
  async cancel(id: string): Promise<PaymentIntent> {
    return call.post(`${resourcePath('/v1/payment_intents', id)}/cancel`, PaymentIntent);
  },
});

export const PaymentMethod = resource(
  z.looseObject({
    type: z.string(),
    /** Contains only the last four digits of the card number. */
    details: z
      .looseObject({
        last4: z.string().optional(),
        exp_month: z.number().optional(),
        exp_year: z.number().optional(),
      })
      .nullish(),
    billing: Billing.nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  }),
);
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export type NewPaymentMethod = {
  type: string;
  details?: { card_number: string; exp_month: number; exp_year: number; cvc: string };
  billing?: Billing;
  metadata?: Metadata;
};

export const createPaymentMethods = (call: Caller) => ({
  async create(method: NewPaymentMethod, idempotencyKey?: string): Promise<PaymentMethod> {
    requireParameters({ type: method.type });
    if (method.type === 'card') requireParameters({ details: method.details });
    return call.post('/v1/payment_methods', PaymentMethod, method, idempotencyKey);
  },

  async get(id: string): Promise<PaymentMethod> {
    return call.get(resourcePath('/v1/payment_methods', id), PaymentMethod);
  },
});

export const Source = resource(
  z.looseObject({
    amount: Centavos,
    currency: z.string(),
    type: z.string(),
    /** pending, chargeable, paid, cancelled or expired */
    status: z.string(),
    redirect: z.looseObject({ success: z.string(), failed: z.string(), checkout_url: z.string() }),
    billing: Billing.nullish(),
    description: z.string().nullish(),
    statement_descriptor: z.string().nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
  }),
);
export type Source = z.infer<typeof Source>;

export type NewSource = {
  /** Centavos. Default 0, which is refused. */
  amount?: number;
  /** Default PHP. */
  currency?: string;
  /** Default gcash. */
  type?: 'gcash' | 'grab_pay';
  redirect: { success: string; failed: string };
  billing?: Billing;
  description?: string;
  statement_descriptor?: string;
  metadata?: Metadata;
};

export const createSources = (call: Caller) => ({
  async create(source: NewSource, idempotencyKey?: string): Promise<Source> {
    requireParameters({ redirect: source.redirect });
    const attributes = { amount: 0, currency: CURRENCY, type: DEFAULT_WALLET, ...source };
    return call.post('/v1/sources', Source, attributes, idempotencyKey);
  },

  async get(id: string): Promise<Source> {
    return call.get(resourcePath('/v1/sources', id), Source);
  },
});
