import { createCaller, type PaymongoOptions } from './caller.ts';
import { createLinks, type LinksApi } from './links.ts';
import { createPaymentIntents, createPaymentMethods, createSources } from './payment-intents.ts';
import { createDisputes, createPayments, createRefunds } from './payments.ts';
import { createTransfers, createWallets } from './transfers.ts';
import { createWebhooks } from './webhooks.ts';

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
