import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendPage } from '../../page/security.ts';
import { finishIntent, methodSource } from '../authorization.ts';
import { isFailure, payerFailure, testCard } from '../cards.ts';
import { linkState } from '../charge.ts';
import type { ProviderContext } from '../context.ts';
import { asFields } from '../fields.ts';
import { addIntent, requestAuthorization } from '../resources/payment-intents.ts';
import { addMethod } from '../resources/payment-methods.ts';
import { addSource } from '../resources/sources.ts';
import {
  cancelledPage,
  checkoutPath,
  closedPage,
  EMPTY_CARD,
  missingPage,
  paidPage,
  payPage,
  processingPage,
  readCard,
  returnPath,
  type Visit,
  WALLETS,
} from './checkout-pages.ts';

// A field that is missing, repeated or not a text counts as empty.
const Text = z.string().max(2000).catch('');
const CheckoutQuery = z.object({ return_url: Text, card: Text, failed: Text });
const CheckoutForm = z.object({ return_url: Text, number: Text, expiry: Text, cvc: Text, name: Text });
const WalletParams = z.object({ type: z.enum(Object.keys(WALLETS)) });
const IdParams = z.object({ id: z.string() });

/** The hosted checkout of a link: card form, wallet, cancel and result. */
export function addCheckout(app: FastifyInstance, context: ProviderContext, runSoon: () => void): void {
  const { store, clock } = context;

  function findVisit(request: FastifyRequest, linkId: string): Visit | null {
    const link = store.get('link', IdParams.parse(request.params).id);
    if (!link) return null;
    return { prefix: app.prefix, link, back: returnPath(linkId, context.publicUrl(), request.headers.host) };
  }

  /** Sends the page of a link that cannot be paid; null when the link is open. */
  function sendIfClosed(visit: Visit, reply: FastifyReply): FastifyReply | null {
    const state = linkState(context, visit.link);
    if (state === 'processing') return sendPage(reply, processingPage(visit));
    if (state === 'paid') return sendPage(reply, paidPage(visit));
    if (state === 'archived') return sendPage(reply, closedPage(visit), 410);
    return null;
  }

  app.get('/checkout/:id', async (request, reply) => {
    const query = CheckoutQuery.parse(request.query);
    const visit = findVisit(request, query.return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    const closed = sendIfClosed(visit, reply);
    if (closed) return closed;
    const chosen = testCard(query.card);
    const card = chosen
      ? { number: chosen.number, expiry: '12/34', cvc: '123', name: 'Test Payer' }
      : EMPTY_CARD;
    const failure = isFailure(query.failed) ? payerFailure(query.failed) : undefined;
    return sendPage(reply, payPage(visit, card, {}, failure));
  });

  app.get('/checkout/:id/cancel', async (request, reply) => {
    const visit = findVisit(request, CheckoutQuery.parse(request.query).return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    return sendIfClosed(visit, reply) ?? sendPage(reply, cancelledPage(visit));
  });

  app.post('/checkout/:id/card', async (request, reply) => {
    const { return_url, ...fields } = CheckoutForm.parse(asFields(request.body));
    const visit = findVisit(request, return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    const closed = sendIfClosed(visit, reply);
    if (closed) return closed;
    const result = readCard(fields, clock.now());
    if ('mistakes' in result) {
      return sendPage(reply, payPage(visit, { ...fields, cvc: '' }, result.mistakes, undefined), 422);
    }
    const { card } = result;
    const { outcome } = card;
    const failure = outcome.kind === 'fails' ? outcome.code : undefined;
    const intent = store.transact(() => {
      const { amount, description } = visit.link.attributes;
      const added = addIntent(context, { amount, description, allowed: ['card'], linkId: visit.link.id });
      const method = addMethod(context, { type: 'card', card, month: 12, year: 2034 });
      if (outcome.kind === 'authorize') {
        return requestAuthorization(context, added, visit.back ?? undefined, method);
      }
      return finishIntent(context, added, methodSource(method), failure);
    });
    runSoon();
    if (intent.attributes.status === 'awaiting_next_action') {
      return reply.redirect(`${app.prefix}/authorize/${intent.id}`, 303);
    }
    // A redirect, so that reloading the page does not pay again.
    return reply.redirect(checkoutPath(visit, failure ? { failed: payerFailure(failure) } : {}), 303);
  });

  app.post('/checkout/:id/:type', async (request, reply) => {
    const wallet = WalletParams.safeParse(request.params);
    if (!wallet.success) return sendPage(reply, missingPage(app.prefix), 404);
    const visit = findVisit(request, CheckoutForm.parse(asFields(request.body)).return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    const closed = sendIfClosed(visit, reply);
    if (closed) return closed;
    const source = store.transact(() =>
      addSource(context, {
        amount: visit.link.attributes.amount,
        type: wallet.data.type,
        success: visit.back ?? '',
        failed: visit.back ?? '',
        linkId: visit.link.id,
      }),
    );
    return reply.redirect(`${app.prefix}/authorize/${source.id}`, 303);
  });
}
