import { createHash } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { newId } from '../../platform/ids.ts';

/** Who is signed in at the provider. */
interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

interface Grant {
  person: Person;
  clientId: string;
  issuer: string;
  redirectUri: string;
  nonce: string | undefined;
  challenge: string | undefined;
}

/**
 * A sign-in provider of a test: what OpenID Connect describes, and besides the addresses of Google, Apple, GitHub and
 * Facebook, whose requests `fetch` brings here.
 */
export interface TestProvider {
  /** Its address, which is its issuer's name. */
  url: string;
  /** Signed in at it, and consenting; null refuses. */
  person: Person | null;
  /** Changes the claims of the next id tokens. */
  claims: JWTPayload;
  /** Signs the next id tokens by a key that it does not publish. */
  forges: boolean;
  /** Fails each token request with this status. */
  brokenStatus: number | null;
  /** The requests to its page, latest last. */
  queries: URLSearchParams[];
  /** The global fetch of a server that has this provider behind the addresses of the known ones. */
  fetch: typeof fetch;
  /** Follows a redirect to its page, as a browser in which the person is signed in; returns where it leads next. */
  open(address: string): Promise<{ url: URL; form: URLSearchParams | null }>;
  close(): Promise<void>;
}

export const clientKeys = { id: 'tara-at-provider', secret: 'secret-of-tara' } as const;

const issuers: Record<string, string> = {
  '/o/oauth2/v2/auth': 'https://accounts.google.com',
  '/auth/authorize': 'https://appleid.apple.com',
};
const hosts =
  /^https:\/\/(accounts\.google\.com|oauth2\.googleapis\.com|www\.googleapis\.com|appleid\.apple\.com|github\.com|api\.github\.com|www\.facebook\.com|graph\.facebook\.com)\//;

const query = (request: FastifyRequest) =>
  new URLSearchParams(request.url.includes('?') ? request.url.replace(/^[^?]*\?/, '') : '');

/** Starts a provider. `appleKey` is the public key of the client at Apple, which signs its own secret. */
export async function startProvider({ appleKey }: { appleKey: CryptoKey }): Promise<TestProvider> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwks = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }] };
  const grants = new Map<string, Grant>();
  const bearers = new Map<string, Person>();
  const app = fastify();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );

  app.get('/.well-known/openid-configuration', async () => ({
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    jwks_uri: `${provider.url}/jwks`,
  }));
  for (const path of ['/jwks', '/oauth2/v3/certs', '/auth/keys']) app.get(path, async () => jwks);

  const pages = ['/authorize', '/login/oauth/authorize', '/v16.0/dialog/oauth', ...Object.keys(issuers)];
  for (const path of pages) {
    app.get(path, async (request, reply) => {
      const sent = query(request);
      provider.queries.push(sent);
      if (sent.get('client_id') !== clientKeys.id || sent.get('response_type') !== 'code') {
        return reply.code(400).send();
      }
      const redirectUri = sent.get('redirect_uri') ?? '';
      const answer = new URLSearchParams({ state: sent.get('state') ?? '' });
      if (provider.person === null) answer.set('error', 'access_denied');
      else {
        const code = newId();
        grants.set(code, {
          person: provider.person,
          clientId: clientKeys.id,
          issuer: issuers[path] ?? provider.url,
          redirectUri,
          nonce: sent.get('nonce') ?? undefined,
          challenge: sent.get('code_challenge') ?? undefined,
        });
        answer.set('code', code);
      }
      if (sent.get('response_mode') === 'form_post') return { action: redirectUri, form: answer.toString() };
      return reply.redirect(`${redirectUri}?${answer}`);
    });
  }

  const isClient = async (request: FastifyRequest, form: URLSearchParams) => {
    const basic = Buffer.from(
      request.headers.authorization?.replace(/^Basic /, '') ?? '',
      'base64',
    ).toString();
    if (basic === `${clientKeys.id}:${clientKeys.secret}`) return true;
    if (form.get('client_id') !== clientKeys.id) return false;
    const secret = form.get('client_secret') ?? '';
    if (secret === clientKeys.secret) return true;
    const verified = await jwtVerify(secret, appleKey, { audience: 'https://appleid.apple.com' }).catch(
      () => null,
    );
    return verified?.payload.sub === clientKeys.id;
  };
  for (const path of ['/token', '/login/oauth/access_token', '/v16.0/oauth/access_token', '/auth/token']) {
    app.post(path, async (request, reply) => {
      if (provider.brokenStatus !== null) return reply.code(provider.brokenStatus).send();
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      // GitHub answers its refusals with 200.
      const refuse = (error: string) => reply.code(path.startsWith('/login') ? 200 : 400).send({ error });
      if (!(await isClient(request, form))) return refuse('invalid_client');
      const code = form.get('code') ?? '';
      const grant = grants.get(code);
      grants.delete(code);
      const verifier = form.get('code_verifier');
      const challenge =
        verifier === null ? undefined : createHash('sha256').update(verifier).digest('base64url');
      const isRight =
        grant !== undefined &&
        form.get('redirect_uri') === grant.redirectUri &&
        challenge === grant.challenge;
      if (!isRight) return refuse('invalid_grant');
      const accessToken = newId();
      bearers.set(accessToken, grant.person);
      const { issuer, clientId, nonce, person } = grant;
      const idToken = await new SignJWT({ ...person, nonce, ...provider.claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'own' })
        .setIssuer(provider.claims.iss ?? issuer)
        .setAudience(provider.claims.aud ?? clientId)
        .setIssuedAt()
        .setExpirationTime(provider.claims.exp ?? '5m')
        .sign(provider.forges ? other.privateKey : own.privateKey);
      return { access_token: accessToken, token_type: 'bearer', id_token: idToken };
    });
  }

  const bearer = (request: FastifyRequest) =>
    bearers.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
  app.get('/user', async (request) => {
    const person = bearer(request);
    return { id: Number(person?.sub), name: person?.name ?? null };
  });
  app.get('/user/emails', async (request) => {
    const person = bearer(request);
    return [
      { email: 'another@example.com', primary: false, verified: true },
      { email: person?.email, primary: true, verified: person?.email_verified },
    ];
  });
  app.get('/me', async (request) => {
    const person = bearer(request);
    return { id: person?.sub, email: person?.email, name: person?.name };
  });

  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const realFetch = globalThis.fetch;
  const here = (address: string) => address.replace(hosts, `${url}/`);
  const provider: TestProvider = {
    url,
    person: null,
    claims: {},
    forges: false,
    brokenStatus: null,
    queries: [],
    fetch: (input, init) =>
      input instanceof Request
        ? realFetch(hosts.test(input.url) ? new Request(here(input.url), input) : input, init)
        : realFetch(here(String(input)), init),
    open: async (address) => {
      const response = await realFetch(here(address), { redirect: 'manual' });
      const location = response.headers.get('location');
      if (location !== null) return { url: new URL(location), form: null };
      const page = (await response.json()) as { action: string; form: string };
      return { url: new URL(page.action), form: new URLSearchParams(page.form) };
    },
    close: () => app.close(),
  };
  return provider;
}
