import { nowMs } from '@tara/contract/clock';
import type { OAuthProviderName } from '@tara/contract/wire/oauth2';
import { and, eq, gt, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Database } from '../../platform/database/connect.ts';
import { hashSecret, newSecret } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { OAuthProvider, OAuthSecrets } from './oauth-providers.ts';
import { oauthStates } from './tables.ts';

/** Sign-ins at other providers on their way: each comes back once, in time, to the browser that began it. */

const lifetimeMs = 10 * 60_000;
const purpose = 'oauth2 state';
const Sealed = z.object({ codeVerifier: z.string(), nonce: z.string() });

/** What a sign-in leads to, and where. Both addresses are checked already. */
export interface OAuthRequest {
  result: 'session' | 'token';
  success: string;
  failure: string;
}

/**
 * Stores a sign-in that begins; returns the provider's page, and the secret that the browser keeps meanwhile.
 * @throws Problem `user_oauth2_provider_error` when the provider does not say where its page is
 */
export async function beginOAuth(
  { database, sealer }: Pick<Platform, 'database' | 'sealer'>,
  name: OAuthProviderName,
  provider: OAuthProvider,
  { result, success, failure, scopes }: OAuthRequest & { scopes: string[] },
): Promise<{ url: URL; browserSecret: string; expiresAt: Date }> {
  const [state, browserSecret] = [newSecret(), newSecret()];
  const secrets: OAuthSecrets = { codeVerifier: newSecret(), nonce: newSecret() };
  const url = await provider.authorizationUrl({ ...secrets, state, scopes }).catch((cause: unknown) => {
    throw new Problem('user_oauth2_provider_error', { cause });
  });
  const expiresAt = new Date(nowMs() + lifetimeMs);
  await database.insert(oauthStates).values({
    stateHash: hashSecret(state),
    browserHash: hashSecret(browserSecret),
    provider: name,
    sealed: sealer.seal(purpose, secrets),
    result,
    successUrl: success,
    failureUrl: failure,
    expiresAt,
  });
  return { url, browserSecret, expiresAt };
}

/**
 * The sign-in that a provider answers, which cannot be answered again.
 * @throws Problem `user_oauth2_bad_request` for a state of another browser or provider, a used or an old one
 */
export async function takeOAuth(
  { database, sealer }: { database: Database; sealer: Platform['sealer'] },
  name: OAuthProviderName,
  { state, browserSecret }: { state: string | undefined; browserSecret: string | undefined },
): Promise<OAuthRequest & OAuthSecrets> {
  if (!state || !browserSecret) throw new Problem('user_oauth2_bad_request');
  const [row] = await database
    .delete(oauthStates)
    .where(
      and(
        eq(oauthStates.stateHash, hashSecret(state)),
        eq(oauthStates.browserHash, hashSecret(browserSecret)),
        eq(oauthStates.provider, name),
        gt(oauthStates.expiresAt, sql`now()`),
      ),
    )
    .returning();
  const secrets = Sealed.safeParse(row && sealer.open(purpose, row.sealed));
  if (row === undefined || !secrets.success) throw new Problem('user_oauth2_bad_request');
  return { ...secrets.data, result: row.result, success: row.successUrl, failure: row.failureUrl };
}
