import { drawFraction } from '@tara/contract/random';
import { exportPKCS8, generateKeyPair } from 'jose';
import { expect, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { test } from '../test.ts';
import { refused, sdk13, type sdk27 } from './account-sdk.ts';
import { friendlyOrigin, startBackend } from './backend.ts';
import { clientKeys, startProvider } from './oauth-provider.ts';

/** Where sign-ins of these tests end: pages of an origin that the configuration allows. */
export const success = `${friendlyOrigin}/welcome?from=provider`;
export const failure = `${friendlyOrigin}/failed`;

type SdkBrowser = ReturnType<typeof sdk13.open> | ReturnType<typeof sdk27.open>;

/** Where a provider leads a browser back to, with the form that it sends instead of a query, if it does. */
export interface ProviderReply {
  url: URL;
  form: URLSearchParams | null;
}

/** A person that no test knows yet, whose email the provider confirmed. */
export const newPerson = (person: { email?: string; email_verified?: boolean; name?: string } = {}) => ({
  sub: String(Math.floor(drawFraction() * 1e12)),
  email: `${newId()}@example.com`,
  email_verified: true,
  name: 'Ana Cruz',
  ...person,
});

/** `test` with a `backend` whose providers are all played by one `provider`, and browsers that walk through it. */
export const oauthTest = test
  .extend('appleKeys', { scope: 'file' }, () => generateKeyPair('ES256', { extractable: true }))
  .extend('provider', { scope: 'file' }, async ({ appleKeys }, { onCleanup }) => {
    const provider = await startProvider({ appleKey: appleKeys.publicKey });
    vi.stubGlobal('fetch', provider.fetch);
    onCleanup(() => provider.close());
    return provider;
  })
  .extend(
    'backend',
    { scope: 'file' },
    async ({ connection, provider, appleKeys, environment }, { onCleanup }) => {
      const keys = ['GOOGLE', 'FACEBOOK', 'GITHUB', 'OIDC'].flatMap((name) => [
        [`${name}_CLIENT_ID`, clientKeys.id],
        [`${name}_CLIENT_SECRET`, clientKeys.secret],
      ]);
      const backend = await startBackend(connection, {
        ...Object.fromEntries(keys),
        OIDC_ISSUER: provider.url,
        APPLE_CLIENT_ID: clientKeys.id,
        APPLE_TEAM_ID: 'team',
        APPLE_KEY_ID: 'key',
        APPLE_PRIVATE_KEY: await exportPKCS8(appleKeys.privateKey),
        ...environment,
      });
      onCleanup(() => backend.close());
      return backend;
    },
  )
  /** Begins a sign-in; returns where the browser is led. */
  .extend('begin', ({ backend }) => async (browser: SdkBrowser, provider = 'oidc') => {
    browser.account.signInAt(provider, success, failure);
    expect(browser.location.href).toMatch(`${backend.url}/v1/account/sessions/oauth2/${provider}?`);
    const begun = await browser.visit(browser.location.href);
    expect(begun.status).toBe(302);
    return begun.headers.get('location') ?? '';
  })
  /** Signs in at the provider's page; returns where it leads the browser back to. */
  .extend('consent', ({ backend, provider }) => async (address: string): Promise<ProviderReply> => {
    const { url, form } = await provider.open(address);
    expect(url.origin).toBe(backend.platform.config.publicUrl);
    return { url: new URL(`${url.pathname}${url.search}`, backend.url), form };
  })
  /** Opens what a provider leads back to in a browser; returns the last reply, which may lead to a page. */
  .extend('comeBack', ({ backend }) => async (browser: SdkBrowser, { url, form }: ProviderReply) => {
    if (form === null) return browser.visit(url);
    // The form of another site brings none of our cookies.
    const sent = await fetch(url, {
      method: 'POST',
      body: form,
      headers: { origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' },
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.getSetCookie()]).toEqual([303, []]);
    return browser.visit(new URL(sent.headers.get('location') ?? '', backend.url));
  })
  /** A whole sign-in at a provider; returns the page it ends at. */
  .extend('signIn', ({ begin, consent, comeBack }) => async (browser: SdkBrowser, provider = 'oidc') => {
    const answer = await comeBack(browser, await consent(await begin(browser, provider)));
    expect(answer.status).toBe(302);
    return new URL(answer.headers.get('location') ?? '');
  });

/** The error that a failure page gets. */
export const errorOf = (page: URL) => JSON.parse(page.searchParams.get('error') ?? 'null');

/** The same with browsers of one SDK: an attacker chooses the requests, not the SDK. */
export const oauthAttackTest = oauthTest.extend(
  'browser',
  ({ backend }) =>
    () =>
      sdk13.open(backend.url),
);

/** The status and the type of an error reply. */
export const typeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { type: string }).type,
];

/** What an SDK throws where nobody is signed in. */
export const guest = refused(401, 'general_unauthorized_scope');
