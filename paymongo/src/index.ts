export type { PaymongoOptions } from './caller.ts';
export {
  type Billing,
  type Metadata,
  type Page,
  type PageQuery,
  pagesSince,
  readAll,
  readSince,
} from './envelope.ts';
export {
  isDefiniteRefusal,
  isOutcomeUnknown,
  MissingParameter,
  PaymongoError,
  PaymongoUnreachable,
  type ProviderFault,
  payerDeclineCode,
} from './errors.ts';
export { LinkResource, type Links, type LinksApi, type NewLink, type PaymentLink } from './links.ts';
export { PaymentIntent, PaymentMethod, Source } from './payment-intents.ts';
export {
  Dispute,
  evidenceDueOn,
  type NewRefund,
  Payment,
  paymentFee,
  Refund,
  type RefundReason,
  withheldTax,
} from './payments.ts';
export { createPaymongo, type Paymongo } from './paymongo.ts';
export { SIGNATURE_TOLERANCE_S, signDelivery, verifySignature } from './signature.ts';
export {
  Account,
  defaultAccount,
  defaultWallet,
  type NewTransfer,
  type Rail,
  type ReceivingInstitution,
  Transfer,
  Wallet,
} from './transfers.ts';
export { eventTransferId, type NewWebhook, WEBHOOK_EVENTS, Webhook, WebhookEvent } from './webhooks.ts';
