import type { OAuthProvider } from 'appwrite-27';
import { expect } from 'vitest';
import { type backendTest, friendlyOrigin } from './backend.ts';
import { type Browser, openBrowser } from './browser.ts';

/** The account calls of two official SDKs under one set of names, for tests that run with both. */

const landing = `${friendlyOrigin}/landing?from=mail`;

/** A session as tests read it, in both generations. */
export interface SdkSession {
  $id: string;
  userId: string;
  provider: string;
  providerUid: string;
  expire: string;
  current: boolean;
}

interface OpenOptions {
  /** false: the browser refuses third-party cookies. */
  keepsCookies?: boolean;
  /** Origin of the page that the SDK runs on. */
  origin?: string;
}

const pageOptions = ({ keepsCookies = true, origin = friendlyOrigin }: OpenOptions) => ({
  origin,
  keepsCookies,
});

type OldAccount = InstanceType<Browser<'appwrite-13'>['sdk']['Account']>;

/** The calls that both SDKs make by the same methods. */
const sharedCalls = (account: OldAccount) => ({
  create: (id: string, email: string, password: string, name?: string) =>
    account.create(id, email, password, name),
  get: () => account.get(),
  anonymous: (): Promise<SdkSession> => account.createAnonymousSession(),
  openLink: (userId: string, secret: string): Promise<SdkSession> =>
    account.updateMagicURLSession(userId, secret),
  enterPhoneCode: (userId: string, code: string): Promise<SdkSession> =>
    account.updatePhoneSession(userId, code),
  verifyPhone: () => account.createPhoneVerification(),
  confirmPhone: (userId: string, code: string) => account.updatePhoneVerification(userId, code),
  recover: (email: string, page: string) => account.createRecovery(email, page),
  updateName: (name: string) => account.updateName(name),
  updateEmail: (email: string, password: string) => account.updateEmail(email, password),
  updatePhone: (phone: string, password: string) => account.updatePhone(phone, password),
  updatePassword: (password: string, old?: string) => account.updatePassword(password, old),
  getPrefs: () => account.getPrefs(),
  updatePrefs: (prefs: object) => account.updatePrefs(prefs),
  listSessions: () => account.listSessions(),
  getSession: (id: string) => account.getSession(id),
  extendSession: (id: string): Promise<SdkSession> => account.updateSession(id),
  deleteSession: (id: string) => account.deleteSession(id),
  deleteSessions: () => account.deleteSessions(),
  jwt: () => account.createJWT(),
  leave: () => account.updateStatus(),
  deleteIdentity: (id: string) => account.deleteIdentity(id),
});

/** A browser with SDK 13.0.2, which makes exactly the calls of §7. */
function openOld(url: string, options: OpenOptions = {}) {
  const browser: Browser<'appwrite-13'> = openBrowser('appwrite-13', pageOptions(options));
  const { Account, Client, Query } = browser.sdk;
  const client = new Client().setEndpoint(`${url}/v1`).setProject('tara');
  const account = new Account(client);
  return {
    ...browser,
    query: Query,
    setJwt: (jwt: string) => void client.setJWT(jwt),
    account: {
      ...sharedCalls(account),
      signIn: (email: string, password: string) => account.createEmailSession(email, password),
      mailLink: (id: string, email: string, page = landing) => account.createMagicURLSession(id, email, page),
      textCode: (id: string, phone: string) => account.createPhoneSession(id, phone),
      verify: (page: string) => account.createVerification(page),
      confirm: (userId: string, secret: string) => account.updateVerification(userId, secret),
      confirmRecovery: (userId: string, secret: string, password: string) =>
        account.updateRecovery(userId, secret, password, password),
      logs: (limit: number) => account.listLogs([Query.limit(limit), Query.offset(1)]),
      badLogs: () => account.listLogs([Query.equal('event', 'x')]),
      signInAt: (provider: string, success?: string, failure?: string, scopes?: string[]) =>
        void account.createOAuth2Session(provider, success, failure, scopes),
      // Its type says text, its code sends a list.
      listIdentities: (queries: string[] = []) => account.listIdentities(queries as unknown as string),
    },
  };
}

/** A browser with SDK 27.0.0, the newest. */
function openNewest(url: string, options: OpenOptions = {}) {
  const browser: Browser<'appwrite-27'> = openBrowser('appwrite-27', pageOptions(options));
  const { Account, Client, Query } = browser.sdk;
  const client = new Client().setEndpoint(`${url}/v1`).setProject('tara');
  const account = new Account(client);
  return {
    ...browser,
    query: Query,
    setJwt: (jwt: string) => void client.setJWT(jwt),
    account: {
      // The same methods; they also take their parameters as one object.
      ...sharedCalls(account as unknown as OldAccount),
      signIn: (email: string, password: string) => account.createEmailPasswordSession(email, password),
      mailLink: (id: string, email: string, page = landing) => account.createMagicURLToken(id, email, page),
      textCode: (id: string, phone: string) => account.createPhoneToken(id, phone),
      verify: (page: string) => account.createEmailVerification(page),
      confirm: (userId: string, secret: string) => account.updateEmailVerification(userId, secret),
      confirmRecovery: (userId: string, secret: string, password: string) =>
        account.updateRecovery(userId, secret, password),
      logs: (limit: number) => account.listLogs([Query.limit(limit), Query.offset(1)]),
      badLogs: () => account.listLogs([Query.equal('event', 'x')]),
      signInAt: (provider: string, success?: string, failure?: string, scopes?: string[]) =>
        void account.createOAuth2Session(provider as OAuthProvider, success, failure, scopes),
      listIdentities: (queries: string[] = []) => account.listIdentities(queries),
    },
    /** Calls that only the newest SDK makes. */
    newest: {
      mailCode: (id: string, email: string) => account.createEmailToken(id, email),
      enterSecret: (userId: string, secret: string): Promise<SdkSession> =>
        account.createSession(userId, secret),
      tokenAt: (provider: string, success?: string, failure?: string) =>
        void account.createOAuth2Token(provider as OAuthProvider, success, failure),
    },
  };
}

export const sdk13 = { name: 'SDK 13.0.2', open: openOld } as const;
export const sdk27 = { name: 'SDK 27.0.0', open: openNewest } as const;

/** What an SDK throws for an error of the server. */
export const refused = (code: number, type: string) => expect.objectContaining({ code, type });

/** A test with `open`, which opens another browser with this SDK. */
export const withBrowsers = <Open extends (url: string, options?: OpenOptions) => unknown>(
  base: ReturnType<typeof backendTest>,
  openSdk: Open,
) =>
  base.extend(
    'open',
    ({ backend }) =>
      (options?: OpenOptions) =>
        openSdk(backend.url, options) as ReturnType<Open>,
  );
