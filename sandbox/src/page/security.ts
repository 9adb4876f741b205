import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Html } from './html.ts';
import { STYLE } from './style.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Sets the plugin's own security headers on every reply, in place of the host server's. Replies of a guard that was
 * added before have the host's headers. The pages need no scripts, so the policy allows none.
 */
export function securePages(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      // With `no-referrer` browsers would send `Origin: null` with our own forms.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });
  // A form on another site must not be able to pay, resend events or add faults.
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' && request.headers['sec-fetch-site'] === 'cross-site') {
      await reply
        .code(403)
        .send({ errors: [{ code: 'cross_site', detail: 'Forms of other sites are refused.' }] });
    }
  });
}

/** Serves the style sheet of all pages. */
export function addStyleSheet(app: FastifyInstance): void {
  app.get('/sandbox.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));
}

/** Sends a page as a full document. */
export function sendPage(reply: FastifyReply, page: Html, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page.text);
}
