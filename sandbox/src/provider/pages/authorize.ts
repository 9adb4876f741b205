import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Html, html } from '../../page/html.ts';
import { peso } from '../../page/layout.ts';
import { sendPage } from '../../page/secure.ts';
import { decideIntent, decideSource } from '../confirm.ts';
import type { World } from '../world.ts';
import { checkoutPath, missingPage } from './checkout-pages.ts';
import { cardPage } from './frame.ts';

const Named = z.object({ id: z.string() });
const Posted = z.object({ decision: z.enum(['authorize', 'fail']) });

/** What a payer is asked to authorize. */
type AuthorizeQuery = {
  id: string;
  title: string;
  amount: number;
  waiting: boolean;
  linkId: string | null;
  /** Where the payer goes after either answer; null when nobody said. */
  success: string | null;
  failed: string | null;
};

/** 3-D Secure of a card, and the page of a wallet: 'Authorize' or 'Fail'. */
export function addAuthorize(app: FastifyInstance, world: World, wake: () => void): void {
  const { store } = world;

  function parseQuery(request: FastifyRequest): AuthorizeQuery | null {
    const { id } = Named.parse(request.params);
    const intent = store.get('payment_intent', id);
    if (intent) {
      const { amount, status, next_action } = intent.attributes;
      const back = next_action?.redirect.return_url ?? null;
      const waiting = status === 'awaiting_next_action';
      return { id, title: '3-D Secure', amount, waiting, linkId: intent.parent, success: back, failed: back };
    }
    const source = store.get('source', id);
    if (!source) return null;
    const { amount, status, type, redirect } = source.attributes;
    const title = type === 'gcash' ? 'GCash' : 'GrabPay';
    const { success, failed } = redirect;
    return { id, title, amount, waiting: status === 'pending', linkId: source.parent, success, failed };
  }

  app.get('/authorize/:id', async (request, reply) => {
    const query = parseQuery(request);
    if (!query) return sendPage(reply, missingPage(app.prefix), 404);
    const cancel = query.linkId ? linkPath(query, query.linkId) : null;
    return sendPage(
      reply,
      query.waiting ? askPage(app.prefix, query, cancel) : endPage(app.prefix, 'Already answered', cancel),
    );
  });

  app.post('/authorize/:id', async (request, reply) => {
    const query = parseQuery(request);
    if (!query) return sendPage(reply, missingPage(app.prefix), 404);
    const posted = Posted.safeParse(request.body);
    if (!posted.success) {
      const page = endPage(app.prefix, 'Choose Authorize or Fail', `${app.prefix}/authorize/${query.id}`);
      return sendPage(reply, page, 422);
    }
    const { decision } = posted.data;
    if (query.id.startsWith('pi_')) decideIntent(world, query.id, decision);
    else decideSource(world, query.id, decision);
    wake();
    if (query.linkId) {
      const failed: Record<string, string> = decision === 'fail' ? { failed: 'authentication_failed' } : {};
      return reply.redirect(linkPath(query, query.linkId, failed), 303);
    }
    const [title, back] =
      decision === 'fail' ? ['Payment failed', query.failed] : ['Payment authorized', query.success];
    return sendPage(reply, endPage(app.prefix, title, back));
  });

  function linkPath(query: AuthorizeQuery, linkId: string, more: Record<string, string> = {}): string {
    const link = store.get('link', linkId);
    return link ? checkoutPath({ prefix: app.prefix, link, back: query.success }, more) : `${app.prefix}/`;
  }
}

function askPage(prefix: string, query: AuthorizeQuery, cancel: string | null): Html {
  const body = html`<h1>${query.title}</h1>
<p class="amount">${peso(query.amount)}</p>
<p>Play the payer: authorize this payment, or let it fail.</p>
<form class="row" method="post" action="${prefix}/authorize/${query.id}">
<button class="main" name="decision" value="authorize">Authorize</button>
<button name="decision" value="fail">Fail</button></form>
${cancel && html`<p><a class="cancel" href="${cancel}">Cancel</a></p>`}`;
  return cardPage(prefix, `${query.title}: ${peso(query.amount)}`, body);
}

function endPage(prefix: string, title: string, back: string | null): Html {
  const safe = back && /^(https?:\/)?\//i.test(back) ? back : null;
  const body = html`<h1>${title}</h1>
${safe ? html`<p><a class="button main" href="${safe}">Return</a></p>` : html`<p>You can close this page.</p>`}`;
  return cardPage(prefix, title, body);
}
