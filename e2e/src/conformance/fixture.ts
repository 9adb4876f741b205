import { account } from '@tara/contract/accounts/accounts';
import { clientKeys, startProvider } from '@tara/server/testing/backend/oauth-provider';
import { z } from 'zod';
import { inDatabase } from '../outside.ts';
import {
  acceptVerifications,
  confirmEmail,
  makeAdmin,
  newPerson,
  type Person,
  password,
  reachStage,
  sendVerification,
  signIn as signInToApi,
  signUp,
} from '../steps.ts';
import { openTara, type Tara } from '../tara.ts';
import { type AccountFixture, accountFixture, newEmail } from './account/fixture.ts';
import { type OAuthFixture, oauthFixture } from './account/oauth-fixture.ts';
import { type DocumentFixture, documentFixture } from './documents/fixture.ts';
import { type FileFixture, fileFixture } from './files/fixture.ts';
import { nativeOrigin } from './react-native.ts';
import { type RealtimeFixture, realtimeFixture } from './realtime/fixture.ts';
import { callSdk, findMethod, openSdk, type Query, type Sdk, type SdkUser, sdkTitle } from './sdks.ts';

/** A member with a session in an SDK. */
export interface Member {
  user: SdkUser;
  accountId: string;
  email: string;
}

/** Two members with a paid request and its chat, and an admin; with sessions at the product's own calls. */
interface Parties {
  creator: Person;
  client: Person;
  admin: Person;
  chatId: string;
}

/** What every case begins from, with one of the SDKs. */
export interface BaseFixture {
  readonly sdk: Sdk;
  readonly tara: Tara;
  /** The SDK's own class that writes queries. */
  readonly query: Query;
  /** Somebody without a session. */
  guest(): SdkUser;
  /** A guest who names another project. */
  otherProjectGuest(): SdkUser;
  /** A guest at a page of an origin that the server does not know. */
  foreignGuest(): SdkUser;
  /** A member with a confirmed email, the same one each time: for cases that change nothing. */
  member(): Promise<Member>;
  /** Somebody with a session whose email is not confirmed, the same one each time. */
  unconfirmedMember(): Promise<Member>;
  /** A member who left and signed in again, the same one each time. */
  leavingMember(): Promise<Member>;
  /** A suspended member, the same one each time. */
  suspendedMember(): Promise<Member>;
  /** A member of a case's own. */
  newMember(options?: { confirmed?: boolean }): Promise<Member>;
  /** Makes an account that nobody is signed in to. */
  signUp(email: string): Promise<string>;
  /** Signs in with the password of everybody here. */
  signIn(user: SdkUser, email: string): Promise<void>;
  /** Calls a method of the account by the name of its newest generation, or an older one. */
  call(user: SdkUser, names: readonly string[], ...args: unknown[]): Promise<unknown>;
  /** The account of the user's session. */
  account(user: SdkUser): Promise<z.output<typeof account.get.reply>>;
  /** Marks the account as blocked, as an admin does who bans a member. */
  block(accountId: string): Promise<void>;
  /** Suspends the account, as an admin does after a report; a session that begins later is refused. */
  suspend(accountId: string): Promise<void>;
  /** Lets the days be over after which the account is deleted. */
  beginDeletion(accountId: string): Promise<void>;
  /** Lets the sessions of a member be an hour old; before they are used. */
  agePassword(accountId: string): Promise<void>;
  /** Asks an admin to check the identity of a member. */
  askForVerification(email: string): Promise<void>;
  parties(): Promise<Parties>;
  /** The member of `parties` who paid. */
  payingMember(): Promise<Member>;
}

export interface Fixture
  extends BaseFixture,
    AccountFixture,
    OAuthFixture,
    DocumentFixture,
    FileFixture,
    RealtimeFixture {
  /** The same on a server with rate limits, without text messages, and with a provider that does not answer. */
  limited(): Promise<Fixture>;
  /** The same on a server whose disk is nearly full, on which nobody can sign up. */
  fullDisk(): Promise<Fixture>;
}

const Created = z.looseObject({ $id: z.string() });

/** Two members, of whom the creator's identity is verified, and a request that the client paid, with its chat. */
async function makeParties(tara: Tara): Promise<Parties> {
  const [creator, client, admin] = ['Carla', 'Paolo', 'Boss'].map((name) => newPerson(tara, name));
  if (!creator || !client || !admin) throw new Error('There are three.');
  for (const person of [creator, client, admin]) {
    await signUp(tara, person);
    await confirmEmail(tara, person);
  }
  await makeAdmin(tara, admin);
  await sendVerification(creator, 1);
  await sendVerification(client, 2);
  await acceptVerifications(admin);
  const { chatId } = await reachStage({ creator, client, admin }, 'chatting');
  return { creator, client, admin, chatId };
}

/** The servers of a run, in processes of their own with empty databases, and fixtures at them. */
export interface Fixtures {
  fixture(sdk: Sdk): Fixture;
  close(): Promise<void>;
}

/** No case signs in at Apple. */
const newAppleKey = async () => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  return (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])).publicKey;
};

/** Starts a server, and others when a case needs their rate limits or full disk. */
export async function openFixtures(): Promise<Fixtures> {
  const provider = await startProvider({ appleKey: await newAppleKey() });
  const env = {
    LOG_LEVEL: 'fatal',
    ALLOWED_ORIGINS: nativeOrigin,
    ...{ OIDC_CLIENT_ID: clientKeys.id, OIDC_CLIENT_SECRET: clientKeys.secret, OIDC_ISSUER: provider.url },
  };
  const tara = await openTara({ env });
  const otherServers = new Map<string, Promise<Tara>>();
  let parties: Promise<Parties> | undefined;
  const users = new Set<SdkUser>();
  const members = new Map<string, Promise<Member>>();

  const fixtureAt = (at: Tara, sdk: Sdk): Fixture => {
    const open = (settings: { project?: string; origin?: string } = {}) => {
      const user = openSdk(sdk, { url: at.url, ...settings });
      users.add(user);
      return user;
    };
    const call: BaseFixture['call'] = (user, names, ...args) =>
      callSdk(user, 'account', findMethod(sdk, 'account', names) ?? names.join(), args);
    const change = (sql: (tag: Parameters<Parameters<typeof inDatabase>[1]>[0]) => Promise<unknown>) =>
      inDatabase(at, async (tag) => void (await sql(tag)));
    const shared = (kind: string, make: () => Promise<Member>) => {
      const key = `${kind} ${at.url} ${sdkTitle(sdk)}`;
      const member = members.get(key) ?? make();
      members.set(key, member);
      // A busy server is tried again.
      member.catch(() => members.delete(key));
      return member;
    };
    const otherServer = async (name: string, settings: NodeJS.ProcessEnv) => {
      const server = otherServers.get(name) ?? openTara({ env: { ...env, ...settings } });
      otherServers.set(name, server);
      return fixtureAt(await server, sdk);
    };
    const base: BaseFixture = {
      sdk,
      tara: at,
      query: open().query,
      guest: () => open(),
      otherProjectGuest: () => open({ project: 'other' }),
      foreignGuest: () => open({ origin: 'http://elsewhere.test' }),
      member: () => shared('member', () => base.newMember()),
      unconfirmedMember: () => shared('unconfirmed', () => base.newMember({ confirmed: false })),
      leavingMember: () =>
        shared('leaving', async () => {
          const member = await base.newMember();
          await call(member.user, ['updateStatus']);
          await base.signIn(member.user, member.email);
          return member;
        }),
      suspendedMember: () =>
        shared('suspended', async () => {
          const { accountId, email } = await base.newMember();
          await base.suspend(accountId);
          const user = open();
          await base.signIn(user, email);
          return { user, accountId, email };
        }),
      newMember: async ({ confirmed = true } = {}) => {
        const user = open();
        const email = newEmail();
        const accountId = await base.signUp(email);
        if (confirmed)
          await change((sql) => sql`update accounts set email_verified_at = now() where id = ${accountId}`);
        await base.signIn(user, email);
        return { user, accountId, email };
      },
      signUp: async (email) =>
        Created.parse(await call(open(), ['create'], 'unique()', email, password, 'Ana Cruz')).$id,
      signIn: async (user, email) => {
        await call(user, ['createEmailPasswordSession', 'createEmailSession'], email, password);
      },
      call,
      account: async (user) => account.get.reply.parse(await call(user, ['get'])),
      block: (id) => change((sql) => sql`update accounts set blocked_at = now() where id = ${id}`),
      suspend: (id) =>
        change((sql) => sql`update accounts set suspended_until = now() + interval '1 day' where id = ${id}`),
      beginDeletion: (id) =>
        change((sql) => sql`update accounts set deletes_at = now() - interval '1 second' where id = ${id}`),
      agePassword: (id) =>
        change(
          (sql) => sql`update sessions set password_shown_at = now() - interval '1 hour',
            created_at = now() - interval '1 hour' where account_id = ${id}`,
        ),
      askForVerification: async (email) =>
        sendVerification(await signInToApi(at.url, email, password), Date.now() % 1_000),
      parties: () => {
        if (parties === undefined) {
          parties = makeParties(tara);
          parties.catch(() => {
            parties = undefined;
          });
        }
        return parties;
      },
      payingMember: async () => {
        const { client } = await base.parties();
        const user = open();
        await base.signIn(user, client.email);
        return { user, accountId: (await base.account(user)).$id, email: client.email };
      },
    };
    return {
      ...base,
      ...accountFixture(base),
      ...oauthFixture({ ...base, provider }),
      ...documentFixture(base),
      ...fileFixture(base),
      ...realtimeFixture(base),
      limited: () =>
        otherServer('limited', {
          RATE_LIMITS: 'on',
          ...{ SMTP_URL: 'smtp://127.0.0.1:9', OIDC_ISSUER: 'http://127.0.0.1:9' },
        }),
      // More than any disk has.
      fullDisk: () => otherServer('full', { DISK_RESERVE_MB: '100000000' }),
    };
  };

  return {
    fixture: (sdk) => fixtureAt(tara, sdk),
    close: async () => {
      for (const user of users) user.close();
      const servers = await Promise.all([tara, ...otherServers.values()]);
      await Promise.all([...servers.map((server) => server.remove()), provider.close()]);
    },
  };
}
