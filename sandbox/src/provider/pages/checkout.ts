import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendPage } from '../../page/secure.ts';
import { FAILURES, type FailureCode, testCard } from '../cards.ts';
import { linkState, payLink } from '../charge.ts';
import { fieldsOf } from '../checks.ts';
import { newId } from '../ids.ts';
import type { PaidWith } from '../kinds.ts';
import { addIntent, askPayer } from '../resources/payment-intents.ts';
import { addSource } from '../resources/sources.ts';
import type { World } from '../world.ts';
import { EMPTY_CARD, readCard } from './card-form.ts';
import {
  cancelledPage,
  checkoutPath,
  closedPage,
  missingPage,
  paidPage,
  payPage,
  type Visit,
} from './checkout-pages.ts';
import { returnPath } from './frame.ts';

// A field that is missing, repeated or not text reads as empty and is told like an empty one.
const Text = z.string().max(2000).catch('');
const CheckoutQuery = z.object({ return_url: Text, card: Text, failed: Text });
const Posted = z.object({ return_url: Text, number: Text, expiry: Text, cvc: Text, name: Text });
const Named = z.object({ id: z.string() });

/** The hosted checkout of a link: card form, wallet, cancel and result. */
export function addCheckout(app: FastifyInstance, world: World, wake: () => void): void {
  const { store, clock } = world;

  function visitOf(request: FastifyRequest, linkId: string): Visit | null {
    const link = store.get('link', Named.parse(request.params).id);
    if (!link) return null;
    return { prefix: app.prefix, link, back: returnPath(linkId, world.publicUrl(), request.headers.host) };
  }

  /** The page for a link nobody can pay (any more); null when it is open. */
  function ended(visit: Visit, reply: FastifyReply): FastifyReply | null {
    const state = linkState(visit.link);
    if (state === 'paid') return sendPage(reply, paidPage(visit));
    if (state === 'archived') return sendPage(reply, closedPage(visit), 410);
    return null;
  }

  app.get('/checkout/:id', async (request, reply) => {
    const query = CheckoutQuery.parse(request.query);
    const visit = visitOf(request, query.return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    const over = ended(visit, reply);
    if (over) return over;
    const chosen = testCard(query.card);
    const card = chosen
      ? { number: chosen.number, expiry: '12/34', cvc: '123', name: 'Test Payer' }
      : EMPTY_CARD;
    const failure = isFailure(query.failed) ? query.failed : undefined;
    return sendPage(reply, payPage(visit, card, {}, failure));
  });

  app.get('/checkout/:id/cancel', async (request, reply) => {
    const visit = visitOf(request, CheckoutQuery.parse(request.query).return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    return ended(visit, reply) ?? sendPage(reply, cancelledPage(visit));
  });

  app.post('/checkout/:id/card', async (request, reply) => {
    const { return_url, ...fields } = Posted.parse(fieldsOf(request.body));
    const visit = visitOf(request, return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    const over = ended(visit, reply);
    if (over) return over;
    const read = readCard(fields, clock.now());
    if ('mistakes' in read) {
      return sendPage(reply, payPage(visit, { ...fields, cvc: '' }, read.mistakes, undefined), 422);
    }
    const { card } = read;
    if (card.outcome.kind === 'asks') {
      const { amount, description } = visit.link.attributes;
      const intent = store.transact(() => {
        const added = addIntent(world, { amount, description, allowed: ['card'], linkId: visit.link.id });
        return askPayer(world, added, visit.back ?? undefined);
      });
      return reply.redirect(`${app.prefix}/authorize/${intent.id}`, 303);
    }
    const source: PaidWith = {
      id: newId('card'),
      type: 'card',
      brand: card.brand,
      last4: card.number.slice(-4),
      country: 'PH',
    };
    const failure = card.outcome.kind === 'fails' ? card.outcome.code : undefined;
    payLink(world, visit.link.id, source, { failure });
    wake();
    // A page of its own, so that reloading it pays nothing.
    return reply.redirect(checkoutPath(visit, failure ? { failed: failure } : {}), 303);
  });

  app.post('/checkout/:id/gcash', async (request, reply) => {
    const visit = visitOf(request, Posted.parse(fieldsOf(request.body)).return_url);
    if (!visit) return sendPage(reply, missingPage(app.prefix), 404);
    const over = ended(visit, reply);
    if (over) return over;
    const source = store.transact(() =>
      addSource(world, {
        amount: visit.link.attributes.amount,
        type: 'gcash',
        success: visit.back ?? '',
        failed: visit.back ?? '',
        linkId: visit.link.id,
      }),
    );
    return reply.redirect(`${app.prefix}/authorize/${source.id}`, 303);
  });
}

const isFailure = (word: string): word is FailureCode => Object.hasOwn(FAILURES, word);
