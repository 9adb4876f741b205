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

  /** The visit of an open link. Of any other one its page is sent, and the result is null. */
  function openVisit(request: FastifyRequest, reply: FastifyReply, returnUrl: string): Visit | null {
    const link = store.get('link', IdParams.parse(request.params).id);
    if (!link) {
      sendPage(reply, missingPage(app.prefix), 404);
      return null;
    }
    const back = returnPath(returnUrl, context.publicUrl(), request.headers.host);
    const visit = { prefix: app.prefix, link, back };
    const state = linkState(context, link);
    if (state === 'open') return visit;
    const pages = { processing: processingPage, paid: paidPage, archived: closedPage };
    sendPage(reply, pages[state](visit), state === 'archived' ? 410 : 200);
    return null;
  }

  app.get('/checkout/:id', async (request, reply) => {
    const query = CheckoutQuery.parse(request.query);
    const visit = openVisit(request, reply, query.return_url);
    if (!visit) return reply;
    const chosen = testCard(query.card);
    const card = chosen
      ? { number: chosen.number, expiry: '12/34', cvc: '123', name: 'Test Payer' }
      : EMPTY_CARD;
    const failure = isFailure(query.failed) ? payerFailure(query.failed) : undefined;
    return sendPage(reply, payPage(visit, card, {}, failure));
  });

  app.get('/checkout/:id/cancel', async (request, reply) => {
    const visit = openVisit(request, reply, CheckoutQuery.parse(request.query).return_url);
    return visit ? sendPage(reply, cancelledPage(visit)) : reply;
  });

  app.post('/checkout/:id/card', async (request, reply) => {
    const { return_url, ...fields } = CheckoutForm.parse(asFields(request.body));
    const visit = openVisit(request, reply, return_url);
    if (!visit) return reply;
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
    const visit = openVisit(request, reply, CheckoutForm.parse(asFields(request.body)).return_url);
    if (!visit) return reply;
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
