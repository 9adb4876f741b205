import { account, accounts as accountCalls } from '@tara/contract/accounts/accounts';
import type { Call } from '@tara/contract/calls';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { claimAccount } from '../../features/accounts/claim.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { accounts, sessions, tokens } from '../../features/accounts/tables.ts';
import { dataExports } from '../../features/personal-data/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { newId } from '../../platform/ids.ts';
import { friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import { newEmail, password, test as settingsTest } from '../../testing/features/settings.ts';

/** Requests that are under way while an account passes to another owner, or its email changes. */

const test = settingsTest
  /** Until so many statements wait for a lock. */
  .extend('untilWaiting', { scope: 'file' }, ({ connection }) => async (count: number) => {
    const waiting = async () =>
      (
        await connection.sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    await expect.poll(waiting, { timeout: 30_000, interval: 5 }).toBe(count);
  })
  /** Each account and profile as it is stored, without what a takeover itself sets. */
  .extend('owned', { scope: 'file' }, ({ database }) => async (accountId: string) => {
    const [row] = await database
      .select()
      .from(accounts)
      .innerJoin(profiles, eq(profiles.accountId, accounts.id))
      .where(eq(accounts.id, accountId));
    const { email, phone, name, passwordHash, prefs, deletesAt, termsVersion } = row?.accounts ?? {};
    return {
      ...{ email, phone, name, passwordHash, prefs, deletesAt, termsVersion },
      username: row?.profiles.username,
      links: await database.$count(tokens, eq(tokens.accountId, accountId)),
      exports: await database.$count(dataExports, eq(dataExports.accountId, accountId)),
    };
  });

const late: Record<string, [Call, object?]> = {
  'another email': [account.updateEmail, { email: `${newId()}@example.com`, password }],
  'another password': [
    account.updatePassword,
    { password: 'the password of a thief', oldPassword: password },
  ],
  'a phone': [account.updatePhone, { phone: '+639171230001', password }],
  'a name': [account.updateName, { name: 'Not Ana' }],
  'a username': [accountCalls.updateUsername, { username: 'notana' }],
  preferences: [account.updatePrefs, { prefs: { theme: 'of the thief' } }],
  consent: [accountCalls.consent, { isAdult: true, acceptsTerms: true }],
  'the end of the account': [account.updateStatus, { status: false }],
};

test.for(Object.entries(late))(
  'takeover: a request under way does not leave %s to the owner who takes the account over (threat-pre-hijacking)',
  async ([, [call, body]], { database, newMember, owned, send, untilWaiting }) => {
    const thief = await newMember(false);
    await database
      .update(accounts)
      .set({ termsVersion: null, consentedAt: null })
      .where(eq(accounts.id, thief.accountId));
    const passwordHash = await hashPassword('correct horse battery', {});
    const sent = await database.transaction(async (transaction) => {
      await claimAccount(transaction, thief.accountId, { passwordHash });
      const reply = send(thief, call, body);
      await untilWaiting(1);
      return [reply];
    });
    expect(await sent[0]).toMatchObject({ status: 401, body: { type: 'general_unauthorized_scope' } });
    expect(await owned(thief.accountId)).toEqual({
      ...{ email: thief.email, phone: null, name: '', passwordHash, prefs: {}, deletesAt: null },
      ...{ termsVersion: null, username: 'User025', links: 0, exports: 0 },
    });
  },
);

test('a request under way of a session that its owner ends changes nothing (threat-stolen-sessions)', async ({
  database,
  newMember,
  owned,
  send,
  untilWaiting,
}) => {
  const member = await newMember();
  const { body } = await send(null, account.createEmailSession, { email: member.email, password });
  const before = await owned(member.accountId);
  const [reply] = await database.transaction(async (transaction) => {
    await transaction
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, member.accountId))
      .for('update');
    const renaming = send({ ...member, secret: body.secret }, account.updateName, { name: 'Not Ana' });
    await untilWaiting(1);
    await transaction.delete(sessions).where(eq(sessions.id, body.$id));
    return [renaming];
  });
  expect(await reply).toMatchObject({ status: 401, body: { type: 'general_unauthorized_scope' } });
  expect(await owned(member.accountId)).toEqual(before);
});

test.for([
  ['the password changes', { passwordHash: 'none' }],
  ['the account is closed', { blockedAt: new Date(0) }],
] as const)(
  'a sign-in under way while %s begins no session (threat-stolen-sessions)',
  async ([, change], { database, newMember, send, untilWaiting }) => {
    const { accountId, email } = await newMember();
    const [reply] = await database.transaction(async (transaction) => {
      await transaction.update(accounts).set(change).where(eq(accounts.id, accountId));
      const signingIn = send(null, account.createEmailSession, { email, password });
      await untilWaiting(1);
      return [signingIn];
    });
    expect(await reply).toMatchObject({ status: 401, body: { type: 'user_invalid_credentials' } });
    expect(await database.$count(sessions, eq(sessions.accountId, accountId))).toBe(1);
  },
);

/** What mails a link that confirms the email of an account or opens it. */
const mailed: Record<
  string,
  (who: { accountId: string; email: string; username: string }) => [Call, object]
> = {
  'a confirmation': () => [account.createVerification, { url: `${friendlyOrigin}/confirming` }],
  'a confirmation by username': ({ username }) => [accountCalls.resendVerification, { username }],
  'a recovery': ({ email }) => [account.createRecovery, { email, url: `${friendlyOrigin}/recover` }],
};

test.for(Object.entries(mailed))(
  'takeover: %s that is mailed while the email changes confirms no email of somebody else (threat-pre-hijacking)',
  async ([, mail], { backend, database, newMember, owned, send, untilWaiting }) => {
    const thief = await newMember(false);
    const victim = newEmail();
    const { username = '' } = await owned(thief.accountId);
    const [call, body] = mail({ ...thief, username });
    const isOwnCall = call === account.createVerification;
    if (!isOwnCall) await send(null, call, body);
    const [change, mails] = await database.transaction(async (transaction) => {
      await transaction
        .select({ id: accounts.id })
        .from(accounts)
        .where(eq(accounts.id, thief.accountId))
        .for('update');
      const changing = send(thief, account.updateEmail, { email: victim, password });
      await untilWaiting(1);
      const mailing = isOwnCall ? send(thief, call, body).then(() => backend.mails()) : backend.mails();
      await untilWaiting(2);
      return [changing, mailing];
    });
    expect(await change).toMatchObject({ status: 200, body: { email: victim } });
    const sent = [...(await mails), ...(await backend.mails())];
    for (const one of sent.filter(({ to }) => to === thief.email)) {
      const { userId = '', secret = '' } = Object.fromEntries(linkOf(one).searchParams);
      await send(null, account.confirmVerification, { userId, secret });
      await send(null, account.confirmRecovery, { userId, secret, password: 'the password of a thief' });
    }
    const [row] = await database.select().from(accounts).where(eq(accounts.id, thief.accountId));
    expect(row).toMatchObject({ email: victim, emailVerifiedAt: null });
  },
);
