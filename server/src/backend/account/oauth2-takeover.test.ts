import { nowDate } from '@tara/contract/clock';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { accounts, identities, sessions } from '../../features/accounts/tables.ts';
import { newId } from '../../platform/ids.ts';
import { sdk27 } from '../../testing/backend/account-sdk.ts';
import { friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import {
  errorOf,
  failure,
  guest,
  newPerson,
  success,
  oauthAttackTest as test,
} from '../../testing/backend/oauth.ts';
import { addMember } from '../../testing/features/sessions.ts';

describe('an account that has the email', () => {
  const taken = {
    message: expect.stringMatching(/^This email already has an account\. - sign in to it as usual;/),
    type: 'user_email_already_exists',
    code: 409,
  };

  test('is joined when both emails are confirmed, and its owner is notified', async ({
    backend,
    connection,
    provider,
    browser,
    signIn,
  }) => {
    const member = await addMember(connection);
    provider.person = newPerson({ email: member.email.toUpperCase() });
    const ana = browser();
    expect((await signIn(ana)).href).toBe(success);
    expect((await ana.account.get()).$id).toBe(member.accountId);
    const mails = await backend.mails();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [member.email, 'You can now sign in to Tara with 127.0.0.1'],
    ]);
  });

  test.for([
    ['the provider did not confirm its email', true, false],
    ['no email is confirmed', false, false],
  ] as const)(
    'takeover: is not joined when %s (threat-provider-sign-ins)',
    async ([_why, own, isSaid], { connection, database, provider, browser, signIn }) => {
      const member = await addMember(connection, { emailVerified: own });
      provider.person = newPerson({ email: member.email, email_verified: isSaid });
      for (const name of ['oidc', 'github', 'facebook']) {
        const ana = browser();
        const page = await signIn(ana, name);
        expect(page.href).toMatch(failure);
        expect(errorOf(page)).toEqual(taken);
        await expect(ana.account.get()).rejects.toEqual(guest);
      }
      expect(await database.$count(identities, eq(identities.accountId, member.accountId))).toBe(0);
      expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(1);
    },
  );

  test.for(['a mailed link', 'a new password'] as const)(
    'takeover: made by a provider’s unconfirmed email goes to the person who reads its mail by %s, without that identity (threat-provider-sign-ins)',
    async (way, { backend, database, provider, browser, signIn }) => {
      const email = `${newId()}@example.com`;
      const thiefs = newPerson({ email, email_verified: false });
      provider.person = thiefs;
      const thief = browser();
      await signIn(thief);
      const { $id } = await thief.account.get();
      await backend.mails();
      const ana = sdk27.open(backend.url);
      if (way === 'a mailed link') {
        const { userId } = await ana.account.mailLink('unique()', email);
        const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
        await ana.account.openLink(userId, secret);
      } else {
        await ana.account.recover(email, `${friendlyOrigin}/recover`);
        const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
        await ana.account.confirmRecovery($id, secret, 'correct horse battery');
        await ana.account.signIn(email, 'correct horse battery');
      }
      expect(await ana.account.get()).toMatchObject({ $id, emailVerification: true });
      await expect(thief.account.get()).rejects.toEqual(guest);
      expect(errorOf(await signIn(browser()))).toEqual(taken);
      expect(await database.$count(identities, eq(identities.providerUid, thiefs.sub))).toBe(0);
    },
  );

  test('is not the account that is signed in: a sign-in never links to a session (threat-provider-sign-ins)', async ({
    connection,
    database,
    provider,
    browser,
    signIn,
  }) => {
    const member = await addMember(connection);
    const ana = browser();
    ana.cookies.set('a_session_tara', member.secret);
    provider.person = newPerson();
    await signIn(ana);
    expect((await ana.account.get()).$id).not.toBe(member.accountId);
    expect(await database.$count(identities, eq(identities.accountId, member.accountId))).toBe(0);
  });

  test('stays closed when it is blocked', async ({ connection, database, provider, browser, signIn }) => {
    const member = await addMember(connection);
    provider.person = newPerson({ email: member.email });
    const isMember = eq(accounts.id, member.accountId);
    await database.update(accounts).set({ blockedAt: nowDate() }).where(isMember);
    expect(errorOf(await signIn(browser()))).toMatchObject({ type: 'user_blocked' });
    expect(await database.$count(identities, and(eq(identities.accountId, member.accountId)))).toBe(0);
  });
});
