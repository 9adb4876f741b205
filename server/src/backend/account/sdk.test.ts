import { nowMs } from '@tara/contract/clock';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { refused, sdk13, sdk27, withBrowsers } from '../../testing/backend/account-sdk.ts';
import { backendTest, friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';

const base = backendTest();

const password = 'correct horse battery';
const newEmail = () => `${newId()}@Example.com`;
const confirming = (username: string) => `${friendlyOrigin}/confirming?username=${username}`;

describe.each([
  { ...sdk13, verificationPath: '/v1/account/verification' },
  { ...sdk27, verificationPath: '/v1/account/verifications/email' },
])('$name', ({ open: openSdk, verificationPath }) => {
  const test = withBrowsers(base, openSdk).extend(
    'signedIn',
    ({ backend, open }) =>
      async (keepsCookies = true) => {
        const person = open({ keepsCookies });
        const email = newEmail();
        const user = await person.account.create('unique()', email, password, 'Ana Cruz');
        await person.account.signIn(email, password);
        // The confirmation that is mailed at sign-up.
        await backend.mails();
        return { ...person, email, user };
      },
  );

  test('creates an account, which is not yet signed in (§7-account-create)', async ({ open }) => {
    const { account } = open();
    const email = newEmail();
    const user = await account.create('unique()', email, password, 'Ana Cruz');
    expect(JSON.parse(JSON.stringify(user))).toMatchObject({
      email: email.toLowerCase(),
      name: 'Ana Cruz',
      labels: [],
      prefs: {},
      status: true,
      emailVerification: false,
    });
    expect(user.$id).not.toContain('unique');
    await expect(account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
    await expect(account.create('unique()', email.toUpperCase(), password)).rejects.toEqual(
      refused(409, 'user_already_exists'),
    );
    await expect(account.create(user.$id, newEmail(), password)).rejects.toEqual(
      refused(409, 'user_already_exists'),
    );
  });

  test('keeps an id of the caller, and refuses a bad one, a short and a common password', async ({
    open,
  }) => {
    const { account } = open();
    const id = `my.own-${newId()}`;
    expect(await account.create(id, newEmail(), password)).toMatchObject({ $id: id, name: '' });
    for (const [bad, word] of [
      ['_own', password],
      ['x'.repeat(37), password],
      ['unique()', '1234567'],
    ] as const) {
      await expect(account.create(bad, newEmail(), word)).rejects.toEqual(
        refused(400, 'general_argument_invalid'),
      );
    }
    await expect(account.create('unique()', newEmail(), 'Password123')).rejects.toEqual(
      refused(400, 'user_password_common'),
    );
  });

  test('signs in and out, by a cookie and by the fallback header (§7-account-email-session, §7-account-get, §7-log-out)', async ({
    signedIn,
  }) => {
    for (const keepsCookies of [true, false]) {
      const { account, cookies, email, user } = await signedIn(keepsCookies);
      expect([...cookies.keys()]).toEqual(keepsCookies ? ['a_session_tara', 'a_device_tara'] : []);
      expect((await account.get()).$id).toBe(user.$id);
      expect(await account.signIn(email, password)).toMatchObject({
        secret: '',
        current: true,
        provider: 'email',
        providerUid: email.toLowerCase(),
        userId: user.$id,
      });
      await account.deleteSession('current');
      // The device stays known.
      expect([...cookies.keys()]).toEqual(keepsCookies ? ['a_device_tara'] : []);
      await expect(account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
    }
  });

  test('answers a wrong password and an unknown email alike (threat-password-guessing)', async ({
    signedIn,
  }) => {
    const { account, email } = await signedIn();
    const wrong = await account.signIn(email, 'not the password').catch((error: unknown) => error);
    const unknown = await account.signIn(newEmail(), password).catch((error: unknown) => error);
    expect(wrong).toEqual(refused(401, 'user_invalid_credentials'));
    expect(String(unknown)).toBe(String(wrong));
  });

  test('confirms the email by the mailed link, once (§7-account-verification, §7-account-confirm-verification)', async ({
    backend,
    open,
    signedIn,
  }) => {
    const { account, requests, user } = await signedIn();
    const token = await account.verify(confirming('ana'));
    expect(token.secret).toBe('');
    const [mail] = await backend.mails();
    expect(mail?.subject).toBe('Confirm your email for Tara');
    const link = linkOf(mail);
    expect(`${link.origin}${link.pathname}`).toBe(`${friendlyOrigin}/confirming`);
    const { username, userId = '', secret = '', expire = '' } = Object.fromEntries(link.searchParams);
    expect({ username, userId }).toEqual({ username: 'ana', userId: user.$id });
    expect(expire).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(Date.parse(expire) - nowMs()).toBeGreaterThan(3_500_000);
    await expect(account.confirm(userId, 'wrong')).rejects.toEqual(refused(401, 'user_invalid_token'));
    // Opened on another device, where nobody is signed in.
    await open().account.confirm(userId, secret);
    expect((await account.get()).emailVerification).toBe(true);
    await expect(account.confirm(userId, secret)).rejects.toEqual(refused(401, 'user_invalid_token'));
    await expect(account.verify(confirming('ana'))).rejects.toEqual(
      refused(409, 'user_email_already_verified'),
    );
    expect(requests).toContain(`POST ${verificationPath} 201`);
  });

  test('mails no link to a foreign site (threat-mailed-links)', async ({ backend, signedIn }) => {
    const { account, email } = await signedIn();
    for (const url of [
      'https://evil.example/confirming',
      'http://app.test:81/',
      'http://app.test@evil.example/',
    ]) {
      await expect(account.verify(url)).rejects.toEqual(refused(400, 'general_argument_invalid'));
      await expect(account.recover(email, url)).rejects.toEqual(refused(400, 'general_argument_invalid'));
    }
    expect(await backend.mails()).toEqual([]);
  });

  test('lists the sessions and ends them (§7-account-sessions, §7-account-session, §7-account-delete-session, §7-account-delete-sessions)', async ({
    open,
    signedIn,
  }) => {
    const { account, email } = await signedIn();
    const other = open();
    const second = await other.account.signIn(email, password);
    const { total, sessions } = await account.listSessions();
    expect(total).toBe(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect((await account.getSession('current')).$id).toBe(sessions.find(({ current }) => current)?.$id);
    await expect(account.getSession('nothing')).rejects.toEqual(refused(404, 'user_session_not_found'));
    expect(await account.deleteSession(second.$id)).toBeDefined();
    await expect(other.account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
    await account.get();
    await account.deleteSessions();
    await expect(account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
  });

  test('keeps at most ten sessions of an account', async ({ open, signedIn }) => {
    const { account: first, email } = await signedIn();
    await first.get();
    for (let more = 0; more < 9; more++) await open().account.signIn(email, password);
    const last = open();
    await last.account.signIn(email, password);
    expect((await last.account.listSessions()).total).toBe(10);
    await expect(last.account.get()).resolves.toBeDefined();
    await expect(first.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
  });

  test('changes the password, which ends the other sessions (§7-account-patch-password, threat-stolen-sessions)', async ({
    open,
    signedIn,
  }) => {
    const { account, email } = await signedIn();
    const other = open();
    await other.account.signIn(email, password);
    await expect(account.updatePassword('a better password', 'wrong one')).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
    await account.updatePassword('a better password', password);
    await account.get();
    await expect(other.account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
    await expect(other.account.signIn(email, password)).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
    await other.account.signIn(email, 'a better password');
  });

  test('changes name, email, phone and prefs (§7-account-patch-name, §7-account-patch-email, §7-account-patch-phone, §7-account-prefs, §7-account-patch-prefs)', async ({
    backend,
    signedIn,
  }) => {
    const { account, user } = await signedIn();
    expect(await account.updateName('Bea Reyes')).toMatchObject({ $id: user.$id, name: 'Bea Reyes' });
    const email = newEmail();
    // Not confirmed yet, so replaced at once.
    expect(await account.updateEmail(email, password)).toMatchObject({
      email: email.toLowerCase(),
      emailVerification: false,
    });
    expect((await backend.mails()).map(({ to }) => to)).toEqual([email.toLowerCase()]);
    await expect(account.updateEmail(newEmail(), 'not the password')).rejects.toEqual(
      refused(401, 'user_invalid_credentials'),
    );
    const phone = `+63${String(nowMs()).slice(-10)}`;
    expect(await account.updatePhone(phone, password)).toMatchObject({ phone, phoneVerification: false });
    await account.updatePrefs({ theme: 'dark', size: 2 });
    await account.updatePrefs({ theme: 'light' });
    expect(JSON.parse(JSON.stringify(await account.getPrefs()))).toEqual({ theme: 'light' });
  });

  test('recovers by mail, answering alike for an unknown email (§7-account-recovery, §7-account-confirm-recovery, threat-password-guessing)', async ({
    backend,
    open,
    signedIn,
  }) => {
    const { account, email, user } = await signedIn();
    const url = `${friendlyOrigin}/recover?from=mail`;
    const shapeOf = (token: object) =>
      Object.entries(token).map(([key, value]) => [key, String(value).length]);
    const known = await account.recover(email, url);
    const unknown = await account.recover(newEmail(), url);
    expect(shapeOf(unknown)).toEqual(shapeOf(known));
    const mails = await backend.mails();
    expect(mails.map(({ to }) => to)).toEqual([email.toLowerCase()]);
    const link = linkOf(mails[0]);
    expect(link.searchParams.get('from')).toBe('mail');
    const secret = link.searchParams.get('secret') ?? '';
    const unequal = { password: 'a new password', passwordAgain: 'another one' };
    const mismatch = await backend.app.inject({
      ...{ method: 'PUT', url: '/v1/account/recovery' },
      payload: { userId: user.$id, secret, ...unequal },
    });
    expect([mismatch.statusCode, mismatch.json().type]).toEqual([400, 'user_password_mismatch']);
    const guest = open();
    await expect(guest.account.confirmRecovery(user.$id, secret, 'password1')).rejects.toEqual(
      refused(400, 'user_password_common'),
    );
    await guest.account.confirmRecovery(user.$id, secret, 'a new password');
    await expect(guest.account.confirmRecovery(user.$id, secret, 'another one')).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
    await expect(account.get()).rejects.toEqual(refused(401, 'general_unauthorized_scope'));
    await guest.account.signIn(email, 'a new password');
    expect((await guest.account.get()).emailVerification).toBe(true);
  });
});
