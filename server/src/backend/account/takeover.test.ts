import { accounts as accountCalls } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import { nowDate, nowMs } from '@tara/contract/clock';
import { eachAboutText } from '@tara/contract/members/profiles';
import { eq, or } from 'drizzle-orm';
import { expect } from 'vitest';
import { addAccount } from '../../features/accounts/create.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import {
  accountEvents,
  accounts,
  challenges,
  identities,
  sessions,
  tokens,
} from '../../features/accounts/tables.ts';
import { makeJwt } from '../../features/accounts/viewers.ts';
import { dataExports } from '../../features/personal-data/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { newId } from '../../platform/ids.ts';
import { refused, sdk27 } from '../../testing/backend/account-sdk.ts';
import { friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import { errorOf, newPerson, oauthTest, success } from '../../testing/backend/oauth.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { addMember, type TestMember } from '../../testing/features/sessions.ts';
import type { FixturesOf } from '../../testing/test.ts';

type Browser = ReturnType<typeof sdk27.open>;

const thiefsPassword = 'the password of a thief';
const ownersPassword = 'correct horse battery';
let numbers = 9_181_000_000;

const test = oauthTest
  .extend(
    'browser',
    ({ backend }) =>
      () =>
        sdk27.open(backend.url),
  )
  /** A call of the web, from a browser. */
  .extend(
    'post',
    ({ backend }) =>
      (browser: Browser, { path }: { path: string }, body: object) =>
        browser.visit(backend.url + path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: friendlyOrigin,
            'sec-fetch-site': 'same-site',
          },
          body: JSON.stringify(body),
        }),
  )
  .extend('mailedSecret', ({ backend }) => async (email: string) => {
    const { userId = '', secret = '' } = Object.fromEntries(
      linkOf(await backend.lastMailTo(email)).searchParams,
    );
    return { userId, secret };
  })
  /** What the ways into an account take. */
  .extend(
    'fixtures',
    ({ backend, browser, database, provider, post, mailedSecret, signIn, consent, comeBack }) => ({
      ...{ backend, browser, database, provider, post, mailedSecret, signIn, consent, comeBack },
    }),
  );

type Fixtures = FixturesOf<typeof test>['fixtures'];

/** Each way by which somebody proves to read an email and gets into its account, in a browser of theirs. */
const roads: Record<
  string,
  (owner: Browser, email: string, fixtures: Fixtures, thief: Browser) => Promise<unknown>
> = {
  'a recovery': async (owner, email, { mailedSecret }) => {
    await owner.account.recover(email, `${friendlyOrigin}/recover`);
    const { userId, secret } = await mailedSecret(email);
    await owner.account.confirmRecovery(userId, secret, ownersPassword);
    await owner.account.signIn(email, ownersPassword);
  },
  'a mailed link': async (owner, email, { mailedSecret }) => {
    await owner.account.mailLink('unique()', email);
    const { userId, secret } = await mailedSecret(email);
    await owner.account.openLink(userId, secret);
  },
  'the secret of a mailed link': async (owner, email, { mailedSecret }) => {
    await owner.account.mailLink('unique()', email);
    const { userId, secret } = await mailedSecret(email);
    await owner.newest.enterSecret(userId, secret);
  },
  'a code of a mail': async (owner, email, { backend }) => {
    const { userId } = await owner.newest.mailCode('unique()', email);
    const code = /^\d{6}$/m.exec((await backend.lastMailTo(email))?.text ?? '')?.[0] ?? '';
    await owner.newest.enterSecret(userId, code);
  },
  'another provider': async (owner, email, { provider, signIn }) => {
    provider.person = newPerson({ email, name: '' });
    expect((await signIn(owner)).href).toBe(success);
  },
  'another provider, for a page': async (owner, email, { provider, consent, comeBack }) => {
    provider.person = newPerson({ email, name: '' });
    owner.newest.tokenAt('oidc', success, success);
    const begun = await owner.visit(owner.location.href);
    const back = await comeBack(owner, await consent(begun.headers.get('location') ?? ''));
    const page = new URL(back.headers.get('location') ?? '');
    const { userId = '', secret = '' } = Object.fromEntries(page.searchParams);
    await owner.newest.enterSecret(userId, secret);
  },
  'a confirmation whose reader did not sign up': async (owner, email, { post, mailedSecret }, thief) => {
    await thief.account.verify(`${friendlyOrigin}/confirming`);
    const sent = await mailedSecret(email);
    expect((await post(owner, accountCalls.claim, { ...sent, password: ownersPassword })).status).toBe(200);
    await owner.account.signIn(email, ownersPassword);
  },
};

/** Somebody signs up with an email that is not theirs, and does all that an unconfirmed account may do. */
async function begin(email: string, { backend, browser, database, post }: Fixtures) {
  const thief = browser();
  const { $id } = await thief.account.create(newId(), email, thiefsPassword, 'Not Ana');
  await thief.account.signIn(email, thiefsPassword);
  const phone = `+63${numbers++}`;
  await thief.account.updatePhone(phone, thiefsPassword);
  const { userId } = await thief.account.verifyPhone();
  const code = /^\d{6}/.exec((await backend.lastMailTo(phone))?.text ?? '')?.[0] ?? '';
  await thief.account.confirmPhone(userId, code);
  await thief.account.textCode('unique()', phone);
  await thief.account.mailLink('unique()', email);
  await thief.account.updatePrefs({ theme: 'of the thief' });
  await post(thief, accountCalls.updateUsername, { username: 'notana' });
  await post(thief, accountCalls.consent, { isAdult: true, acceptsTerms: true });
  await thief.account.leave();
  await thief.account.signIn(email, thiefsPassword);
  const { jwt } = await thief.account.jwt();
  await thief.account.verify(`${friendlyOrigin}/confirming`);
  const identity = {
    provider: 'facebook',
    issuer: 'https://www.facebook.com',
    providerUid: newId(),
  } as const;
  await database
    .insert(identities)
    .values({ id: newId(), accountId: $id, providerEmail: email, ...identity });
  await database.insert(dataExports).values({ id: newId(), accountId: $id });
  // What no call lets an unconfirmed account write today goes as well.
  const imageId = await insertPicture(database, { ownerAccountId: $id, usedAt: nowDate() });
  const text = 'of the thief';
  await database
    .update(profiles)
    .set({
      ...eachAboutText(() => text),
      ...{
        phoneNumber: phone,
        payoutNumberFrom: nowDate(),
        birthDate: '2000-01-01',
        sharesPosts: true,
        imageId,
      },
    })
    .where(eq(profiles.accountId, $id));
  await database
    .update(accounts)
    .set({ warning: text, suspendedUntil: new Date(nowMs() + 3600_000) })
    .where(eq(accounts.id, $id));
  return { $id, thief, phone, jwt, imageId, providerUid: identity.providerUid };
}

/** What is the owner's own or of nobody: the rest of the two rows is as in a new account. */
const ownColumns = [
  ...['id', 'accountId', 'email', 'emailVerifiedAt', 'passwordHash', 'passwordUpdatedAt', 'accessedAt'],
  ...['number', 'createdAt', 'updatedAt'],
];
const without = (row: object | undefined, columns: readonly string[]) =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([column]) => !columns.includes(column)));

test.for(Object.entries(roads))(
  'takeover by %s: nothing is left that the person who began the account put there (threat-pre-hijacking)',
  async ([, takeOver], { backend, browser, database, fixtures }) => {
    const email = `${newId()}@example.com`;
    const { $id, thief, phone, jwt, imageId, providerUid } = await begin(email, fixtures);
    const owner = browser();
    await backend.mails();
    await takeOver(owner, email, fixtures, thief);
    const removedFiles = await backend.platform.jobs('files.remove');
    const removedExports = await backend.platform.jobs('personalData.removeClaimed');

    const user = await owner.account.get();
    expect(user).toMatchObject({ $id, email, emailVerification: true, phone: '' });
    const rowsOf = (id: string) =>
      database
        .select()
        .from(accounts)
        .innerJoin(profiles, eq(profiles.accountId, accounts.id))
        .where(eq(accounts.id, id));
    const newAccount = { email: `${newId()}@example.com`, passwordHash: '' };
    const { account } = await database.transaction((transaction) => addAccount(transaction, newAccount));
    const [[owned], [fresh]] = await Promise.all([rowsOf($id), rowsOf(account.id)]);
    expect(without(owned?.accounts, ownColumns)).toEqual(without(fresh?.accounts, ownColumns));
    expect(without(owned?.profiles, ownColumns)).toEqual(without(fresh?.profiles, ownColumns));

    const opens = (work: Promise<unknown>) =>
      work.then(
        () => true,
        () => false,
      );
    const withJwt = browser();
    withJwt.setJwt(jwt);
    const { userId } = await browser().account.textCode('unique()', phone);
    const code = /^\d{6}/.exec((await backend.lastMailTo(phone))?.text ?? '')?.[0] ?? '';
    const count = (table: typeof sessions | typeof tokens) =>
      database.$count(table, eq(table.accountId, $id));
    const events = await database.select().from(accountEvents).where(eq(accountEvents.accountId, $id));
    const hasPhone = or(eq(challenges.accountId, $id), eq(challenges.phone, phone));
    const left = {
      session: await opens(thief.account.get()),
      'other sessions': (await count(sessions)) > 1,
      token: await opens(withJwt.account.get()),
      password: await opens(browser().account.signIn(email, thiefsPassword)),
      phone: (await browser().account.enterPhoneCode(userId, code)).userId === $id,
      identity: (await database.$count(identities, eq(identities.providerUid, providerUid))) > 0,
      links: (await count(tokens)) > 0,
      codes: (await database.$count(challenges, eq(challenges.email, email))) > 0,
      'codes of the phone': (await database.$count(challenges, hasPhone)) > 0,
      events: events.some(({ event }) => event === 'user.update.phone' || event === 'user.create'),
      preferences: Object.keys(await owner.account.getPrefs()).length > 0,
      picture: !removedFiles.some(({ id }) => id === imageId),
      export: !removedExports.some(({ accountId }) => accountId === $id),
    };
    expect(Object.entries(left).filter(([, isLeft]) => isLeft)).toEqual([]);
  },
);

test('a confirmation link names the account that somebody began, leaves it unconfirmed, and keeps its secret (threat-pre-hijacking)', async ({
  browser,
  database,
  post,
  mailedSecret,
}) => {
  const email = `${newId()}@example.com`;
  const thief = browser();
  const { $id } = await thief.account.create(newId(), email, thiefsPassword, 'Not Ana');
  await thief.account.signIn(email, thiefsPassword);
  await thief.account.verify(`${friendlyOrigin}/confirming`);
  const sent = await mailedSecret(email);
  for (const _ of [1, 2]) {
    const read = await post(browser(), accountCalls.readConfirmation, sent);
    const shown = { name: 'Not Ana', username: 'User025', email, proof: 'password', claimable: true };
    expect(await read.json()).toEqual(shown);
  }
  const [row] = await database.select().from(accounts).where(eq(accounts.id, $id));
  expect(row?.emailVerifiedAt).toBeNull();
  const unknown = { ...sent, secret: 'unknown', password: ownersPassword };
  expect((await post(browser(), accountCalls.claim, unknown)).status).toBe(401);
  await thief.account.verify(`${friendlyOrigin}/confirming`);
  const second = await mailedSecret(email);
  await thief.account.confirm($id, sent.secret);
  expect((await post(browser(), accountCalls.readConfirmation, sent)).status).toBe(401);
  // Another link names nobody any more: the account is somebody's.
  const late = await post(browser(), accountCalls.readConfirmation, second);
  expect([late.status, await late.json()]).toMatchObject([409, { type: 'user_email_already_verified' }]);
});

test('a link to a new email gives its reader neither the account of a member nor its present email (threat-pre-hijacking)', async ({
  browser,
  connection,
  database,
  post,
  mailedSecret,
}) => {
  const [email, next] = [`${newId()}@example.com`, `${newId()}@example.com`];
  const member = await addMember(connection, { email, passwordHash: await hashPassword(ownersPassword, {}) });
  const ana = browser();
  await ana.account.signIn(email, ownersPassword);
  await ana.account.updateEmail(next, ownersPassword);
  const sent = await mailedSecret(next);
  const read = await post(browser(), accountCalls.readConfirmation, sent);
  const shown = { name: 'Ana Cruz', username: 'ana', email: next, proof: 'signIn', claimable: false };
  expect(await read.json()).toEqual(shown);
  const refusal = await post(browser(), accountCalls.claim, { ...sent, password: thiefsPassword });
  expect([refusal.status, await refusal.json()]).toMatchObject([
    409,
    { type: 'user_email_already_verified' },
  ]);
  const reader = browser();
  await expect(reader.account.confirmRecovery(member.accountId, sent.secret, thiefsPassword)).rejects.toEqual(
    refused(401, 'user_invalid_token'),
  );
  await expect(reader.newest.enterSecret(member.accountId, sent.secret)).rejects.toEqual(
    refused(401, 'user_invalid_token'),
  );
  expect((await ana.account.get()).$id).toBe(member.accountId);
  expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(2);
});

/** Each way into the account of a member whose 14 days are over; a stranger proves nothing here. */
const waysIn: Record<string, (browser: Browser, member: TestMember, fixtures: Fixtures) => Promise<unknown>> =
  {
    'the password': ({ account }, { email }) => account.signIn(email, ownersPassword),
    'a session of before': ({ account, cookies }, { secret }) => {
      cookies.set('a_session_tara', secret);
      return account.get();
    },
    'a token of before': async (guest, { accountId, sessionId }, { backend }) => {
      guest.setJwt(makeJwt(backend.platform.sealer, { accountId, sessionId }, 900));
      return guest.account.get();
    },
    'a phone': async ({ account }, { accountId }, { backend, database }) => {
      const phone = `+63${numbers++}`;
      await database
        .update(accounts)
        .set({ phone, phoneVerifiedAt: nowDate() })
        .where(eq(accounts.id, accountId));
      const { userId } = await account.textCode('unique()', phone);
      const code = /^\d{6}/.exec((await backend.lastMailTo(phone))?.text ?? '')?.[0] ?? '';
      return account.enterPhoneCode(userId, code);
    },
    ...Object.fromEntries(
      [
        'a mailed link',
        'the secret of a mailed link',
        'a code of a mail',
        'another provider, for a page',
      ].map((road) => [
        road,
        (browser: Browser, { email }: TestMember, fixtures: Fixtures) =>
          roads[road]?.(browser, email, fixtures, browser) ?? Promise.resolve(),
      ]),
    ),
    'another provider': async (browser, { email }, { provider, signIn }) => {
      provider.person = newPerson({ email });
      if (errorOf(await signIn(browser))?.type === 'account_deletion_begun') throw new Error('refused');
    },
  };

test.for(Object.entries(waysIn))(
  'nobody signs in by %s to an account that is being deleted (threat-deleted-accounts)',
  async ([, enter], { browser, connection, database, fixtures }) => {
    const passwordHash = await hashPassword(ownersPassword, {});
    const member = await addMember(connection, { passwordHash });
    await database
      .update(accounts)
      .set({ deletesAt: new Date(nowMs() - 1000) })
      .where(eq(accounts.id, member.accountId));
    const before = await database.$count(accountEvents, eq(accountEvents.accountId, member.accountId));
    await expect(enter(browser(), member, fixtures)).rejects.toThrow();
    expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(1);
    expect(await database.$count(accountEvents, eq(accountEvents.accountId, member.accountId))).toBe(before);
  },
);

test('a recovery sets no password of an account that is being deleted, and is not mailed then (threat-deleted-accounts)', async ({
  backend,
  browser,
  connection,
  database,
  mailedSecret,
}) => {
  const { accountId, email } = await addMember(connection);
  await browser().account.recover(email, `${friendlyOrigin}/recover`);
  const { secret } = await mailedSecret(email);
  const isMember = eq(accounts.id, accountId);
  await database
    .update(accounts)
    .set({ deletesAt: new Date(0) })
    .where(isMember);
  await expect(browser().account.confirmRecovery(accountId, secret, ownersPassword)).rejects.toEqual(
    refused(409, 'account_deletion_begun'),
  );
  await browser().account.recover(email, `${friendlyOrigin}/recover`);
  expect(await backend.lastMailTo(email)).toBeUndefined();
});

/** What each write leaves that an account with an unconfirmed email may make; the thief of the table above makes them. */
const unconfirmedWrites: Record<string, string> = {
  'account.create': 'the account',
  'account.createEmailSession': 'a session',
  'account.createAnonymousSession': 'an account without an email',
  'account.createMagicUrl': 'a challenge',
  'account.confirmMagicUrl': 'a road',
  'account.createPhoneCode': 'a challenge',
  'account.confirmPhoneCode': 'a session of whoever reads the phone',
  'account.createPhoneVerification': 'a challenge',
  'account.confirmPhoneVerification': 'a confirmed phone',
  'account.deleteSession': 'nothing',
  'account.deleteSessions': 'nothing',
  'account.updatePassword': 'a password',
  'account.updateName': 'a name',
  'account.updateEmail': 'another email, whose links void those of the one before',
  'account.updatePhone': 'a phone',
  'account.updatePrefs': 'preferences',
  'account.createJwt': 'a token of the session',
  'account.updateStatus': 'a deletion that begins',
  'account.createVerification': 'a link',
  'account.confirmVerification': 'nothing without the mail',
  'account.createRecovery': 'a link',
  'account.confirmRecovery': 'a road',
  'accountTokens.createEmailCode': 'a challenge',
  'accountTokens.createSession': 'a road',
  'accountTokens.extendSession': 'a session',
  'oauth2.postCallback': 'a road',
  'oauth2.deleteIdentity': 'nothing',
  'accounts.signUp': 'the account',
  'accounts.consent': 'the consent',
  'accounts.updateUsername': 'a username',
  'accounts.cancelEmailChange': 'nothing',
  'accounts.endOtherSessions': 'nothing',
  'accounts.resendVerification': 'a link',
  'accounts.readConfirmation': 'nothing',
  'accounts.claim': 'a road',
  'accounts.dismissWarning': 'nothing',
  'accounts.confirmPassword': 'the time of a session',
  'payments.webhook': 'nothing without the provider’s signature',
  'personalData.requestExport': 'an export',
  'personalData.prepareDownload': 'nothing',
  'personalData.delete': 'a deletion that begins',
  'personalData.keep': 'nothing',
  'unsubscribe.confirm': 'less emails, by the link in one of them',
  'documents.create': 'name and username; other collections are for members',
  'documents.update': 'nothing: each collection is for members',
  'documents.delete': 'nothing: each collection is for members',
};

test('takeover: no write of an unconfirmed account is missing in the table above (threat-pre-hijacking)', () => {
  const writes = Object.entries(allCalls).flatMap(([table, calls]) =>
    Object.entries(calls)
      .filter(([, { method, access }]) => method !== 'GET' && (access === 'anyone' || access === 'account'))
      .map(([name]) => `${table}.${name}`),
  );
  expect(writes.sort()).toEqual(Object.keys(unconfirmedWrites).sort());
});

/** Columns that name an account, and what a takeover does with their rows. */
const accountColumns: Record<string, string> = {
  'sessions.account_id': 'deleted',
  'tokens.account_id': 'deleted',
  'identities.account_id': 'deleted',
  'second_factors.account_id': 'deleted',
  'challenges.account_id': 'deleted',
  'account_events.account_id': 'deleted',
  'devices.account_id': 'deleted with their sessions',
  'data_exports.account_id': 'deleted by a job, with their files',
  'profiles.account_id': 'as new',
  'files.owner_account_id': 'of members alone; the picture of the profile is released',
  'uploads.owner_account_id': 'of members alone',
  'conversations.first_account_id': 'of members alone, and the other one’s too',
  'conversations.second_account_id': 'of members alone, and the other one’s too',
  'interactions.confirmed_by': 'an admin',
  'reports.decided_by': 'an admin',
  'attempts.sent_by': 'an admin',
  'request_decisions.decided_by': 'an admin',
};

test('takeover: no table that refers to accounts is missing in the table above (threat-pre-hijacking)', async ({
  connection,
}) => {
  const columns = await connection.sql<{ name: string }[]>`
    select conrelid::regclass || '.' || attname as name from pg_constraint
    join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'accounts'::regclass and conparentid = 0`;
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(accountColumns).sort());
});
