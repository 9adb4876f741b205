import { isRefundable } from '@tara/contract/money/payment-methods';
import type { Payment, Refund, Transfer } from '@tara/paymongo';
import { type Attempt, ownAccount, railFor } from './attempts.ts';
import type { Disbursement } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import { shownRefunds } from './read-payment.ts';

/** What the provider says of something that was sent. */
export interface Sent {
  id: string;
  /** `succeeded` or `failed`; everything else is under way. */
  status: string;
  amountCentavos: number;
  feeCentavos: number;
  /** Why it failed. */
  problem: string;
  /** Whether the provider has it for this disbursement: under its id, or of its payment. */
  isOurs: boolean;
}

/** A way of the provider by which a disbursement leaves. */
export interface Channel {
  /** Whether it may carry so many centavos; it is asked before the first attempt. */
  carries(centavos: number): boolean;
  /** Sends an attempt, once under its key. */
  create(attempt: Attempt): Promise<Sent>;
  get(reference: string): Promise<Sent>;
  /** What the provider has of the disbursement and did not fail, as far as it can be of this attempt; null where it does not say. */
  find(attempt: Pick<Attempt, 'amountCentavos' | 'firstSentMs'>): Promise<Sent[] | null>;
}

/** The way of a disbursement. @param payment as the provider shows it now; null of one that it does not show. */
export const channelFor = (
  context: PaymentContext,
  disbursement: Disbursement,
  payment: Payment | null,
): Channel =>
  disbursement.way === 'provider'
    ? refundChannel(context, disbursement, payment)
    : transferChannel(context, disbursement, payment);

const sentTransfer = (transfer: Transfer, disbursementId: string): Sent => ({
  ...{ id: transfer.id, status: transfer.status, amountCentavos: transfer.amount },
  feeCentavos: transfer.fee ?? 0,
  problem: transfer.provider_error ?? transfer.provider_error_message ?? 'The transfer failed.',
  isOurs: transfer.reference_number === disbursementId,
});

/** What the payment shows as given back of so many centavos; null where it does not say. Another amount is not ours: somebody gave it by hand. */
const shownAs = (payment: Payment | null, centavos: number) =>
  shownRefunds(payment)?.filter(({ attributes: { amount } }) => amount === centavos) ?? null;

/** To the e-wallet of its receiver. A refund that the payment shows already, such as when somebody gave it back by hand, is not sent. */
function transferChannel(
  { provider }: PaymentContext,
  { id, purpose }: Disbursement,
  payment: Payment | null,
): Channel {
  const { transfers } = provider;
  const sent = (transfer: Transfer) => sentTransfer(transfer, id);
  return {
    carries: (centavos) => purpose === 'payout' || (shownAs(payment, centavos) ?? []).length === 0,
    create: async ({ amountCentavos: amount, destination, source, key }) => {
      if (destination === null || key === null) throw new Error(`an attempt of ${id} has no destination`);
      return sent(
        await transfers.create(
          {
            amount,
            currency: 'PHP',
            provider: railFor(amount),
            source_account: source ?? (await ownAccount(provider)),
            destination_account: destination,
            reference_number: id,
            description: 'Tara plan',
          },
          key,
        ),
      );
    },
    get: async (reference) => sent(await transfers.get(reference)),
    find: async ({ firstSentMs }) => {
      const listed = await transfers.findByReference(id, new Date(firstSentMs));
      return listed.filter(({ status }) => status !== 'failed').map(sent);
    },
  };
}

const sentRefund = (
  { id, attributes: { status, amount, payment_id: of } }: Refund,
  paymentId: string,
): Sent => ({
  ...{ id, status, amountCentavos: amount, feeCentavos: 0, problem: 'The refund failed.' },
  isOurs: of === paymentId,
});

/** Back the way that the payment came. What the payment shows already is not ordered again. */
function refundChannel(
  { provider }: PaymentContext,
  { interactionId, paymentId }: Disbursement,
  payment: Payment | null,
): Channel {
  const sent = (refund: Refund) => sentRefund(refund, paymentId);
  const shown = (centavos: number) => shownAs(payment, centavos);
  return {
    carries: (centavos) => {
      if (payment === null || (shown(centavos) ?? []).length > 0) return true;
      const { amount, paid_at: paidAt, created_at: createdAt, source } = payment.attributes;
      const possible = isRefundable({
        method: source?.type ?? null,
        paidAt: new Date((paidAt ?? createdAt ?? 0) * 1000),
        isPart: centavos < amount,
      });
      return possible !== false;
    },
    create: async ({ amountCentavos: amount, key }) => {
      const [known] = shown(amount) ?? [];
      if (known) return sent(known);
      if (payment === null) throw new Error('a payment that is not shown is not refunded');
      const order = { amount, payment_id: payment.id, reason: 'requested_by_customer' as const };
      return sent(await provider.refunds.create({ ...order, notes: interactionId }, key ?? undefined));
    },
    get: async (reference) => sent(await provider.refunds.get(reference)),
    find: async ({ amountCentavos }) => shown(amountCentavos)?.map(sent) ?? null,
  };
}
