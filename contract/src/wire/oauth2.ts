import * as z from 'zod/mini';
import { calls, del, get, post } from '../calls.ts';
import { Id, Time } from '../fields.ts';

/** Providers that a server may be configured for. `oidc` is any one that speaks OpenID Connect. */
export const oauthProviders = ['apple', 'facebook', 'github', 'google', 'oidc'] as const;
export type OAuthProviderName = (typeof oauthProviders)[number];

/** What people call the providers; `oidc` is named for its server. */
export const oauthTitles: Record<Exclude<OAuthProviderName, 'oidc'>, string> = {
  apple: 'Apple',
  facebook: 'Facebook',
  github: 'GitHub',
  google: 'Google',
};

/** An account's identity at another provider, as the backend service's wire has it; tokens are never stored. */
export const Identity = z.object({
  $id: z.string(),
  $createdAt: Time,
  $updatedAt: Time,
  userId: z.string(),
  provider: z.enum(oauthProviders),
  providerUid: z.string(),
  providerEmail: z.string(),
  providerAccessToken: z.string(),
  providerAccessTokenExpiry: z.string(),
  providerRefreshToken: z.string(),
  providerIdToken: z.string(),
});
export type Identity = z.infer<typeof Identity>;

const Provider = z.object({ provider: z.enum(oauthProviders) });
const Scope = z.string().check(z.regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'Must be a scope'));
const Page = z
  .string()
  .check(z.maxLength(2000, 'Must be at most 2000 characters.'), z.url('Must be a full address'));

/** Where the SDKs put a list in an address. */
const scopeNames = Array.from({ length: 20 }, (_, index) => `scopes[${index}]`);

/** `scopes[0]` and on are asked for beside the scopes of signing in. */
const Start = z.object({
  success: z.optional(Page),
  failure: z.optional(Page),
  ...Object.fromEntries(scopeNames.map((name) => [name, z.optional(Scope)])),
});

/** The scopes that a client asks for beside those of signing in. */
export const readScopes = (query: Readonly<Record<string, unknown>>): string[] =>
  scopeNames.map((name) => query[name]).filter((scope) => typeof scope === 'string');

/** What a provider sends back; some send more, which is not read. */
const Callback = z.object({
  state: z.optional(z.string().check(z.maxLength(256))),
  code: z.optional(z.string().check(z.maxLength(4096))),
  error: z.optional(z.string().check(z.maxLength(256))),
  iss: z.optional(z.string().check(z.maxLength(256))),
});

const CallbackPath = z.object({
  provider: z.enum(oauthProviders),
  projectId: z.string().check(z.maxLength(36)),
});
const callbackPath = '/sessions/oauth2/callback/:provider/:projectId';
const Empty = z.undefined();

const started =
  'Leads the browser to the provider, which leads it back to `success` or, with `error` in its query, to `failure` (both on one of our origins).';

const Query = z.string().check(z.maxLength(400));
/** A list of queries, as the SDKs spell it in an address. */
const Queries = z.object({
  ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`queries[${index}]`, z.optional(Query)])),
  'queries[]': z.optional(z.union([Query, z.array(Query).check(z.maxLength(10))])),
});

/** Account calls of the backend service (§7) about signing in at another provider. Browsers open them as pages. */
export const oauth2 = calls('/v1/account', {
  startSession: get('/sessions/oauth2/:provider', {
    summary: `${started} There the browser is signed in.`,
    access: 'anyone',
    status: 302,
    params: Provider,
    query: Start,
    reply: Empty,
    errors: ['user_auth_method_unsupported', 'user_oauth2_provider_error'],
  }),
  startToken: get('/tokens/oauth2/:provider', {
    summary: `${started} There \`userId\` and \`secret\` are in the query, for \`POST /v1/account/sessions/token\` within 5 minutes.`,
    access: 'anyone',
    status: 302,
    params: Provider,
    query: Start,
    reply: Empty,
    errors: ['user_auth_method_unsupported', 'user_oauth2_provider_error'],
  }),
  callback: get(callbackPath, {
    summary:
      'Where a provider leads the browser back to. An account is joined only when its email and the provider’s are confirmed and the same; else a new one is made, with its profile.',
    access: 'anyone',
    status: 302,
    params: CallbackPath,
    query: Callback,
    reply: Empty,
    errors: ['user_auth_method_unsupported', 'user_oauth2_bad_request'],
  }),
  postCallback: post(callbackPath, {
    whileDiskFull: true,
    summary: 'The same for providers that send a form. It does nothing but lead on to the call above.',
    access: 'anyone',
    status: 302,
    bodyKind: 'raw',
    params: CallbackPath,
    reply: Empty,
  }),
  listIdentities: get('/identities', {
    summary:
      'The identities of the account at other providers. `queries`: equal of provider, providerUid, providerEmail or userId, limit, offset and cursors.',
    access: 'account',
    query: Queries,
    reply: z.object({ total: z.int(), identities: z.array(Identity) }),
    errors: ['general_query_invalid', 'general_cursor_not_found'],
  }),
  deleteIdentity: del('/identities/:identityId', {
    whileSuspended: true,
    summary:
      'Removes an identity and ends the sessions that it began, apart from this one. The last way into the account cannot be removed.',
    access: 'account',
    status: 204,
    params: z.object({ identityId: Id }),
    reply: Empty,
    errors: ['user_identity_not_found', 'user_identity_last'],
  }),
});
