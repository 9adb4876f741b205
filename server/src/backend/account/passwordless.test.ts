import { nowDate, nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { accounts, challenges, sessions } from '../../features/accounts/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { newId } from '../../platform/ids.ts';
import { refused, sdk13, sdk27, withBrowsers } from '../../testing/backend/account-sdk.ts';
import { backendTest, friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import { addMember } from '../../testing/features/sessions.ts';

const base = backendTest();
const password = 'correct horse battery';
const newEmail = () => `${newId()}@example.com`;
const landing = `${friendlyOrigin}/landing?from=mail`;

describe.each([
  [sdk13.name, sdk13.open, '/v1/account/sessions/magic-url'],
  [sdk27.name, sdk27.open, '/v1/account/tokens/magic-url'],
] as const)('%s', (_name, openSdk, magicPath) => {
  const test = withBrowsers(base, openSdk).extend('secretFor', ({ backend }) => async (email: string) => {
    const link = linkOf(await backend.lastMailTo(email));
    const { userId = '', secret = '', expire = '' } = Object.fromEntries(link.searchParams);
    return { userId, secret, expire };
  });

  test('an anonymous account has a profile, and becomes one like any other by email and password (§7-account-anonymous-session)', async ({
    database,
    open,
  }) => {
    const ben = await open().account.anonymous();
    const isBen = eq(accounts.id, ben.userId);
    const bens = await database.select().from(accounts).where(isBen);
    const ana = open();
    const session = await ana.account.anonymous();
    expect(await database.select().from(accounts).where(isBen)).toEqual(bens);
    // It agreed to nothing: its creation and its session.
    expect((await ana.account.logs(5)).total).toBe(2);
    expect(session).toMatchObject({ provider: 'anonymous', providerUid: '' });
    expect(await ana.account.get()).toMatchObject({
      email: '',
      emailVerification: false,
      passwordUpdate: '',
    });
    const [profile] = await database.select().from(profiles).where(eq(profiles.accountId, session.userId));
    expect(profile).toMatchObject({ username: 'User025', name: '' });
    await expect(ana.account.anonymous()).rejects.toEqual(refused(401, 'user_session_already_exists'));
    await expect(ana.account.verify(landing)).rejects.toEqual(refused(400, 'user_email_not_found'));
    const email = newEmail();
    await expect(ana.account.updateEmail(email, 'short')).rejects.toEqual(
      refused(400, 'general_argument_invalid'),
    );
    await expect(ana.account.updateEmail(email, 'password123')).rejects.toEqual(
      refused(400, 'user_password_common'),
    );
    expect(await ana.account.updateEmail(email, password)).toMatchObject({ email, emailVerification: false });
    await expect(ana.account.updateEmail(newEmail(), 'another password')).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
    const other = open();
    await other.account.signIn(email, password);
    expect((await other.account.get()).$id).toBe(session.userId);
  });

  test('a mailed link makes the account of a new email and signs in, once (§7-account-magic-url, §7-account-confirm-magic-url)', async ({
    database,
    open,
    secretFor,
  }) => {
    const ana = open();
    const email = newEmail();
    const id = newId();
    const token = await ana.account.mailLink(id, email);
    expect(token).toMatchObject({ userId: id, secret: '' });
    expect(await database.$count(accounts, eq(accounts.email, email))).toBe(0);
    const { userId, secret, expire } = await secretFor(email);
    expect(expire).toBe(token.expire);
    await expect(ana.account.openLink(userId, 'wrong')).rejects.toEqual(refused(401, 'user_invalid_token'));
    await expect(ana.account.openLink('another', secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    const session = await ana.account.openLink(token.userId, secret);
    expect(session).toMatchObject({ userId: id, provider: 'magic-url', providerUid: email });
    expect(await ana.account.get()).toMatchObject({ $id: id, email, emailVerification: true });
    await expect(open().account.openLink(userId, secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    expect(ana.requests).toContain(`POST ${magicPath} 201`);
  });

  test('a mailed link signs in to the account of a confirmed email, whose password stays', async ({
    connection,
    open,
    secretFor,
  }) => {
    const member = await addMember(connection);
    const ana = open();
    const token = await ana.account.mailLink('unique()', member.email);
    // The reply names no account, known or not.
    expect(token.userId).not.toBe(member.accountId);
    const { userId, secret } = await secretFor(member.email);
    expect(await ana.account.openLink(userId, secret)).toMatchObject({ userId: member.accountId });
    await expect(ana.account.updatePassword('a second password')).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
  });

  test('an account of another’s unconfirmed email passes to the person who reads its mail (threat-codes-and-links)', async ({
    connection,
    database,
    open,
    secretFor,
  }) => {
    const thief = await addMember(connection, { emailVerified: false });
    const ana = open();
    await ana.account.mailLink('unique()', thief.email);
    const { userId, secret } = await secretFor(thief.email);
    const { $id } = await ana.account.openLink(userId, secret);
    const [row] = await database.select().from(accounts).where(eq(accounts.email, thief.email));
    expect(row).toMatchObject({ passwordHash: '', emailVerifiedAt: expect.any(Date) });
    const left = await database.select().from(sessions).where(eq(sessions.accountId, thief.accountId));
    expect(left.map(({ id }) => id)).toEqual([$id]);
  });

  test('a first password is set soon after the link, not by a session found later (threat-codes-and-links)', async ({
    database,
    open,
    secretFor,
  }) => {
    const ana = open();
    const email = newEmail();
    await ana.account.mailLink('unique()', email);
    const { userId, secret } = await secretFor(email);
    const { $id } = await ana.account.openLink(userId, secret);
    await database
      .update(sessions)
      .set({ createdAt: new Date(0) })
      .where(eq(sessions.id, $id));
    await expect(ana.account.updatePassword(password)).rejects.toEqual(refused(403, 'user_sign_in_again'));
    // Nor by the change of an email that there is.
    await expect(ana.account.updateEmail(newEmail(), password)).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
    await database.update(sessions).set({ createdAt: nowDate() }).where(eq(sessions.id, $id));
    await ana.account.updatePassword(password);
    await open().account.signIn(email, password);
  });

  test('an old link, and one to a stranger’s page, does nothing', async ({ database, open, secretFor }) => {
    const ana = open();
    const email = newEmail();
    await expect(ana.account.mailLink('unique()', email, 'https://evil.example/')).rejects.toEqual(
      refused(400, 'general_argument_invalid'),
    );
    await ana.account.mailLink('unique()', email);
    const { userId, secret } = await secretFor(email);
    await database
      .update(challenges)
      .set({ expiresAt: new Date(0) })
      .where(eq(challenges.email, email));
    await expect(ana.account.openLink(userId, secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    expect(await database.$count(accounts, eq(accounts.email, email))).toBe(0);
  });
});

base(
  'keeps no secret of a mailed link in the database (threat-codes-and-links)',
  async ({ backend, database }) => {
    const ana = sdk27.open(backend.url);
    const email = newEmail();
    await ana.account.mailLink('unique()', email);
    const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
    const [row] = await database.select().from(challenges).where(eq(challenges.email, email));
    expect(row?.secretHash.toString('base64url')).not.toBe(secret);
    expect(row?.secretHash).toHaveLength(32);
  },
);

describe('a code of a mail', () => {
  const test = withBrowsers(base, sdk27.open).extend('codeFor', ({ backend }) => async (email: string) => {
    const mail = await backend.lastMailTo(email);
    expect(mail?.subject).not.toMatch(/\d{6}/);
    return /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? '';
  });

  test('makes the account of a new email and signs in, once; any secret is taken', async ({
    database,
    backend,
    open,
    codeFor,
  }) => {
    const ana = open();
    const [id, email] = [newId(), newEmail()];
    const token = await ana.newest.mailCode(id, email);
    expect(token).toMatchObject({ userId: id, secret: '' });
    expect(await database.$count(accounts, eq(accounts.email, email))).toBe(0);
    const code = await codeFor(email);
    await expect(open().newest.enterSecret('another', code)).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
    const session = await ana.newest.enterSecret(id, code);
    expect(session).toMatchObject({ userId: id, provider: 'token', providerUid: email });
    expect(await ana.account.get()).toMatchObject({ $id: id, email, emailVerification: true });
    await expect(open().newest.enterSecret(id, code)).rejects.toEqual(refused(401, 'user_invalid_token'));
    expect(ana.requests).toEqual(
      expect.arrayContaining(['POST /v1/account/tokens/email 201', 'POST /v1/account/sessions/token 201']),
    );
    // A session that a code began has shown no password.
    await expect(ana.account.leave()).rejects.toEqual(refused(403, 'user_recent_password_required'));
    const { userId } = await open().account.mailLink('unique()', email);
    const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
    expect(await open().newest.enterSecret(userId, secret)).toMatchObject({
      userId: id,
      provider: 'magic-url',
    });
    await expect(open().newest.enterSecret(userId, secret)).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
  });

  test('signs in once, also when it is sent twice at once (threat-codes-and-links)', async ({
    open,
    codeFor,
  }) => {
    const email = newEmail();
    const { userId } = await open().newest.mailCode('unique()', email);
    const code = await codeFor(email);
    const results = await Promise.allSettled([
      open().newest.enterSecret(userId, code),
      open().newest.enterSecret(userId, code),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual([
      refused(401, 'user_invalid_token'),
    ]);
  });

  test('a texted code signs in by the same call', async ({ backend, open }) => {
    const phone = `+63918${String(nowMs()).slice(-7)}`;
    const { userId } = await open().account.textCode('unique()', phone);
    const text = (await backend.mails()).findLast(({ to }) => to === phone)?.text ?? '';
    const code = text.slice(0, 6);
    expect(await open().newest.enterSecret(userId, code)).toMatchObject({ userId, provider: 'phone' });
  });

  test('is void after five wrong tries and after 15 minutes, and no other mail’s', async ({
    database,
    open,
    codeFor,
  }) => {
    const ana = open();
    const email = newEmail();
    const { userId } = await ana.newest.mailCode('unique()', email);
    const code = await codeFor(email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++) {
      await expect(ana.newest.enterSecret(userId, wrong)).rejects.toEqual(refused(401, 'user_invalid_token'));
    }
    await expect(ana.newest.enterSecret(userId, code)).rejects.toEqual(refused(401, 'user_invalid_token'));
    const later = await ana.newest.mailCode('unique()', email);
    await expect(ana.newest.enterSecret(userId, await codeFor(email))).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
    await database
      .update(challenges)
      .set({ expiresAt: new Date(0) })
      .where(eq(challenges.email, email));
    await expect(ana.newest.enterSecret(later.userId, code)).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
  });

  test('claims an account whose email was never confirmed, as a mailed link does', async ({
    connection,
    database,
    open,
    codeFor,
  }) => {
    const thief = await addMember(connection, { emailVerified: false });
    const ana = open();
    const { userId } = await ana.newest.mailCode('unique()', thief.email);
    const { $id } = await ana.newest.enterSecret(userId, await codeFor(thief.email));
    const left = await database.select().from(sessions).where(eq(sessions.accountId, thief.accountId));
    expect(left.map(({ id }) => id)).toEqual([$id]);
  });
});
