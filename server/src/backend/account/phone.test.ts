import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { hashPassword } from '../../features/accounts/password.ts';
import { accounts, challenges } from '../../features/accounts/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { newId } from '../../platform/ids.ts';
import { refused, sdk13, sdk27, withBrowsers } from '../../testing/backend/account-sdk.ts';
import { backendTest, startBackend } from '../../testing/backend/backend.ts';
import { addMember } from '../../testing/features/sessions.ts';

const base = backendTest();
let numbers = 9_170_000_000;
const newPhone = () => `+63${numbers++}`;

describe.each([
  [sdk13.name, sdk13.open, '/v1/account/sessions/phone', '/v1/account/verification/phone'],
  [sdk27.name, sdk27.open, '/v1/account/tokens/phone', '/v1/account/verifications/phone'],
] as const)('%s', (_name, openSdk, codePath, verificationPath) => {
  const test = withBrowsers(base, openSdk).extend('codeFor', ({ backend }) => async (phone: string) => {
    const text = (await backend.lastMailTo(phone))?.text ?? '';
    return /^\d{6}/.exec(text)?.[0] ?? '';
  });

  test('a texted code makes the account of a new phone and signs in, once; later ones lead to it (§7-account-phone-session, §7-account-confirm-phone-session)', async ({
    database,
    open,
    codeFor,
  }) => {
    const ana = open();
    const [id, phone] = [newId(), newPhone()];
    const token = await ana.account.textCode(id, phone);
    expect(token).toMatchObject({ userId: id, secret: '' });
    const code = await codeFor(phone);
    expect(await ana.account.enterPhoneCode(token.userId, code)).toMatchObject({
      userId: id,
      provider: 'phone',
    });
    expect(await ana.account.get()).toMatchObject({ phone, phoneVerification: true, email: '' });
    const [profile] = await database.select().from(profiles).where(eq(profiles.accountId, id));
    expect(profile?.username).toBe('User025');
    await expect(open().account.enterPhoneCode(id, code)).rejects.toEqual(refused(401, 'user_invalid_token'));
    const again = await open().account.textCode('unique()', phone);
    expect(again.userId).not.toBe(id);
    expect(await open().account.enterPhoneCode(again.userId, await codeFor(phone))).toMatchObject({
      userId: id,
    });
    expect(ana.requests).toContain(`POST ${codePath} 201`);
  });

  test('a code is void after five wrong tries, and after 15 minutes (threat-codes-and-links)', async ({
    database,
    open,
    codeFor,
  }) => {
    const ana = open();
    const phone = newPhone();
    const { userId } = await ana.account.textCode('unique()', phone);
    const code = await codeFor(phone);
    for (let tries = 0; tries < 5; tries++) {
      await expect(ana.account.enterPhoneCode(userId, 'wrong')).rejects.toEqual(
        refused(401, 'user_invalid_token'),
      );
    }
    await expect(ana.account.enterPhoneCode(userId, code)).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
    const later = await ana.account.textCode('unique()', phone);
    await database
      .update(challenges)
      .set({ expiresAt: new Date(0) })
      .where(eq(challenges.phone, phone));
    await expect(ana.account.enterPhoneCode(later.userId, await codeFor(phone))).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
  });

  test('a phone that was only named passes to the person who reads its texts (threat-codes-and-links)', async ({
    connection,
    database,
    open,
    codeFor,
  }) => {
    const thief = await addMember(connection);
    const other = await addMember(connection);
    const [phone, otherPhone] = [newPhone(), newPhone()];
    await database.update(accounts).set({ phone }).where(eq(accounts.id, thief.accountId));
    await database.update(accounts).set({ phone: otherPhone }).where(eq(accounts.id, other.accountId));
    const ana = open();
    const { userId } = await ana.account.textCode('unique()', phone);
    expect((await ana.account.enterPhoneCode(userId, await codeFor(phone))).userId).not.toBe(thief.accountId);
    const [row] = await database.select().from(accounts).where(eq(accounts.id, thief.accountId));
    expect(row?.phone).toBeNull();
    const [untouched] = await database.select().from(accounts).where(eq(accounts.id, other.accountId));
    expect(untouched?.phone).toBe(otherPhone);
  });

  test('confirms the phone of the account (§7-account-phone-verification, §7-account-confirm-phone-verification)', async ({
    connection,
    database,
    open,
    codeFor,
  }) => {
    const member = await addMember(connection);
    const ana = open();
    ana.cookies.set('a_session_tara', member.secret);
    await expect(ana.account.verifyPhone()).rejects.toEqual(refused(400, 'user_phone_not_found'));
    const phone = newPhone();
    await database.update(accounts).set({ phone }).where(eq(accounts.id, member.accountId));
    const { userId } = await ana.account.verifyPhone();
    const code = await codeFor(phone);
    await expect(ana.account.confirmPhone(userId, 'wrong')).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
    await ana.account.confirmPhone(userId, code);
    expect(await ana.account.get()).toMatchObject({ phone, phoneVerification: true });
    await expect(ana.account.verifyPhone()).rejects.toEqual(refused(409, 'user_phone_already_verified'));
    expect(ana.requests).toContain(`POST ${verificationPath} 201`);
  });
});

const test = withBrowsers(base, sdk27.open).extend('codeFor', ({ backend }) => async (phone: string) => {
  const text = (await backend.lastMailTo(phone))?.text ?? '';
  return /^\d{6}/.exec(text)?.[0] ?? '';
});
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000');

test('a stranger spends no try of a member’s phone confirmation, and confirms nothing with the right code (threat-codes-and-links)', async ({
  connection,
  database,
  open,
  codeFor,
}) => {
  const member = await addMember(connection);
  const stranger = await addMember(connection);
  const phone = newPhone();
  await database.update(accounts).set({ phone }).where(eq(accounts.id, member.accountId));
  const ana = open();
  ana.cookies.set('a_session_tara', member.secret);
  const { userId } = await ana.account.verifyPhone();
  const code = await codeFor(phone);
  const ben = open();
  ben.cookies.set('a_session_tara', stranger.secret);
  // A code that signs in, under the same reference.
  await ben.account.textCode(userId, phone);
  for (const other of [open(), ben]) {
    for (let tries = 0; tries < 6; tries++)
      for (const enter of [other.account.confirmPhone, other.account.enterPhoneCode])
        await expect(enter(userId, wrongCode(code))).rejects.toEqual(refused(401, 'user_invalid_token'));
    await expect(other.account.confirmPhone(userId, code)).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
  }
  await ana.account.confirmPhone(userId, code);
  expect(await ana.account.get()).toMatchObject({ phone, phoneVerification: true });
});

test('a code for one phone does not confirm another that the account has since (threat-codes-and-links)', async ({
  connection,
  database,
  open,
  codeFor,
}) => {
  const member = await addMember(connection);
  const setPhone = (phone: string) =>
    database.update(accounts).set({ phone }).where(eq(accounts.id, member.accountId));
  const ana = open();
  ana.cookies.set('a_session_tara', member.secret);
  const [first, second] = [newPhone(), newPhone()];
  await setPhone(first);
  const { userId } = await ana.account.verifyPhone();
  const code = await codeFor(first);
  await setPhone(second);
  await expect(ana.account.confirmPhone(userId, code)).rejects.toEqual(refused(401, 'user_invalid_token'));
  expect(await ana.account.get()).toMatchObject({ phone: second, phoneVerification: false });
});

test('codes of several receivers never share a reference, also when sent at once (threat-codes-and-links)', async ({
  database,
  open,
}) => {
  const id = newId();
  const emails = Array.from({ length: 6 }, () => `${newId()}@example.com`);
  const phones = [newPhone(), newPhone()];
  const tokens = await Promise.all([
    ...emails.map((email) => open().newest.mailCode(id, email)),
    ...phones.map((phone) => open().account.textCode(id, phone)),
  ]);
  expect(new Set(tokens.map(({ userId }) => userId)).size).toBe(tokens.length);
  const isReference = eq(challenges.reference, id);
  expect(await database.$count(challenges, isReference)).toBe(1);
  await database
    .update(challenges)
    .set({ expiresAt: new Date(0) })
    .where(isReference);
  // One that expired keeps nobody from the reference that they chose.
  expect((await open().account.textCode(id, newPhone())).userId).toBe(id);
});

test('a newer code voids the one before, so a try is compared with one (threat-codes-and-links)', async ({
  database,
  open,
  codeFor,
}) => {
  const [id, phone] = [newId(), newPhone()];
  await open().account.textCode(id, phone);
  const first = await codeFor(phone);
  await open().account.textCode(id, phone);
  const second = await codeFor(phone);
  expect(await database.$count(challenges, eq(challenges.reference, id))).toBe(1);
  if (first !== second)
    await expect(open().account.enterPhoneCode(id, first)).rejects.toEqual(
      refused(401, 'user_invalid_token'),
    );
  expect(await open().account.enterPhoneCode(id, second)).toMatchObject({ userId: id });
});

test('an unconfirmed number of somebody else neither keeps its owner from it nor is revealed (threat-codes-and-links)', async ({
  connection,
  open,
  codeFor,
}) => {
  const password = 'correct horse battery';
  const passwordHash = await hashPassword(password, {});
  const [one, two] = [
    await addMember(connection, { passwordHash }),
    await addMember(connection, { passwordHash }),
  ];
  const [ben, ana] = [open(), open()];
  ben.cookies.set('a_session_tara', one.secret);
  ana.cookies.set('a_session_tara', two.secret);
  const phone = newPhone();
  await ben.account.updatePhone(phone, password);
  expect(await ana.account.updatePhone(phone, password)).toMatchObject({ phone, phoneVerification: false });
  const { userId } = await ana.account.verifyPhone();
  await ana.account.confirmPhone(userId, await codeFor(phone));
  expect(await ana.account.get()).toMatchObject({ phone, phoneVerification: true });
  // A confirmed one is its owner's.
  expect(await ben.account.get()).toMatchObject({ phone: '' });
  await expect(ben.account.updatePhone(phone, password)).rejects.toEqual(
    refused(409, 'user_phone_already_exists'),
  );
});

base('texts nothing where only a mail server is configured', async ({ connection }) => {
  const backend = await startBackend(connection, { SMTP_URL: 'smtp://mail.example' });
  try {
    await expect(sdk27.open(backend.url).account.textCode('unique()', newPhone())).rejects.toEqual(
      refused(503, 'general_phone_disabled'),
    );
  } finally {
    await backend.close();
  }
});
