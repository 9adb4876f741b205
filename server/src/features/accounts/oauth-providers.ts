import { createHmac } from 'node:crypto';
import { Email } from '@tara/contract/accounts/forms';
import { type OAuthProviderName, oauthTitles } from '@tara/contract/wire/oauth2';
import {
  Apple,
  CodeChallengeMethod,
  Facebook,
  Google,
  OAuth2Client,
  OAuth2RequestError,
  type OAuth2Tokens,
} from 'arctic';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as z from 'zod';
import type { Config } from '../../config.ts';
import { Problem } from '../../platform/problem.ts';
import { discoverOidc, readJson, withTimeout } from './oauth-requests.ts';

/** The person who signed in, as the provider describes them. */
export interface ProviderPerson {
  /** The provider's id of the person, which never changes. */
  uid: string;
  /** Lower-cased; null when it names none. */
  email: string | null;
  /** Whether the provider itself confirmed that the email is theirs. */
  emailVerified: boolean;
  name: string;
}

/** What ties an answer of a provider to the request that asked for it. */
export interface OAuthSecrets {
  codeVerifier: string;
  nonce: string;
}

export interface OAuthProvider {
  title: string;
  /** What its ids are unique within, and how it names itself in its answers (RFC 9207). */
  issuer: string;
  /** The page that the browser is led to. */
  authorizationUrl(request: OAuthSecrets & { state: string; scopes: string[] }): Promise<URL>;
  /** Exchanges the code of an answer; call `exchangeCode`, which names what failed. */
  readPerson(code: string, secrets: OAuthSecrets): Promise<ProviderPerson>;
}

const email = (text: string | null | undefined) => Email.safeParse(text).data ?? null;

const Claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: z.string().optional(),
  email: z.string().optional(),
  // Apple spells it as text.
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
    .optional(),
  name: z.string().optional(),
});

/** Reads an id token: signature, issuer, audience, times and nonce are checked. */
async function readIdToken(
  tokens: OAuth2Tokens,
  keys: ReturnType<typeof createRemoteJWKSet>,
  { issuer, clientId, nonce }: { issuer: string[]; clientId: string; nonce: string },
): Promise<ProviderPerson> {
  const { payload } = await jwtVerify(tokens.idToken(), keys, {
    issuer,
    audience: clientId,
    // No algorithm with a shared secret, and not `none`.
    algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    requiredClaims: ['exp', 'iat'],
    clockTolerance: 60,
  });
  const claims = Claims.parse(payload);
  if (claims.nonce !== nonce) throw new Error('The id token belongs to another sign-in.');
  if (claims.azp !== undefined && claims.azp !== clientId)
    throw new Error('The id token is for another client.');
  return {
    uid: claims.sub,
    email: email(claims.email),
    emailVerified: claims.email_verified === true,
    name: claims.name ?? '',
  };
}

/** What a sign-in needs, and further scopes that its app asks for: each once. */
const withScopes = (needed: string[], further: string[]) => [...new Set([...needed, ...further])];

type Keys<Name extends OAuthProviderName> = NonNullable<Config['oauth'][Name]>;

function google({ clientId, clientSecret }: Keys<'google'>, redirectUri: string): OAuthProvider {
  const client = new Google(clientId, clientSecret, redirectUri);
  const issuer = 'https://accounts.google.com';
  const keys = createRemoteJWKSet(new URL('https://www.googleapis.com/oauth2/v3/certs'));
  return {
    title: oauthTitles.google,
    issuer,
    async authorizationUrl({ state, codeVerifier, nonce, scopes }) {
      const allScopes = withScopes(['openid', 'email', 'profile'], scopes);
      const url = client.createAuthorizationURL(state, codeVerifier, allScopes);
      url.searchParams.set('nonce', nonce);
      // A foreign page must not sign anybody in without their doing.
      url.searchParams.set('prompt', 'select_account');
      return url;
    },
    async readPerson(code, { codeVerifier, nonce }) {
      const tokens = await client.validateAuthorizationCode(code, codeVerifier);
      return readIdToken(tokens, keys, { issuer: [issuer, 'accounts.google.com'], clientId, nonce });
    },
  };
}

function apple({ clientId, teamId, keyId, privateKey }: Keys<'apple'>, redirectUri: string): OAuthProvider {
  const client = new Apple(clientId, teamId, keyId, new Uint8Array(privateKey), redirectUri);
  const issuer = 'https://appleid.apple.com';
  const keys = createRemoteJWKSet(new URL('https://appleid.apple.com/auth/keys'));
  return {
    title: oauthTitles.apple,
    issuer,
    async authorizationUrl({ state, nonce, scopes }) {
      const url = client.createAuthorizationURL(state, withScopes(['email'], scopes));
      url.searchParams.set('nonce', nonce);
      // Apple answers scopes by a form only.
      url.searchParams.set('response_mode', 'form_post');
      return url;
    },
    readPerson: async (code, { nonce }) =>
      readIdToken(await client.validateAuthorizationCode(code), keys, { issuer: [issuer], clientId, nonce }),
  };
}

const FacebookPerson = z.object({
  id: z.string().min(1).max(255),
  name: z.string().optional(),
  email: z.string().optional(),
});

function facebook({ clientId, clientSecret }: Keys<'facebook'>, redirectUri: string): OAuthProvider {
  const client = new Facebook(clientId, clientSecret, redirectUri);
  return {
    title: oauthTitles.facebook,
    issuer: 'https://www.facebook.com',
    authorizationUrl: async ({ state, scopes }) =>
      client.createAuthorizationURL(state, withScopes(['public_profile', 'email'], scopes)),
    async readPerson(code) {
      const token = (await client.validateAuthorizationCode(code)).accessToken();
      const url = new URL('https://graph.facebook.com/me?fields=id,name,email');
      url.searchParams.set('appsecret_proof', createHmac('sha256', clientSecret).update(token).digest('hex'));
      const person = await readJson(FacebookPerson, url, token);
      // Facebook does not say whether it confirmed the email.
      return { uid: person.id, email: email(person.email), emailVerified: false, name: person.name ?? '' };
    },
  };
}

const GithubPerson = z.object({ id: z.int().positive(), name: z.string().nullish() });
const GithubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

function github({ clientId, clientSecret }: Keys<'github'>, redirectUri: string): OAuthProvider {
  // arctic's own GitHub has no code verifier.
  const client = new OAuth2Client(clientId, clientSecret, redirectUri);
  return {
    title: oauthTitles.github,
    issuer: 'https://github.com',
    async authorizationUrl({ state, codeVerifier, scopes }) {
      const url = client.createAuthorizationURLWithPKCE(
        'https://github.com/login/oauth/authorize',
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        withScopes(['read:user', 'user:email'], scopes),
      );
      url.searchParams.set('prompt', 'select_account');
      return url;
    },
    async readPerson(code, { codeVerifier }) {
      const tokens = await client.validateAuthorizationCode(
        'https://github.com/login/oauth/access_token',
        code,
        codeVerifier,
      );
      // GitHub answers its refusals with status 200.
      if ('error' in tokens.data) throw new OAuth2RequestError(String(tokens.data.error), null, null, null);
      const token = tokens.accessToken();
      const [person, emails] = await Promise.all([
        readJson(GithubPerson, new URL('https://api.github.com/user'), token),
        readJson(GithubEmails, new URL('https://api.github.com/user/emails'), token),
      ]);
      const primary = emails.find(({ primary }) => primary);
      return {
        uid: String(person.id),
        email: email(primary?.email),
        emailVerified: primary?.verified === true,
        name: person.name ?? '',
      };
    },
  };
}

function oidc({ issuer, clientId, clientSecret }: Keys<'oidc'>, redirectUri: string): OAuthProvider {
  const client = new OAuth2Client(clientId, clientSecret, redirectUri);
  const discover = discoverOidc(issuer);
  return {
    title: new URL(issuer).hostname,
    issuer,
    async authorizationUrl({ state, codeVerifier, nonce, scopes }) {
      const { authorizationEndpoint } = await discover();
      const url = client.createAuthorizationURLWithPKCE(
        authorizationEndpoint,
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        withScopes(['openid', 'email', 'profile'], scopes),
      );
      url.searchParams.set('nonce', nonce);
      url.searchParams.set('prompt', 'select_account');
      return url;
    },
    async readPerson(code, { codeVerifier, nonce }) {
      const { tokenEndpoint, keys } = await discover();
      const tokens = await client.validateAuthorizationCode(tokenEndpoint, code, codeVerifier);
      return readIdToken(tokens, keys, { issuer: [issuer], clientId, nonce });
    },
  };
}

/** The providers that are configured. */
export function openProviders({
  oauth,
  publicUrl,
  projectId,
}: Pick<Config, 'oauth' | 'publicUrl' | 'projectId'>): ReadonlyMap<OAuthProviderName, OAuthProvider> {
  // Each has a path of its own: the answer of one is never taken for another's.
  const redirectUri = (name: OAuthProviderName) =>
    `${publicUrl}/v1/account/sessions/oauth2/callback/${name}/${projectId}`;
  const providers = new Map<OAuthProviderName, OAuthProvider>();
  if (oauth.google) providers.set('google', google(oauth.google, redirectUri('google')));
  if (oauth.facebook) providers.set('facebook', facebook(oauth.facebook, redirectUri('facebook')));
  if (oauth.github) providers.set('github', github(oauth.github, redirectUri('github')));
  if (oauth.apple) providers.set('apple', apple(oauth.apple, redirectUri('apple')));
  if (oauth.oidc) providers.set('oidc', oidc(oauth.oidc, redirectUri('oidc')));
  return providers;
}

/**
 * The person of a provider's code.
 * @throws Problem `user_oauth2_unauthorized` when it refuses the code | `user_oauth2_provider_error` for anything else
 */
export async function exchangeCode(
  provider: OAuthProvider,
  code: string,
  secrets: OAuthSecrets,
): Promise<ProviderPerson> {
  try {
    return await withTimeout(provider.readPerson(code, secrets));
  } catch (error) {
    const isRefusal = error instanceof OAuth2RequestError;
    throw new Problem(isRefusal ? 'user_oauth2_unauthorized' : 'user_oauth2_provider_error', {
      cause: error,
    });
  }
}
