import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { accounts, challenges, sessions } from '../features/accounts/tables.ts';
import { profiles } from '../features/profiles/tables.ts';
import { newId } from '../platform/ids.ts';
import { backendTest, friendlyOrigin, linkOf } from '../testing/backend.ts';
import { openBrowser } from '../testing/browser.ts';
import { addMember } from '../testing/sessions.ts';

const base = backendTest();
const refused = (code: number, type: string) => expect.objectContaining({ code, type });
const password = 'correct horse battery';
const newEmail = () => `${newId()}@example.com`;
const landing = `${friendlyOrigin}/landing?from=mail`;

interface SdkSession {
  $id: string;
  userId: string;
  provider: string;
  providerUid: string;
}

function with13(url: string) {
  const { sdk, requests } = openBrowser('appwrite-13', { origin: friendlyOrigin });
  const account = new sdk.Account(new sdk.Client().setEndpoint(`${url}/v1`).setProject('tara'));
  return {
    requests,
    get: () => account.get(),
    anonymous: (): Promise<SdkSession> => account.createAnonymousSession(),
    mailLink: (id: string, email: string, page = landing) => account.createMagicURLSession(id, email, page),
    open: (userId: string, secret: string): Promise<SdkSession> =>
      account.updateMagicURLSession(userId, secret),
    updateEmail: (email: string, word: string) => account.updateEmail(email, word),
    setPassword: (word: string) => account.updatePassword(word),
    signIn: (email: string, word: string) => account.createEmailSession(email, word),
    verify: (page: string) => account.createVerification(page),
  };
}
function with27(url: string) {
  const { sdk, requests } = openBrowser('appwrite-27', { origin: friendlyOrigin });
  const account = new sdk.Account(new sdk.Client().setEndpoint(`${url}/v1`).setProject('tara'));
  return {
    requests,
    get: () => account.get(),
    anonymous: (): Promise<SdkSession> => account.createAnonymousSession(),
    mailLink: (id: string, email: string, page = landing) => account.createMagicURLToken(id, email, page),
    open: (userId: string, secret: string): Promise<SdkSession> =>
      account.updateMagicURLSession(userId, secret),
    updateEmail: (email: string, word: string) => account.updateEmail(email, word),
    setPassword: (word: string) => account.updatePassword(word),
    signIn: (email: string, word: string) => account.createEmailPasswordSession(email, word),
    verify: (page: string) => account.createEmailVerification(page),
  };
}

describe.each([
  ['SDK 13.0.2', with13, '/v1/account/sessions/magic-url'],
  ['SDK 27.0.0', with27, '/v1/account/tokens/magic-url'],
] as const)('%s', (_name, openSdk, magicPath) => {
  const test = base
    .extend(
      'open',
      ({ backend }) =>
        () =>
          openSdk(backend.url),
    )
    .extend('secretFor', ({ backend }) => async (email: string) => {
      const mail = (await backend.mails()).findLast(({ to }) => to === email);
      const { userId = '', secret = '' } = Object.fromEntries(linkOf(mail).searchParams);
      return { userId, secret };
    });

  test('an anonymous account has a profile, and becomes one like any other by email and password (§7-account-anonymous-session)', async ({
    database,
    open,
  }) => {
    const ana = open();
    const session = await ana.anonymous();
    expect(session).toMatchObject({ provider: 'anonymous', providerUid: '' });
    expect(await ana.get()).toMatchObject({ email: '', emailVerification: false, passwordUpdate: '' });
    const [profile] = await database.select().from(profiles).where(eq(profiles.accountId, session.userId));
    expect(profile).toMatchObject({ username: 'User025', name: '' });
    await expect(ana.anonymous()).rejects.toEqual(refused(401, 'user_session_already_exists'));
    await expect(ana.verify(landing)).rejects.toEqual(refused(400, 'user_email_not_found'));
    const email = newEmail();
    await expect(ana.updateEmail(email, 'short')).rejects.toEqual(refused(400, 'general_argument_invalid'));
    await expect(ana.updateEmail(email, 'password123')).rejects.toEqual(refused(400, 'user_password_common'));
    expect(await ana.updateEmail(email, password)).toMatchObject({ email, emailVerification: false });
    await expect(ana.updateEmail(newEmail(), 'another password')).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
    const other = open();
    await other.signIn(email, password);
    expect((await other.get()).$id).toBe(session.userId);
  });

  test('a mailed link makes the account of a new email and signs in, once (§7-account-magic-url, §7-account-confirm-magic-url)', async ({
    database,
    open,
    secretFor,
  }) => {
    const ana = open();
    const email = newEmail();
    const id = newId();
    const token = await ana.mailLink(id, email);
    expect(token).toMatchObject({ userId: id, secret: '' });
    expect(await database.$count(accounts, eq(accounts.email, email))).toBe(0);
    const { userId, secret } = await secretFor(email);
    await expect(ana.open(userId, 'wrong')).rejects.toEqual(refused(401, 'user_invalid_token'));
    await expect(ana.open('another', secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    const session = await ana.open(token.userId, secret);
    expect(session).toMatchObject({ userId: id, provider: 'magic-url', providerUid: email });
    expect(await ana.get()).toMatchObject({ $id: id, email, emailVerification: true });
    await expect(open().open(userId, secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    expect(ana.requests).toContain(`POST ${magicPath} 201`);
  });

  test('a mailed link signs in to the account of a confirmed email, whose password stays', async ({
    connection,
    open,
    secretFor,
  }) => {
    const member = await addMember(connection);
    const ana = open();
    const token = await ana.mailLink('unique()', member.email);
    // The reply names no account, known or not.
    expect(token.userId).not.toBe(member.accountId);
    const { userId, secret } = await secretFor(member.email);
    expect(await ana.open(userId, secret)).toMatchObject({ userId: member.accountId });
    await expect(ana.setPassword('a second password')).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
  });

  test('who signed up with another’s email loses the account to who reads its mail', async ({
    connection,
    database,
    open,
    secretFor,
  }) => {
    const thief = await addMember(connection, { emailVerified: false });
    const ana = open();
    await ana.mailLink('unique()', thief.email);
    const { userId, secret } = await secretFor(thief.email);
    const { $id } = await ana.open(userId, secret);
    const [row] = await database.select().from(accounts).where(eq(accounts.email, thief.email));
    expect(row).toMatchObject({ passwordHash: '', emailVerifiedAt: expect.any(Date) });
    const left = await database.select().from(sessions).where(eq(sessions.accountId, thief.accountId));
    expect(left.map(({ id }) => id)).toEqual([$id]);
  });

  test('a first password is set soon after the link, not by a session found later', async ({
    database,
    open,
    secretFor,
  }) => {
    const ana = open();
    const email = newEmail();
    await ana.mailLink('unique()', email);
    const { userId, secret } = await secretFor(email);
    const { $id } = await ana.open(userId, secret);
    await database
      .update(sessions)
      .set({ createdAt: new Date(0) })
      .where(eq(sessions.id, $id));
    await expect(ana.setPassword(password)).rejects.toEqual(refused(403, 'user_sign_in_again'));
    await database.update(sessions).set({ createdAt: new Date() }).where(eq(sessions.id, $id));
    await ana.setPassword(password);
    await open().signIn(email, password);
  });

  test('an old link, and one to a stranger’s page, does nothing', async ({ database, open, secretFor }) => {
    const ana = open();
    const email = newEmail();
    await expect(ana.mailLink('unique()', email, 'https://evil.example/')).rejects.toEqual(
      refused(400, 'general_argument_invalid'),
    );
    await ana.mailLink('unique()', email);
    const { userId, secret } = await secretFor(email);
    await database
      .update(challenges)
      .set({ expiresAt: new Date(0) })
      .where(eq(challenges.email, email));
    await expect(ana.open(userId, secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    expect(await database.$count(accounts, eq(accounts.email, email))).toBe(0);
  });
});

base('keeps no secret of a mailed link in the database', async ({ backend, database }) => {
  const ana = with13(backend.url);
  const email = newEmail();
  await ana.mailLink('unique()', email);
  const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
  const [row] = await database.select().from(challenges).where(eq(challenges.email, email));
  expect(row?.secretHash.toString('base64url')).not.toBe(secret);
  expect(row?.secretHash).toHaveLength(32);
});
