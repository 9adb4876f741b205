import { createCaller, type PaymongoOptions } from './caller.ts';
import { createDisputes } from './disputes.ts';
import { createLinks, type LinksApi } from './links.ts';
import { createPaymentIntents } from './payment-intents.ts';
import { createPaymentMethods } from './payment-methods.ts';
import { createPayments } from './payments.ts';
import { createRefunds } from './refunds.ts';
import { createSources } from './sources.ts';
import { createTransfers } from './transfers.ts';
import { createWallets } from './wallets.ts';
import { createWebhooks } from './webhooks.ts';

export type { PaymongoOptions } from './caller.ts';
export { Dispute } from './disputes.ts';
export { type Billing, type Metadata, type Page, type PageQuery, readAll } from './envelope.ts';
export {
  isDefiniteRefusal,
  isOutcomeUnknown,
  MissingParameter,
  PaymongoError,
  PaymongoUnreachable,
  type ProviderFault,
  payerDeclineCode,
} from './errors.ts';
export { eventTransferId, WEBHOOK_EVENTS, WebhookEvent } from './event.ts';
export type { Links, LinksApi, NewLink, PaymentLink } from './links.ts';
export { LinkResource } from './links-v1.ts';
export { PaymentIntent } from './payment-intents.ts';
export { PaymentMethod } from './payment-methods.ts';
export { Payment, paymentFee } from './payments.ts';
export { type NewRefund, Refund, type RefundReason } from './refunds.ts';
export { SIGNATURE_TOLERANCE_S, signDelivery, verifySignature } from './signature.ts';
export { Source } from './sources.ts';
export { Account, type NewTransfer, type Rail, type ReceivingInstitution, Transfer } from './transfers.ts';
export { defaultAccount, Wallet } from './wallets.ts';
export { type NewWebhook, Webhook } from './webhooks.ts';

/**
 * The payment provider's calls, grouped by resource; `links` is the API that links use, `classic` by default. Each call is sent once, ends within `timeoutMs`, and throws
 * `PaymongoError` (refused), `PaymongoUnreachable` (no usable reply) or `MissingParameter` (not sent).
 */
export function createPaymongo({ links = 'classic', ...options }: PaymongoOptions & { links?: LinksApi }) {
  const call = createCaller(options);
  return {
    links: createLinks(call, links),
    paymentIntents: createPaymentIntents(call),
    paymentMethods: createPaymentMethods(call),
    webhooks: createWebhooks(call),
    sources: createSources(call),
    payments: createPayments(call),
    refunds: createRefunds(call),
    disputes: createDisputes(call),
    transfers: createTransfers(call),
    wallets: createWallets(call),
  };
}
export type Paymongo = ReturnType<typeof createPaymongo>;
