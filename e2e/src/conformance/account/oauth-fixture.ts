import type { TestProvider } from '@tara/server/testing/backend/oauth-provider';
import type { BaseFixture } from '../fixture.ts';
import { callSdk, openSdk, type SdkUser } from '../sdks.ts';
import { browserSdk } from '../versions.ts';
import { newEmail } from './fixture.ts';

/** What cases of sign-in at another provider begin from. */
export interface OAuthFixture {
  readonly providerUrl: string;
  /** Lets somebody be signed in at the provider, without an email when it is null; `consent` answers where its page leads back to. */
  atProvider(email?: string | null): { email: string | null; consent(address: string): Promise<string> };
  /** Signs in at the provider as somebody with this email. */
  joinIdentity(email: string): Promise<void>;
  /** Somebody whose account has a provider as its only way in: no email. */
  providerMember(): Promise<SdkUser>;
  identityIds(user: SdkUser): Promise<string[]>;
}

export function oauthFixture({
  tara,
  guest,
  provider,
}: BaseFixture & { provider: TestProvider }): OAuthFixture {
  /** Signs in by a browser, whatever the SDK of the case; the secret of its session. */
  const signInByProvider = async (email: string | null): Promise<string> => {
    const browser = openSdk(browserSdk, { url: tara.url });
    const { consent } = fixture.atProvider(email);
    const pages = [`${tara.url}/`, `${tara.url}/sign-in`];
    const address = await callSdk(browser, 'account', 'createOAuth2Session', ['oidc', ...pages]);
    await browser.visit(await consent(String(address)));
    return browser.cookies.get('a_session_tara') ?? '';
  };
  const fixture: OAuthFixture = {
    providerUrl: provider.url,
    atProvider: (email = newEmail()) => {
      const sub = String(Math.floor(Math.random() * 1e12));
      provider.person = { sub, name: 'Ana Cruz', ...(email === null ? {} : { email, email_verified: true }) };
      return { email, consent: async (address) => (await provider.open(address)).url.href };
    },
    joinIdentity: async (email) => void (await signInByProvider(email)),
    providerMember: async () => {
      const user = guest();
      user.useSession(await signInByProvider(null));
      return user;
    },
    identityIds: async (user) => {
      const page = (await callSdk(user, 'account', 'listIdentities', [])) as {
        identities: { $id: string }[];
      };
      return page.identities.map(({ $id }) => $id);
    },
  };
  return fixture;
}
