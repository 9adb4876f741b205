import { account, accounts as calls } from '@tara/contract/accounts/accounts';
import { nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { linkOf } from '../../testing/backend/backend.ts';
import { newEmail, password, test } from '../../testing/features/settings.ts';
import { tokens } from './tables.ts';

describe('another email', () => {
  test('the confirmed one stays and is notified; the link mailed to the new one makes it the account’s, once', async ({
    backend,
    database,
    newMember,
    send,
    stored,
  }) => {
    const member = await newMember();
    const email = newEmail();
    const other = await newMember();
    await database.insert(tokens).values(
      [member, other].map(({ accountId }) => ({
        ...{ id: newId(), accountId, kind: 'recovery' as const, secretHash: Buffer.from(newId()) },
        // Newer than the change, which is shown nevertheless.
        ...{ createdAt: new Date(nowMs() + 60_000), expiresAt: new Date(nowMs() + 120_000) },
      })),
    );
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
    expect(notice?.subject).toBe('Your email for Tara is about to change');
    const { userId, secret } = Object.fromEntries(linkOf(link).searchParams);
    // Another account's id with this secret confirms nothing.
    expect(await send(null, account.confirmVerification, { userId: other.accountId, secret })).toMatchObject({
      status: 401,
      body: { type: 'user_invalid_token' },
    });
    expect(await send(null, account.confirmVerification, { userId, secret })).toMatchObject({ status: 200 });
    const [changed, ...others] = await backend.mails();
    // Whoever reads the address that the account had.
    expect([changed?.to, others]).toEqual([member.email, []]);
    expect(changed?.subject).toBe('Your email for Tara changed');
    expect((await stored(member))?.accounts).toMatchObject({ email, emailVerifiedAt: expect.any(Date) });
    expect((await send(member, calls.settings)).body).toMatchObject({ email, pendingEmail: null });
    expect((await send(null, account.confirmVerification, { userId, secret })).status).toBe(401);
    // What was mailed to the old address opens the account no longer.
    expect(await database.$count(tokens, eq(tokens.accountId, member.accountId))).toBe(0);
    expect(await database.$count(tokens, eq(tokens.accountId, other.accountId))).toBe(1);
  });

  test('an unconfirmed one is replaced at once, and older links confirm nothing', async ({
    backend,
    newMember,
    send,
    stored,
  }) => {
    const member = await newMember(false);
    const email = newEmail();
    const { body: elsewhere } = await send(null, account.createEmailSession, {
      email: member.email,
      password,
    });
    await backend.mails();
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
    // It is the account's already: nothing changed, and nobody is logged out.
    expect(await backend.mails()).toEqual([]);
    expect((await send({ ...member, secret: elsewhere.secret }, calls.settings)).status).toBe(200);
  });

  test('an email that another account has is refused, also when that account came in between', async ({
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
  ] as const)(
    '%s voids the link, and no other member’s',
    async ([_how, call, body], { backend, newMember, send, stored }) => {
      const [member, other] = [await newMember(), await newMember()];
      const wanted = newEmail();
      await send(member, account.updateEmail, { email: wanted, password });
      await send(other, account.updateEmail, { email: newEmail(), password });
      const link = await backend.lastMailTo(wanted.toLowerCase());
      const email = 'email' in body ? { email: body.email || member.email } : {};
      expect((await send(member, call, { ...body, ...email })).status).toBe(200);
      const pending = async (who: typeof member) => (await send(who, calls.settings)).body.pendingEmail;
      const third = 'email' in body && body.email !== '' ? { email: body.email } : null;
      expect([await pending(member), await pending(other)]).toMatchObject([
        third,
        { email: expect.any(String) },
      ]);
      await backend.mails();
      const { userId, secret } = Object.fromEntries(linkOf(link).searchParams);
      expect((await send(null, account.confirmVerification, { userId, secret })).status).toBe(401);
      expect((await stored(member))?.accounts.email).toBe(member.email);
    },
  );

  test('waits for its confirmation no longer than the link works', async ({ database, newMember, send }) => {
    const member = await newMember();
    await send(member, account.updateEmail, { email: newEmail(), password });
    await database
      .update(tokens)
      .set({ expiresAt: new Date(0) })
      .where(eq(tokens.accountId, member.accountId));
    expect((await send(member, calls.settings)).body).toMatchObject({ pendingEmail: null });
  });
});
