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

/** Records a payment or a failed attempt, and its event. Must run inside a transaction. */
export function recordPayment(context: ProviderContext, charge: Charge): Stored<'payment'> {
  const now = context.clock.now();
  const { fee, foreignFee, taxAmount, netAmount } = charge.failure
    ? { fee: 0, foreignFee: 0, taxAmount: 0, netAmount: 0 }
    : deductions(context, charge.amount, charge.source);
  const payment = context.store.add({
    id: newId('pay'),
    kind: 'payment',
    parent: charge.parent,
    attributes: {
      amount: charge.amount,
      currency: charge.currency,
      fee,
      foreign_fee: foreignFee,
      tax_amount: taxAmount === 0 ? null : taxAmount,
      net_amount: netAmount,
      status: charge.failure ? 'failed' : 'paid',
      disputed: false,
      origin: charge.referenceNumber == null ? 'api' : 'links',
      access_url: null,
      balance_transaction_id: charge.failure ? null : newId('bal_txn'),
      instant_settlement: null,
      promotion: null,
      source: charge.source,
      billing: charge.billing ?? null,
      description: charge.description ?? null,
      statement_descriptor: charge.statementDescriptor ?? null,
      external_reference_number: charge.referenceNumber ?? null,
      payment_intent_id: charge.intentId ?? null,
      failed_code: charge.failure ?? null,
      failed_message: charge.failure ? FAILURES[charge.failure] : null,
      payout: null,
      taxes: taxAmount === 0 ? [] : [withheldTax(taxAmount)],
      metadata: charge.metadata ?? null,
      livemode: context.livemode,
      paid_at: charge.failure ? null : Math.floor(now / 1000),
      available_at: charge.failure ? null : Math.floor(bankingDaysAfter(now, 2) / 1000),
      credited_at: charge.failure ? null : Math.floor(bankingDaysAfter(now, 3) / 1000),
    },
    createdAt: now,
    dueAt: null,
  });
  context.emit(charge.failure ? 'payment.failed' : 'payment.paid', context.present.payment(payment));
  return payment;
}

type PayOptions = { failure?: FailureCode; intentId?: string; isAuthorization?: boolean };

export type LinkState = 'open' | 'paid' | 'archived';

export const linkState = ({ attributes }: Stored<'link'>): LinkState =>
  attributes.status !== 'unpaid' ? 'paid' : attributes.archived ? 'archived' : 'open';

/**
 * Pays a link or records a failed attempt. A link that is already paid or archived is not charged; of two concurrent
 * submits the second one finds it paid. What the payer authorizes (`isAuthorization`) was begun while the link was open,
 * in a tab of its own, so that a paid link is charged again, as at the provider. Returns the state of the link before
 * the call.
 */
export function payLink(
  context: ProviderContext,
  linkId: string,
  source: PaidWith,
  { isAuthorization, ...details }: PayOptions = {},
): LinkState {
  return context.store.transact(() => {
    const link = context.store.get('link', linkId);
    if (!link) return 'archived';
    const state = linkState(link);
    if (state === 'archived' || (state === 'paid' && !isAuthorization)) return state;
    const { amount, currency, description, reference_number } = link.attributes;
    recordPayment(context, {
      amount,
      currency,
      parent: link.id,
      source,
      description,
      referenceNumber: reference_number,
      metadata: { pm_reference_number: reference_number },
      ...details,
    });
    if (!details.failure) {
      const fee = providerFee(amount, source.type);
      const paid = context.store.save(
        { ...link, attributes: { ...link.attributes, status: 'paid', fee } },
        context.clock.now(),
      );
      context.emit('link.payment.paid', context.present.link(paid));
    }
    return state;
  });
}
