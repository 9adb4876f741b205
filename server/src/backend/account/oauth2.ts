import { type OAuthProviderName, oauth2, readScopes } from '@tara/contract/wire/oauth2';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountLimits,
  beginOAuth,
  checkLink,
  clearMessages,
  deleteIdentity,
  exchangeCode,
  handOverToPage,
  type IdentityRow,
  listIdentities,
  openProviders,
  readVisit,
  signInByProvider,
  takeOAuth,
} from '../../features/accounts/index.ts';
import { clearCookie, oauthCookie, setCookie } from '../../platform/http/cookies.ts';
import { problemReply } from '../../platform/http/errors.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { type Filter, parseQueries, readQueries, refuseQueries } from '../documents/queries.ts';
import { presentIdentity } from '../present.ts';
import type { SessionReplies } from './session-replies.ts';

/** What identities may be looked for by. Tokens of providers are never stored, so their expiry is empty for all. */
const attributes = {
  $id: ({ id }: IdentityRow) => id,
  userId: ({ accountId }: IdentityRow) => accountId,
  provider: ({ provider }: IdentityRow) => provider,
  providerUid: ({ providerUid }: IdentityRow) => providerUid,
  providerEmail: ({ providerEmail }: IdentityRow) => providerEmail,
  providerAccessTokenExpiry: () => '',
} as const;

const usualLimit = 25;
const maxLimit = 100;

const isAttribute = (name: string): name is keyof typeof attributes => Object.hasOwn(attributes, name);

function filterRows(rows: readonly IdentityRow[], { attribute, values }: Filter): readonly IdentityRow[] {
  if (!isAttribute(attribute)) return refuseQueries(`identities have no attribute ${attribute}`);
  return rows.filter((row) => values.includes(attributes[attribute](row)));
}

/** The start of the page after a cursor. @throws Problem `general_cursor_not_found` */
function indexOf(rows: readonly IdentityRow[], id: string): number {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) throw new Problem('general_cursor_not_found');
  return index;
}

/**
 * The identities that queries ask for, of the few that an account has, with the number of all that match.
 * @throws Problem `general_query_invalid` | `general_argument_invalid` | `general_cursor_not_found`
 */
function pickIdentities(
  rows: readonly IdentityRow[],
  query: Readonly<Record<string, unknown>>,
): { total: number; page: readonly IdentityRow[] } {
  let matching = rows;
  let [limit, offset] = [usualLimit, 0];
  let cursor: { id: string; isAfter: boolean } | undefined;
  for (const part of parseQueries(readQueries(query))) {
    if (part.method === 'limit') limit = Math.min(part.value, maxLimit);
    else if (part.method === 'offset') offset = part.value;
    else if (part.method === 'cursorAfter' || part.method === 'cursorBefore')
      cursor = { id: part.id, isAfter: part.method === 'cursorAfter' };
    else if (part.method === 'equal') matching = filterRows(matching, part);
    else refuseQueries(`${part.method} is not possible for identities`);
  }
  const total = matching.length;
  if (cursor === undefined) return { total, page: matching.slice(offset, offset + limit) };
  const index = indexOf(matching, cursor.id);
  const page = cursor.isAfter
    ? matching.slice(index + 1, index + 1 + limit)
    : matching.slice(Math.max(0, index - limit), index);
  return { total, page };
}

/** An address with more in its query; what it had of these names goes. */
function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Binds signing in at other providers (§7): a browser is led to the provider and back, and then to a page of ours. A
 * flow is bound to its browser by a cookie, to its provider by the path, and comes back once.
 */
export function oauthWireRoutes(
  app: FastifyInstance,
  platform: Platform,
  limits: AccountLimits,
  replies: SessionReplies,
): void {
  const { config, database, bus } = platform;
  const providers = openProviders(config);
  const cookie = oauthCookie(config.projectId, config.publicUrl);

  const findProvider = (name: OAuthProviderName) => {
    const provider = providers.get(name);
    if (provider === undefined) throw new Problem('user_auth_method_unsupported');
    return provider;
  };

  /** The address of an app on a phone: the SDKs for phones listen for it, and need not name it. */
  const appScheme = `appwrite-callback-${config.projectId.toLowerCase()}:`;
  const isApp = (page: string) => config.mobileSignIn && new URL(page).protocol === appScheme;
  /** Whether an app opened the address in a browser, and no page led to it. */
  const isOpenedByApp = ({ headers }: FastifyRequest) =>
    config.mobileSignIn &&
    (headers['sec-fetch-site'] ?? 'none') === 'none' &&
    !/^https?:/.test(headers.referer ?? '');

  /** The page that a flow ends at, which must be one of ours or, where that is allowed, an app; `fallback` without. */
  const checkPage = (
    request: FastifyRequest,
    field: 'success' | 'failure',
    fallback: string,
    page?: string,
  ) => {
    if (page === undefined)
      return isOpenedByApp(request) ? `${appScheme}//` : `${config.publicUrl}${fallback}`;
    return isApp(page) ? page : checkLink(page, config, request.socket.localPort, field);
  };

  const start = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: OAuthProviderName,
    result: 'session' | 'token',
    query: { success?: string | undefined; failure?: string | undefined },
  ) => {
    await limits.oauthByAddress.consume(request.ip);
    const success = checkPage(request, 'success', '/', query.success);
    const failure = checkPage(request, 'failure', '/sign-in', query.failure);
    const flow = { result, success, failure, scopes: readScopes(query) };
    const begun = await beginOAuth(platform, name, findProvider(name), flow);
    setCookie(reply, cookie, begun.browserSecret, begun.expiresAt);
    return reply.redirect(begun.url.href, 302);
  };

  serve(app, oauth2.startSession, ({ params, query, request, reply }) =>
    start(request, reply, params.provider, 'session', query),
  );
  serve(app, oauth2.startToken, ({ params, query, request, reply }) =>
    start(request, reply, params.provider, 'token', query),
  );

  serve(app, oauth2.callback, async ({ params, query, request, reply }) => {
    if (params.projectId !== config.projectId) throw new Problem('project_not_found');
    await limits.secretByAddress.consume(request.ip);
    const { provider: name } = params;
    const provider = findProvider(name);
    const browserSecret = request.cookies[cookie.name];
    const flow = await takeOAuth(platform, name, { state: query.state, browserSecret });
    await limits.secretByAddress.refund(request.ip);
    clearCookie(reply, cookie);
    try {
      const isMixedUp = query.iss !== undefined && query.iss !== provider.issuer;
      if (isMixedUp) throw new Problem('user_oauth2_bad_request');
      if (query.error !== undefined || query.code === undefined)
        throw new Problem('user_oauth2_unauthorized');
      const answer = { name, provider, person: await exchangeCode(provider, query.code, flow) };
      const visit = replies.visit(request);
      if (flow.result === 'token') {
        const handover = await handOverToPage(platform, answer, visit);
        bus.publish('viewerChanged', { accountId: handover.userId });
        return reply.redirect(withQuery(flow.success, handover), 302);
      }
      const started = await signInByProvider(platform, answer, visit);
      await clearMessages(limits, database, started.session.accountId);
      bus.publish('viewerChanged', { accountId: started.session.accountId });
      if (isApp(flow.success)) return reply.redirect(withQuery(flow.success, replies.handOver(started)), 302);
      replies.open(request, reply, started);
      return reply.redirect(flow.success, 302);
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('general_unknown', { cause: error });
      if (problem.type === 'user_oauth2_provider_error' || problem.type === 'general_unknown') {
        request.log.warn({ reqId: request.id, err: problem.cause, provider: name }, 'a sign-in failed');
      }
      const { message, type, code } = problemReply(problem, request.id);
      return reply.redirect(withQuery(flow.failure, { error: JSON.stringify({ message, type, code }) }), 302);
    }
  });

  app.register(async (scope) => {
    const parse = { parseAs: 'string', bodyLimit: 16 * 1024 } as const;
    scope.addContentTypeParser('application/x-www-form-urlencoded', parse, (_request, body, done) =>
      done(null, body),
    );
    // A form of another site brings no cookie of ours, and needs none: the address it leads to does.
    serve(
      scope,
      oauth2.postCallback,
      async ({ params, request, reply }) => {
        const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
        const query = ['state', 'code', 'error', 'iss'].flatMap((name) => {
          const value = form.get(name);
          return value === null ? [] : [[name, value]];
        });
        const path = `/v1/account/sessions/oauth2/callback/${params.provider}/${encodeURIComponent(params.projectId)}`;
        return reply.redirect(`${path}?${new URLSearchParams(query)}`, 303);
      },
      { fromAnywhere: true },
    );
  });

  serve(app, oauth2.listIdentities, async ({ viewer, query }) => {
    const rows = await listIdentities(database, viewer.accountId);
    const { total, page } = pickIdentities(rows, query);
    return { total, identities: page.map(presentIdentity) };
  });

  serve(app, oauth2.deleteIdentity, async ({ viewer, params, request }) => {
    await limits.sessionEndsByAccount.consume(viewer.accountId);
    await deleteIdentity(platform, viewer, params.identityId, readVisit(request));
    return undefined;
  });
}
