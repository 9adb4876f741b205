import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Html, html, peso } from '../../page/html.ts';
import { sendPage } from '../../page/security.ts';
import { decideIntent, decideSource } from '../authorization.ts';
import type { ProviderContext } from '../context.ts';
import { cardPage, checkoutPath, missingPage, WALLETS } from './checkout-pages.ts';

const IdParams = z.object({ id: z.string() });
const DecisionForm = z.object({ decision: z.enum(['authorize', 'fail']) });

/** A payment that the payer is to authorize. */
type AuthorizeQuery = {
  id: string;
  title: string;
  amount: number;
  waiting: boolean;
  linkId: string | null;
  /** Where the payer goes after each decision; null when not specified. */
  success: string | null;
  failed: string | null;
};

/** The 3-D Secure page of a card, and the page of a wallet: 'Authorize' or 'Fail'. */
export function addAuthorize(app: FastifyInstance, context: ProviderContext, runSoon: () => void): void {
  const { store } = context;

  function parseQuery(request: FastifyRequest): AuthorizeQuery | null {
    const { id } = IdParams.parse(request.params);
    const intent = store.get('payment_intent', id);
    if (intent) {
      const { amount, status, next_action } = intent.attributes;
      const back = next_action?.type === 'redirect' ? next_action.redirect.return_url : null;
      const waiting = status === 'awaiting_next_action';
      const title = next_action?.type === 'consume_qr' ? 'QR Ph' : '3-D Secure';
      return { id, title, amount, waiting, linkId: intent.parent, success: back, failed: back };
    }
    const source = store.get('source', id);
    if (!source) return null;
    const { amount, status, type, redirect } = source.attributes;
    const title = WALLETS[type] ?? type;
    const { success, failed } = redirect;
    return { id, title, amount, waiting: status === 'pending', linkId: source.parent, success, failed };
  }

  app.get('/authorize/:id', async (request, reply) => {
    const query = parseQuery(request);
    if (!query) return sendPage(reply, missingPage(app.prefix), 404);
    const cancel = query.linkId ? linkPath(query, query.linkId) : null;
    return sendPage(
      reply,
      query.waiting
        ? authorizationPage(app.prefix, query, cancel)
        : resultPage(app.prefix, 'Already decided', cancel),
    );
  });

  app.post('/authorize/:id', async (request, reply) => {
    const query = parseQuery(request);
    if (!query) return sendPage(reply, missingPage(app.prefix), 404);
    const form = DecisionForm.safeParse(request.body);
    if (!form.success) {
      const page = resultPage(app.prefix, 'Choose Authorize or Fail', `${app.prefix}/authorize/${query.id}`);
      return sendPage(reply, page, 422);
    }
    const { decision } = form.data;
    if (query.id.startsWith('pi_')) decideIntent(context, query.id, decision);
    else decideSource(context, query.id, decision);
    runSoon();
    if (query.linkId) {
      const failed: Record<string, string> = decision === 'fail' ? { failed: 'authentication_error' } : {};
      return reply.redirect(linkPath(query, query.linkId, failed), 303);
    }
    const [title, back] =
      decision === 'fail' ? ['Payment failed', query.failed] : ['Payment authorized', query.success];
    return sendPage(reply, resultPage(app.prefix, title, back));
  });

  function linkPath(query: AuthorizeQuery, linkId: string, params: Record<string, string> = {}): string {
    const link = store.get('link', linkId);
    return link ? checkoutPath({ prefix: app.prefix, link, back: query.success }, params) : `${app.prefix}/`;
  }
}

function authorizationPage(prefix: string, query: AuthorizeQuery, cancel: string | null): Html {
  const body = html`<h1>${query.title}</h1>
<p class="amount">${peso(query.amount)}</p>
<p>Authorize this payment as the payer, or let it fail.</p>
<form class="row" method="post" action="${prefix}/authorize/${query.id}">
<button class="main" name="decision" value="authorize">Authorize</button>
<button name="decision" value="fail">Fail</button></form>
${cancel && html`<p><a class="cancel" href="${cancel}">Cancel</a></p>`}`;
  return cardPage(prefix, `${query.title}: ${peso(query.amount)}`, body);
}

function resultPage(prefix: string, title: string, back: string | null): Html {
  const safe = back && /^(https?:\/)?\//i.test(back) ? back : null;
  const body = html`<h1>${title}</h1>
${safe ? html`<p><a class="button main" href="${safe}">Return</a></p>` : html`<p>You can close this page.</p>`}`;
  return cardPage(prefix, title, body);
}
