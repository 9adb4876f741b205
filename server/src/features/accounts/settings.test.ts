import { account, accounts as calls } from '@tara/contract/accounts';
import type { Call } from '@tara/contract/calls';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { backendTest, linkOf } from '../../testing/backend.ts';
import { addMember, type TestMember } from '../../testing/sessions.ts';
import { profiles } from '../profiles/index.ts';
import { hashPassword } from './password.ts';
import { accountEvents, accounts, sessions, tokens } from './tables.ts';

const password = 'a long password';
const newEmail = () => `${newId()}@example.com`;
const test = backendTest()
  .extend(
    'newMember',
    { scope: 'file' },
    ({ connection }) =>
      async (emailVerified = true): Promise<TestMember> =>
        addMember(connection, { emailVerified, passwordHash: await hashPassword(password) }),
  )
  .extend(
    'send',
    { scope: 'file' },
    ({ backend }) =>
      async (who: TestMember | null, call: Pick<Call, 'method' | 'path'>, body?: object) => {
        const response = await fetch(backend.url + call.path, {
          method: call.method,
          headers: {
            'content-type': 'application/json',
            ...(who ? { 'x-appwrite-session': who.secret } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await response.text();
        return { status: response.status, body: text === '' ? null : JSON.parse(text) };
      },
  )
  .extend('stored', { scope: 'file' }, ({ database }) => async (who: TestMember) => {
    const [row] = await database
      .select()
      .from(accounts)
      .innerJoin(profiles, eq(profiles.accountId, accounts.id))
      .where(eq(accounts.id, who.accountId));
    return row;
  });

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

test('the name of account and profile is one value, and is announced', async ({
  backend,
  newMember,
  send,
  stored,
}) => {
  const member = await newMember();
  backend.platform.announced.length = 0;
  expect(await send(member, account.updateName, { name: '  Bea Reyes ' })).toMatchObject({
    status: 200,
    body: { name: 'Bea Reyes' },
  });
  expect(await stored(member)).toMatchObject({
    accounts: { name: 'Bea Reyes' },
    profiles: { name: 'Bea Reyes' },
  });
  expect(backend.platform.announced).toMatchObject([
    { collection: 'users', id: member.profileId, document: { name: 'Bea Reyes' } },
  ]);
});

test('the username of the profile changes', async ({ newMember, send, stored }) => {
  const member = await newMember();
  expect(await send(member, calls.updateUsername, { username: 'Bea 25' })).toMatchObject({ status: 200 });
  expect((await stored(member))?.profiles.username).toBe('Bea 25');
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
    ['prefs', account.updatePrefs, { prefs: [] }, { prefs: expect.any(String) }],
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

describe('another email', () => {
  test('the confirmed one stays and is told; the link mailed to the new one makes it the account’s, once', async ({
    backend,
    database,
    newMember,
    send,
    stored,
  }) => {
    const member = await newMember();
    const email = newEmail();
    const other = await newMember();
    await database.insert(tokens).values({
      id: newId(),
      accountId: member.accountId,
      kind: 'recovery',
      secretHash: Buffer.from(newId()),
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(await send(member, account.updateEmail, { email: email.toUpperCase(), password })).toMatchObject({
      status: 200,
      body: { email: member.email, emailVerification: true },
    });
    expect((await send(member, calls.settings)).body).toMatchObject({
      email: member.email,
      pendingEmail: { email },
    });
    const [link, notice, ...more] = await backend.mails();
    expect([link?.to, notice?.to, more]).toEqual([email, member.email, []]);
    expect(notice?.subject).toBe('Your e-mail for Tara is about to change');
    const { userId, secret } = Object.fromEntries(linkOf(link).searchParams);
    // Another account's id with this secret confirms nothing.
    expect(await send(null, account.confirmVerification, { userId: other.accountId, secret })).toMatchObject({
      status: 401,
      body: { type: 'user_invalid_token' },
    });
    expect(await send(null, account.confirmVerification, { userId, secret })).toMatchObject({ status: 200 });
    expect((await stored(member))?.accounts).toMatchObject({ email, emailVerifiedAt: expect.any(Date) });
    expect((await send(member, calls.settings)).body).toMatchObject({ email, pendingEmail: null });
    expect((await send(null, account.confirmVerification, { userId, secret })).status).toBe(401);
    // What was mailed to the old address opens the account no longer.
    expect(await database.$count(tokens, eq(tokens.accountId, member.accountId))).toBe(0);
  });

  test('an unconfirmed one is replaced at once, and older links confirm nothing', async ({
    backend,
    newMember,
    send,
    stored,
  }) => {
    const member = await newMember(false);
    const email = newEmail();
    await send(member, account.createVerification, {
      url: `${backend.platform.config.publicUrl}/confirming`,
    });
    const [older] = await backend.mails();
    expect((await send(member, account.updateEmail, { email, password })).body).toMatchObject({ email });
    const [link, ...more] = await backend.mails();
    expect([link?.to, more]).toEqual([email, []]);
    const confirm = (mail: typeof link) => {
      const { userId, secret } = Object.fromEntries(linkOf(mail).searchParams);
      return send(null, account.confirmVerification, { userId, secret });
    };
    expect((await confirm(older)).status).toBe(401);
    expect((await stored(member))?.accounts.emailVerifiedAt).toBeNull();
    expect((await confirm(link)).status).toBe(200);
    expect((await stored(member))?.accounts.emailVerifiedAt).not.toBeNull();
  });

  test('one that another account has is refused, also when that account came in between', async ({
    backend,
    newMember,
    send,
    stored,
  }) => {
    const [member, other] = [await newMember(), await newMember()];
    for (const who of [member, await newMember(false)]) {
      expect(await send(who, account.updateEmail, { email: other.email, password })).toMatchObject({
        status: 409,
        body: { type: 'user_email_already_exists', fields: { email: 'This email already has an account.' } },
      });
    }
    const email = newEmail();
    await send(member, account.updateEmail, { email, password });
    const [link] = await backend.mails();
    await send(null, account.create, { userId: 'unique()', email, password });
    const { userId, secret } = Object.fromEntries(linkOf(link).searchParams);
    expect(await send(null, account.confirmVerification, { userId, secret })).toMatchObject({
      status: 409,
      body: { type: 'user_email_already_exists' },
    });
    expect((await stored(member))?.accounts.email).toBe(member.email);
  });

  test.for([
    ['withdrawing it', calls.cancelEmailChange, {}],
    ['a new password', account.updatePassword, { password: 'a better password', oldPassword: password }],
    ['asking for the present one', account.updateEmail, { email: '', password }],
    ['asking for a third one', account.updateEmail, { email: 'third@example.com', password }],
  ] as const)('%s voids the link', async ([_how, call, body], { backend, newMember, send, stored }) => {
    const member = await newMember();
    await send(member, account.updateEmail, { email: newEmail(), password });
    const [link] = await backend.mails();
    const email = 'email' in body ? { email: body.email || member.email } : {};
    expect((await send(member, call, { ...body, ...email })).status).toBe(200);
    await backend.mails();
    const { userId, secret } = Object.fromEntries(linkOf(link).searchParams);
    expect((await send(null, account.confirmVerification, { userId, secret })).status).toBe(401);
    expect((await stored(member))?.accounts.email).toBe(member.email);
  });
});

test.for([
  ['+63 (917) 123-4501', '+639171234501'],
  ['0917 123 4502', '+639171234502'],
  ['+1 202 555 0123', '+12025550123'],
])(
  'the phone number for sign-in %s is %s, unlike the one for payouts',
  async ([phone, read], { newMember, send, stored }) => {
    const [member, other] = [await newMember(), await newMember()];
    expect((await send(member, account.updatePhone, { phone, password })).body).toMatchObject({
      phone: read,
    });
    expect(await stored(member)).toMatchObject({ accounts: { phone: read }, profiles: { phoneNumber: '' } });
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
  const events = await database
    .select({ event: accountEvents.event })
    .from(accountEvents)
    .where(eq(accountEvents.accountId, member.accountId));
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['user.update.name', 'user.update.phone', 'user.update.prefs']),
  );
});
