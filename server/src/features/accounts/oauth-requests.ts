import { nowMs } from '@tara/contract/clock';
import { createRemoteJWKSet } from 'jose';
import * as z from 'zod';

/** Requests to sign-in providers, each of which ends in time. */

const timeoutMs = 10_000;
/** How long a provider's addresses are believed. */
const discoveryLifetimeMs = 3600_000;

/** Waits for work that cannot be cancelled. @throws Error after ten seconds */
export async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  return Promise.race([
    work,
    new Promise<never>((_done, fail) => {
      signal.addEventListener('abort', () => fail(new Error('The provider took too long.')), { once: true });
    }),
  ]);
}

/** Reads a provider's JSON. @throws Error for any other answer */
export async function readJson<S extends z.ZodType>(
  schema: S,
  url: URL,
  accessToken?: string,
): Promise<z.output<S>> {
  const response = await fetch(url, {
    headers: {
      accept: 'application/json',
      'user-agent': 'Tara',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}.`);
  return schema.parse(await response.json());
}

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

interface OidcEndpoints {
  authorizationEndpoint: string;
  tokenEndpoint: string;
  keys: ReturnType<typeof createRemoteJWKSet>;
}

async function readDiscovery(issuer: string): Promise<OidcEndpoints> {
  const url = new URL(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`);
  const discovery = await readJson(Discovery, url);
  if (discovery.issuer !== issuer) throw new Error('The provider names another issuer.');
  const {
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    jwks_uri,
  } = discovery;
  for (const endpoint of [authorizationEndpoint, tokenEndpoint, jwks_uri]) {
    // Secrets and keys travel as safely as the configured address promises.
    if (new URL(endpoint).protocol !== url.protocol) throw new Error('The provider has an unsafe address.');
  }
  return { authorizationEndpoint, tokenEndpoint, keys: createRemoteJWKSet(new URL(jwks_uri)) };
}

/** Makes the function that returns where a provider is reached (OpenID Connect Discovery), fetched at most hourly. */
export function discoverOidc(issuer: string): () => Promise<OidcEndpoints> {
  let endpoints: Promise<OidcEndpoints> | undefined;
  let readAt = 0;
  return () => {
    if (endpoints === undefined || nowMs() - readAt > discoveryLifetimeMs) {
      readAt = nowMs();
      const reading = readDiscovery(issuer);
      endpoints = reading;
      // The next sign-in tries again.
      reading.catch(() => {
        if (endpoints === reading) endpoints = undefined;
      });
    }
    return endpoints;
  };
}
