import { account, accounts as calls } from '@tara/contract/accounts/accounts';
import { nowDate, nowMs } from '@tara/contract/clock';
import { and, eq } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import { addMember, openSession } from '../../testing/features/sessions.ts';
import { newEmail, password, test } from '../../testing/features/settings.ts';
import { devices } from '../devices/index.ts';
import { profiles } from '../profiles/index.ts';
import { accountEvents, accounts, identities, sessions } from './tables.ts';

test('shows email, phone and the age of the password to their owner alone (/settings)', async ({
  newMember,
  send,
}) => {
  const member = await newMember();
  expect((await send(member, calls.settings)).body).toEqual({
    email: member.email,
    pendingEmail: null,
    phone: '',
    passwordUpdatedAt: expect.stringMatching(/^20.*Z$/),
  });
  expect((await send(null, calls.settings)).status).toBe(401);
});

test('shows no age of a password that there is not', async ({ connection, send }) => {
  const member = await addMember(connection, { passwordHash: '' });
  expect((await send(member, calls.settings)).body).toMatchObject({ passwordUpdatedAt: null });
  const body = { password: 'a first password' };
  expect((await send(member, account.updatePassword, body)).status).toBe(200);
  expect((await send(member, calls.settings)).body).toMatchObject({
    passwordUpdatedAt: expect.stringMatching(/^20.*Z$/),
  });
});

const minutes15 = 15 * 60_000;
const waysIn = {
  'an email': { phone: null },
  'a confirmed phone': { email: null, phone: '+639171234600', phoneVerifiedAt: new Date(0) },
  'another provider': { email: null },
  'its session alone': { email: null, phone: '+639171234601' },
} as const;

test.for(Object.keys(waysIn) as (keyof typeof waysIn)[])(
  'who gets in by %s sets a first password soon after the sign-in, or at any time where nothing else leads to the account (threat-stolen-sessions)',
  async (way, { backend, database, connection, send, stored }) => {
    const [member, other] = [
      await addMember(connection, { passwordHash: '' }),
      await addMember(connection, { passwordHash: '' }),
    ];
    const { accountId, sessionId } = member;
    await database.update(accounts).set(waysIn[way]).where(eq(accounts.id, accountId));
    if (way === 'another provider')
      await database.insert(identities).values({
        ...{ id: newId(), accountId, provider: 'facebook', issuer: 'https://www.facebook.com' },
        providerUid: newId(),
      });
    const later = { ...member, secret: await openSession(backend.platform, accountId) };
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs() });
    const signInAgo = (ms: number) =>
      database
        .update(sessions)
        .set({ createdAt: new Date(nowMs() - ms) })
        .where(eq(sessions.id, sessionId));
    const isOpen = way === 'its session alone';
    const setFirst = (who: typeof member) =>
      send(who, account.updatePassword, { password: 'a first password' });
    try {
      await signInAgo(minutes15 + 1);
      expect(await setFirst(member)).toMatchObject(
        isOpen ? { status: 200 } : { status: 403, body: { type: 'user_sign_in_again' } },
      );
      await signInAgo(minutes15);
      if (!isOpen) expect((await setFirst(member)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
    expect((await stored(member))?.accounts.passwordHash).not.toBe('');
    expect((await stored(other))?.accounts.passwordHash).toBe('');
    // Sessions of before end.
    expect((await send(later, calls.settings)).status).toBe(401);
  },
);

test('of two new passwords at once the second is refused: the one it showed is no more (threat-stolen-sessions)', async ({
  newMember,
  send,
}) => {
  const member = await newMember();
  const change = (word: string) =>
    send(member, account.updatePassword, { password: word, oldPassword: password });
  const replies = await Promise.all([change('a better password'), change('the best password')]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('of two first emails at once one gets the account with its password, which ends other sessions', async ({
  backend,
  connection,
  database,
  send,
  stored,
}) => {
  const member = await addMember(connection, { passwordHash: '' });
  const isMember = eq(accounts.id, member.accountId);
  await database.update(accounts).set({ email: null, emailVerifiedAt: null }).where(isMember);
  const other = { ...member, secret: await openSession(backend.platform, member.accountId) };
  const isSession = eq(sessions.id, member.sessionId);
  await database
    .update(sessions)
    .set({ passwordShownAt: new Date(0) })
    .where(isSession);
  const change = (email: string) => send(member, account.updateEmail, { email, password: email });
  const replies = await Promise.all([change(newEmail()), change(newEmail())]);
  const [first] = replies.filter(({ status }) => status === 200);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await stored(member))?.accounts.email).toBe(first?.body.email);
  expect((await backend.mails()).map(({ to }) => to)).toEqual([first?.body.email]);
  expect((await send(other, calls.settings)).status).toBe(401);
  const [session] = await database.select().from(sessions).where(isSession);
  expect(session?.passwordShownAt.getTime()).toBeGreaterThan(0);
});

test('a new password leaves the pushes of the device where it was set, with its choices, and ends those of all others', async ({
  database,
  newMember,
  send,
}) => {
  const member = await newMember();
  const { sessionId } = member;
  const own = await insertDevice(database, member, { sessionId, showsText: true });
  await insertDevice(database, member);
  const body = { password: 'a better password', oldPassword: password };
  expect((await send(member, account.updatePassword, body)).status).toBe(200);
  const left = await database.select().from(devices).where(eq(devices.accountId, member.accountId));
  expect(left).toMatchObject([{ id: own.id, sessionId, showsText: true }]);
});

const wrong = 'The password is not correct.';
describe('what breaks a rule changes nothing (§5)', () => {
  test.for([
    ['name', account.updateName, { name: 'B' }, { name: 'Too short' }],
    ['name', account.updateName, { name: 'B'.repeat(21) }, { name: 'Too long' }],
    ['name', account.updateName, { name: 'Bea!' }, { name: 'Name must contain only letters and numbers' }],
    ['name', account.updateName, { name: 'Tara' }, { name: 'This name is reserved. Please choose another.' }],
    ['name', account.updateName, {}, { name: expect.any(String) }],
    ['username', calls.updateUsername, { username: 'b' }, { username: 'Too short' }],
    ['username', calls.updateUsername, { username: 'b'.repeat(16) }, { username: 'Too long' }],
    [
      'username',
      calls.updateUsername,
      { username: 'admin' },
      { username: 'This name is reserved. Please choose another.' },
    ],
    [
      'username',
      calls.updateUsername,
      { username: 'bea_1' },
      { username: 'Username must contain only letters and numbers' },
    ],
    ['email', account.updateEmail, { email: 'bea@', password }, { email: 'Invalid email' }],
    [
      'email',
      account.updateEmail,
      { email: 'bea@example.com', password: '' },
      { password: 'Enter your password.' },
    ],
    ['email', account.updateEmail, { email: 'bea@example.com' }, { password: expect.any(String) }],
    [
      'email',
      account.updateEmail,
      { email: 'bea@example.com', password: 'not it' },
      { password: wrong },
      401,
    ],
    ['phone', account.updatePhone, { phone: '12345', password }, { phone: expect.stringContaining('+63') }],
    ['phone', account.updatePhone, { phone: '+6391712345678901', password }, { phone: expect.any(String) }],
    ['phone', account.updatePhone, { phone: 'call me', password }, { phone: expect.any(String) }],
    ['phone', account.updatePhone, { phone: '+639171234567', password: 'not it' }, { password: wrong }, 401],
    [
      'password',
      account.updatePassword,
      { password: 'a better password', oldPassword: 'not it' },
      { oldPassword: wrong },
      401,
    ],
    [
      'password',
      account.updatePassword,
      { password: 'short', oldPassword: password },
      { password: expect.any(String) },
    ],
    ['prefs', account.updatePrefs, { prefs: ['dark'] }, { prefs: expect.any(String) }],
    [
      'prefs',
      account.updatePrefs,
      { prefs: { text: 'x'.repeat(65_536) } },
      { prefs: 'Must be at most 64 KB.' },
    ],
  ] as const)(
    '%s: %s %j',
    async ([_field, call, body, fields, status = 400], { backend, newMember, send, stored }) => {
      const member = await newMember();
      const before = await stored(member);
      expect(await send(member, call, body)).toMatchObject({ status, body: { fields } });
      expect(await stored(member)).toEqual(before);
      expect(await backend.mails()).toEqual([]);
    },
  );

  test.for([
    account.updateName,
    account.updateEmail,
    account.updatePhone,
    account.getPrefs,
    account.updatePrefs,
    calls.updateUsername,
    calls.cancelEmailChange,
    calls.endOtherSessions,
  ])('guests: $method $path', async (call, { send }) => {
    const body = { name: 'Bea', username: 'Bea', email: newEmail(), phone: '', password, prefs: {} };
    expect((await send(null, call, call.method === 'GET' ? undefined : body)).status).toBe(401);
  });
});

test.for([
  ['+63 (917) 123-4501', '+639171234501'],
  ['0917 123 4502', '+639171234502'],
  ['+63 (0)917 123 4503', '+639171234503'],
  ['+1 202 555 0123', '+12025550123'],
])(
  'the phone number for sign-in %s is %s, unlike the one for payouts',
  async ([phone, read], { backend, database, newMember, send, stored }) => {
    const [member, other] = [await newMember(), await newMember()];
    expect((await send(member, account.updatePhone, { phone, password })).body).toMatchObject({
      phone: read,
    });
    expect(await stored(member)).toMatchObject({ accounts: { phone: read }, profiles: { phoneNumber: '' } });
    const subject = async () => (await backend.lastMailTo(member.email))?.subject;
    expect(await subject()).toBe('Your phone number for Tara changed');
    const isMember = eq(accounts.id, member.accountId);
    await database.update(accounts).set({ phoneVerifiedAt: nowDate() }).where(isMember);
    // The one that the account has is nobody else's, and no change.
    expect((await send(member, account.updatePhone, { phone, password })).status).toBe(200);
    expect(await subject()).toBeUndefined();
    await database.update(accounts).set({ phoneVerifiedAt: nowDate() }).where(isMember);
    expect(await send(other, account.updatePhone, { phone: read, password })).toMatchObject({
      status: 409,
      body: {
        type: 'user_phone_already_exists',
        fields: { phone: 'This phone number already has an account.' },
      },
    });
    expect((await send(member, account.updatePhone, { phone: '', password })).body).toMatchObject({
      phone: '',
    });
    expect(await subject()).toBe('Your phone number was removed');
    expect((await send(other, account.updatePhone, { phone: read, password })).status).toBe(200);
  },
);

test('logs out the other devices and not this one, nor another account’s', async ({
  backend,
  database,
  newMember,
  send,
}) => {
  const [member, stranger] = [await newMember(), await newMember()];
  const signIn = { email: member.email, password };
  const second = await send(null, account.createEmailSession, signIn);
  const elsewhere = { ...member, secret: second.body.secret };
  expect((await send(elsewhere, calls.settings)).status).toBe(200);
  expect(await send(member, calls.endOtherSessions, {})).toMatchObject({ status: 200 });
  expect((await send(elsewhere, calls.settings)).status).toBe(401);
  expect((await send(member, calls.settings)).status).toBe(200);
  expect((await send(stranger, calls.settings)).status).toBe(200);
  expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(1);
  expect(backend.platform.viewersChanged).toContain(member.accountId);
});

test('writes every change to the account’s events', async ({ database, newMember, send }) => {
  const member = await newMember();
  await send(member, account.updateName, { name: 'Bea' });
  await send(member, account.updatePhone, { phone: '', password });
  await send(member, account.updatePrefs, { prefs: { theme: 'dark' } });
  expect((await send(member, account.getPrefs)).body).toEqual({ theme: 'dark' });
  const isOwn = eq(accountEvents.accountId, member.accountId);
  const events = await database.select({ event: accountEvents.event }).from(accountEvents).where(isOwn);
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['user.update.name', 'user.update.phone', 'user.update.prefs']),
  );
  const end = (id: string) => send(member, { method: 'DELETE', path: `/v1/account/sessions/${id}` });
  const isEnd = eq(accountEvents.event, 'session.delete');
  const countEnds = () => database.$count(accountEvents, and(isOwn, isEnd));
  expect([(await end('nothing')).status, await countEnds()]).toEqual([404, 0]);
  expect([(await end('current')).status, await countEnds()]).toEqual([204, 1]);
});

test('a change of name and texts and another of the name at once both succeed: they lock in one order', async ({
  connection,
  database,
  newMember,
  send,
}) => {
  const member = await newMember();
  const untilWaiting = async (count: number) => {
    const waiting = async () =>
      (
        await connection.sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    await expect.poll(waiting, { timeout: 30_000, interval: 5 }).toBe(count);
  };
  const path = `/v1/databases/tara/collections/users/documents/${member.profileId}`;
  const replies = await database.transaction(async (transaction) => {
    await transaction
      .select({ id: profiles.id })
      .from(profiles)
      .where(eq(profiles.id, member.profileId))
      .for('update');
    const both = send(member, { method: 'PATCH', path }, { data: { name: 'Ana Reyes', bio: 'Hello' } });
    await untilWaiting(1);
    const name = send(member, account.updateName, { name: 'Ana Lim' });
    await untilWaiting(2);
    return [both, name];
  });
  expect(await Promise.all(replies.map(async (reply) => (await reply).status))).toEqual([200, 200]);
});
