import { FAILURES, type FailureCode } from './cards.ts';
import type { ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import type { PaidWith, Stored } from './kinds.ts';

/** The provider's fee in centavos: 3.5% and ₱15 of a card payment, 2.5% of a wallet payment. */
const providerFee = (amount: number, type: string): number =>
  type === 'card' ? Math.round(amount * 0.035) + 1500 : Math.round(amount * 0.025);

/** What is kept of a payment in centavos: 1% more of a card from abroad, less the tax of 2% that is withheld on the fees without VAT. */
function deductions({ settings }: ProviderContext, amount: number, source: PaidWith) {
  const fee = providerFee(amount, source.type);
  const foreignFee = (source.country ?? 'PH') === 'PH' ? 0 : Math.round(amount * 0.01);
  const taxAmount = settings.get().withholds_tax ? Math.round(((fee + foreignFee) / 1.12) * 0.02) : 0;
  return { fee, foreignFee, taxAmount, netAmount: amount - fee - foreignFee + taxAmount };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MANILA_MS = 8 * 60 * 60 * 1000;

/** `days` days other than Saturday and Sunday in Manila later, in ms. Holidays count as banking days. */
function bankingDaysAfter(from: number, days: number): number {
  let at = from;
  for (let left = days; left > 0; ) {
    at += DAY_MS;
    const weekday = new Date(at + MANILA_MS).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return at;
}

const withheldTax = (amount: number) => ({
  amount,
  currency: 'PHP',
  inclusive: true,
  name: 'Withholding Tax',
  type: 'withholding_tax',
  value: '200_bps',
});

type Charge = {
  amount: number;
  currency: string;
  /** The link or intent that the payment belongs to; null for a payment by a source alone. */
  parent: string | null;
  source: PaidWith;
  description?: string | null;
  statementDescriptor?: string | null;
  referenceNumber?: string | null;
  intentId?: string | null;
  billing?: unknown;
  metadata?: unknown;
  failure?: FailureCode;
};

/** How long a payment stays pending by a fault that names no time. */
const PENDING_PAYMENT_MS = 5_000;

/**
 * Records a payment, a failed attempt, or by a fault a payment that stays pending, with its events. Must run inside a
 * transaction.
 */
export function recordPayment(context: ProviderContext, charge: Charge): Stored<'payment'> {
  const now = context.clock.now();
  const { failure } = charge;
  const { fee, foreignFee, taxAmount, netAmount } = failure
    ? { fee: 0, foreignFee: 0, taxAmount: 0, netAmount: 0 }
    : deductions(context, charge.amount, charge.source);
  const fault = failure ? undefined : context.faults.forPayment();
  const status = failure ? 'failed' : fault ? 'pending' : 'paid';
  const payment = context.add(
    'payment',
    {
      amount: charge.amount,
      currency: charge.currency,
      fee,
      foreign_fee: foreignFee,
      tax_amount: taxAmount === 0 ? null : taxAmount,
      net_amount: netAmount,
      status,
      disputed: false,
      origin: charge.referenceNumber == null ? 'api' : 'links',
      access_url: null,
      balance_transaction_id: failure ? null : newId('bal_txn'),
      instant_settlement: null,
      promotion: null,
      source: charge.source,
      billing: charge.billing ?? null,
      description: charge.description ?? null,
      statement_descriptor: charge.statementDescriptor ?? null,
      external_reference_number: charge.referenceNumber ?? null,
      payment_intent_id: charge.intentId ?? null,
      failed_code: failure ?? null,
      failed_message: failure ? FAILURES[failure] : null,
      payout: null,
      taxes: taxAmount === 0 ? [] : [withheldTax(taxAmount)],
      metadata: charge.metadata ?? null,
      ...(status === 'paid' ? paymentTimes(now) : UNPAID_TIMES),
    },
    {
      parent: charge.parent,
      dueAt: fault ? now + (fault.delay_ms ?? PENDING_PAYMENT_MS) : null,
    },
  );
  if (status === 'failed') context.emit('payment.failed', context.present.payment(payment));
  if (status === 'paid') announcePayment(context, payment);
  return payment;
}

const UNPAID_TIMES = { paid_at: null, available_at: null, credited_at: null };
const paymentTimes = (now: number) => ({
  paid_at: Math.floor(now / 1000),
  available_at: Math.floor(bankingDaysAfter(now, 2) / 1000),
  credited_at: Math.floor(bankingDaysAfter(now, 3) / 1000),
});

/** Sends the events of a paid payment, and marks its link paid; a link's checkout is sent as a session too. */
function announcePayment(context: ProviderContext, payment: Stored<'payment'>): void {
  const { store, present } = context;
  context.emit('payment.paid', present.payment(payment));
  const link = payment.parent === null ? undefined : store.get('link', payment.parent);
  if (!link) return;
  const fee = providerFee(payment.attributes.amount, payment.attributes.source.type);
  context.emit('link.payment.paid', present.eventLink(context.change(link, { status: 'paid', fee })));
  const { amount, currency, description, reference_number, checkout_url } = link.attributes;
  const name = `Link reference number ${reference_number}`;
  context.emit('checkout_session.payment.paid', {
    id: newId('cs'),
    type: 'checkout_session',
    attributes: {
      checkout_url,
      description,
      line_items: [{ amount, currency, description: null, images: [], name, quantity: 1 }],
      livemode: context.livemode,
      paid_at: payment.attributes.paid_at,
      payments: [present.payment(payment)],
      payment_method_used: payment.attributes.source.type,
      reference_number,
      status: 'active',
    },
  });
}

/** Completes a pending payment that is due, with the intent that it belongs to. */
export function completePayment(context: ProviderContext, payment: Stored<'payment'>): void {
  const times = paymentTimes(context.clock.now());
  announcePayment(context, context.change(payment, { ...times, status: 'paid' }, null));
  const intentId = payment.attributes.payment_intent_id;
  const intent = intentId === null ? undefined : context.store.get('payment_intent', intentId);
  if (intent) context.change(intent, { status: 'succeeded' });
}

type PayOptions = { failure?: FailureCode; intentId?: string; isAuthorization?: boolean };

export type LinkState = 'open' | 'processing' | 'paid' | 'archived';

/** Whether a link can be paid; it is processing while a payment of it is pending. */
export function linkState({ store }: ProviderContext, { id, attributes }: Stored<'link'>): LinkState {
  const { limit, status, archived } = attributes;
  if (status !== 'unpaid' && limit > 0) {
    const paid = store.list('payment', { parent: id, limit, where: { status: 'paid' } });
    if (paid.items.length >= limit) return 'paid';
  }
  if (archived) return 'archived';
  const pending = store.list('payment', { parent: id, limit: 1, where: { status: 'pending' } });
  return pending.items.length > 0 ? 'processing' : 'open';
}

/**
 * Pays a link or records a failed attempt. Only an open link is charged; of two concurrent submits the second one finds it
 * paid. What the payer authorizes (`isAuthorization`) was begun while the link was open, in a tab of its own, so that a
 * paid link is charged again, as at the provider. Returns the payment, or why there is none.
 */
export function payLink(
  context: ProviderContext,
  linkId: string,
  source: PaidWith,
  { isAuthorization, ...details }: PayOptions = {},
): Stored<'payment'> | Exclude<LinkState, 'open'> {
  return context.store.transact(() => {
    const link = context.store.get('link', linkId);
    if (!link) return 'archived';
    const state = linkState(context, link);
    if (state === 'archived' || (state !== 'open' && !isAuthorization)) return state;
    const { amount, currency, description, reference_number } = link.attributes;
    return recordPayment(context, {
      amount,
      currency,
      parent: link.id,
      source,
      description,
      referenceNumber: reference_number,
      metadata: { pm_reference_number: reference_number },
      ...details,
    });
  });
}
