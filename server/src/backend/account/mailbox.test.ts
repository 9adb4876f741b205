import { expect } from 'vitest';
import { firstTries } from '../../features/accounts/limits.ts';
import { wideAddressKey } from '../../platform/http/client-address.ts';
import { newId } from '../../platform/ids.ts';
import { friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import {
  elsewhere,
  home,
  password,
  readAccount,
  test as strangers,
  withDevice,
} from '../../testing/backend/strangers.ts';

const messages = {
  'a recovery': (email: string) => [
    '/v1/account/recovery',
    { email, url: `${friendlyOrigin}/reset-password` },
  ],
  'a link': (email: string) => [
    '/v1/account/sessions/magic-url',
    { userId: 'unique()', email, url: `${friendlyOrigin}/landing` },
  ],
  'a code': (email: string) => ['/v1/account/tokens/email', { userId: 'unique()', email }],
} as const;

/** The subject of the last mail of a day to an email that is not confirmed, and to one that is. */
const lastConfirmation = 'Confirm your email for Tara, the last email for today';
const lastLink = 'Your way into Tara for today';

const test = strangers
  /** Asks for a new password from another address. */
  .extend(
    'recover',
    { scope: 'file' },
    ({ post }) =>
      (email: string, from = elsewhere) =>
        post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from }),
  )
  /** As if strangers had had every mail of the day sent to the email but the last; returns that. */
  .extend('fill', { scope: 'file' }, ({ backend, recover }) => async (email: string) => {
    for (let sent = 0; sent < 19; sent++) await backend.limits.messagesFromStrangers.allows(email);
    await recover(email);
    return backend.lastMailTo(email);
  })
  .extend(
    'change',
    { scope: 'file' },
    ({ backend }) =>
      async (what: 'password' | 'email' | 'phone', headers: Record<string, string>, payload: object) =>
        (await backend.app.inject({ method: 'PATCH', url: `/v1/account/${what}`, headers, payload }))
          .statusCode,
  );

test('a stranger uses up neither the owner’s recovery requests nor the mailbox (threat-password-guessing)', async ({
  backend,
  post,
  newAccount,
}) => {
  const email = await newAccount();
  const recover = (from: string) =>
    post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from });
  for (let network = 0; network < 12; network++) {
    expect((await recover(`10.0.${network}.1`)).status).toBe(201);
  }
  for (let tries = 0; tries < 6; tries++) await recover(home);
  expect((await recover(home)).status).toBe(429);
  expect((await recover(elsewhere)).status).toBe(201);
  expect(await backend.mails()).toHaveLength(18);
});

test('500 networks that guess within their limits, and a mailbox that strangers filled, keep no owner on a new device out (threat-password-guessing)', async ({
  backend,
  connection,
  post,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  await connection.sql`update accounts set email_verified_at = now() where email = ${email}`;
  const { firstTriesByNetwork, firstTriesByEmail, guesses } = backend.limits;
  // Each as its tries of a wrong password count, without their hashes.
  for (let network = 0; network < 500; network++) {
    const key = `${email} ${wideAddressKey(`10.${network >> 8}.${network & 255}.1`)}`;
    for (let tries = 0; tries < firstTries.byNetwork; tries++) {
      expect([await firstTriesByNetwork.allows(key), await firstTriesByEmail.allows(email)]).toEqual([
        true,
        true,
      ]);
      await (await guesses.byEmailAndNetwork.begin(key)).fail();
    }
    await guesses.byEmail.begin(email).then(
      (one) => one.fail(),
      () => {},
    );
  }
  const recover = (from: string) =>
    post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from });
  // Of every kind, and also after the last one was sent.
  for (let network = 0; network < 30; network++) {
    const [url, payload] = Object.values(messages)[network % 3]?.(email) ?? [];
    await post(url as string, payload as object, { from: `10.9.${network}.1` });
  }
  const owner = { from: '192.0.2.77' };
  const refused = await signIn(email, password, owner);
  expect([refused.status, refused.body.text]).toEqual([429, expect.stringContaining('a link that we mail')]);
  expect((await recover(owner.from)).status).toBe(201);
  const mails = (await backend.mails()).filter(({ to }) => to === email);
  expect(mails).toHaveLength(20);
  // Whoever asks for it leads it nowhere else; and the hours pass in which the others work.
  const link = linkOf(mails.at(-1));
  expect(`${link.origin}${link.pathname}`).toBe(`${backend.platform.config.publicUrl}/reset-password`);
  await connection.sql`update tokens set expires_at = expires_at - interval '24 hours'
    where account_id = ${link.searchParams.get('userId')}`;
  const sent = { userId: link.searchParams.get('userId'), secret: link.searchParams.get('secret') };
  const taken = await backend.app.inject({
    ...{ method: 'PUT', url: '/v1/account/recovery', payload: { ...sent, password: 'another password' } },
    remoteAddress: owner.from,
  });
  expect(taken.statusCode).toBe(200);
  const cookies = Object.fromEntries(taken.cookies.map(({ name, value }) => [name, value]));
  const headers = withDevice(cookies);
  expect((await signIn(email, 'another password', { ...owner, headers })).status).toBe(201);
  // The link is used up: the next new device gets another one.
  await recover('192.0.2.177');
  expect((await backend.mails()).filter(({ to }) => to === email)).toHaveLength(1);
});

test('whoever began an account with an email that they do not read neither clears its mailbox nor voids its last link (threat-codes-and-links)', async ({
  backend,
  post,
  signIn,
  newAccount,
  session,
  recover,
  fill,
  change,
}) => {
  const email = await newAccount();
  const headers = await session(email);
  const mail = await fill(email);
  expect(mail?.subject).toBe(lastConfirmation);
  expect(await change('password', headers, { password: 'another good one', oldPassword: password })).toBe(
    200,
  );
  await recover(email);
  expect(await backend.lastMailTo(email)).toBeUndefined();
  const link = linkOf(mail).searchParams;
  const claim = { userId: link.get('userId'), secret: link.get('secret'), password: 'the owner’s own word' };
  expect((await post('/api/account/claim', claim)).status).toBe(200);
  expect((await signIn(email, 'the owner’s own word')).status).toBe(201);
  // Who took it over may be sent mails again.
  await recover(email);
  expect((await backend.lastMailTo(email))?.subject).toBe('Set a new password for Tara');
});

test('accounts that passed to another email leave the last link of the first to whoever begins one with it, five times a day (threat-codes-and-links)', async ({
  backend,
  post,
  newAccount,
  session,
  fill,
  change,
}) => {
  const email = await newAccount();
  const subjects = [(await fill(email))?.subject];
  for (let begun = 0; begun < 6; begun++) {
    const other = { email: `${newId()}@example.com`, password };
    expect(await change('email', await session(email, `10.15.${begun}.1`), other)).toBe(200);
    await backend.mails();
    await post('/v1/account', { userId: 'unique()', email, password }, { from: elsewhere });
    subjects.push((await backend.lastMailTo(email))?.subject);
  }
  expect(subjects).toEqual([...Array(5).fill(lastConfirmation), undefined, undefined]);
});

const waysIn = {
  'a code': { method: 'POST', url: '/v1/account/sessions/token', secret: /\d{6}/ },
  'a link': { method: 'PUT', url: '/v1/account/sessions/magic-url', secret: /(?<=secret=)[^&\s]+/ },
} as const;

test.for(Object.entries(waysIn))(
  'whoever got in by %s of a mail may be sent mails again (threat-password-guessing)',
  async ([kind, way], { backend, connection, post, newAccount, recover, fill }) => {
    const email = await newAccount();
    await connection.sql`update accounts set email_verified_at = now() where email = ${email}`;
    const [call, fields] = messages[kind as keyof typeof waysIn](email);
    await post(call as string, fields as object);
    const mail = (await backend.lastMailTo(email))?.text ?? '';
    expect((await fill(email))?.subject).toBe(lastLink);
    const [challenge] = await connection.sql`select reference from challenges where email = ${email}`;
    const payload = { userId: String(challenge?.reference), secret: way.secret.exec(mail)?.[0] };
    const entered = await backend.app.inject({ method: way.method, url: way.url, payload });
    expect(entered.statusCode).toBe(201);
    await recover(email);
    expect((await backend.lastMailTo(email))?.subject).toBe('Set a new password for Tara');
  },
);

test('a full mailbox keeps nobody from beginning an account: its confirmation is the last link, once (threat-codes-and-links)', async ({
  backend,
  connection,
  post,
  session,
  recover,
}) => {
  const email = `${newId()}@example.com`;
  for (let network = 0; network < 25; network++) {
    const [url, payload] = Object.values(messages)[network % 3]?.(email) ?? [];
    await post(url as string, payload as object, { from: `10.12.${network}.1` });
  }
  // Where no account has the email, nobody is let in by the last link.
  expect((await backend.mails()).map(({ subject }) => subject)).not.toContain(lastConfirmation);
  await post('/v1/account', { userId: 'unique()', email, password }, { from: elsewhere });
  const headers = await session(email);
  const askAgain = () =>
    post('/v1/account/verification', { url: `${friendlyOrigin}/confirming` }, { headers });
  expect([(await askAgain()).status, (await askAgain()).status]).toEqual([429, 429]);
  const mails = (await backend.mails()).filter(({ to }) => to === email);
  expect(mails.map(({ subject }) => subject)).toEqual([lastConfirmation]);
  const link = linkOf(mails[0]).searchParams;
  const confirmed = await backend.app.inject({
    ...{ method: 'PUT', url: '/v1/account/verification' },
    payload: { userId: link.get('userId'), secret: link.get('secret') },
  });
  expect(confirmed.statusCode).toBe(200);
  const [row] = await connection.sql`select email_verified_at from accounts where email = ${email}`;
  expect(row?.email_verified_at).not.toBeNull();
  // The link is used: mails count from nothing.
  await recover(email);
  expect((await backend.lastMailTo(email))?.subject).toBe('Set a new password for Tara');
});

test('whoever signs up with an email that is not theirs is a stranger on each of their devices (threat-codes-and-links)', async ({
  backend,
  post,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const devices = [];
  for (let one = 0; one < 3; one++)
    devices.push(withDevice((await signIn(email, password, { from: `10.13.${one}.1` })).cookies));
  for (const [one, headers] of devices.entries()) {
    for (let sent = 0; sent < 10; sent++) {
      const [url, payload] = messages['a code'](email);
      await post(url as string, payload as object, { from: `10.14.${one * 10 + sent}.1`, headers });
    }
  }
  expect((await backend.mails()).filter(({ to }) => to === email)).toHaveLength(20);
});

test('whoever names another’s phone texts its owner at most ten codes a day (threat-codes-and-links)', async ({
  backend,
  post,
  newAccount,
  session,
  change,
}) => {
  const phone = '+639170000123';
  const statuses = [];
  for (let one = 0; one < 3; one++) {
    const headers = await session(await newAccount());
    const { $id } = await readAccount(backend, headers['x-appwrite-session']);
    expect(await change('phone', headers, { phone, password })).toBe(200);
    for (let sent = 0; sent < 9; sent++) {
      await backend.limits.verificationByAccount.clear($id);
      statuses.push((await post('/v1/account/verification/phone', {}, { headers })).status);
    }
  }
  expect(statuses).toEqual([...Array(10).fill(201), ...Array(17).fill(429)]);
});

test.for(Object.entries(messages))(
  'strangers at many addresses do not keep %s from a device that signed in before (threat-codes-and-links)',
  async ([, request], { backend, connection, post, signIn, newAccount }) => {
    const [email, otherEmail] = [await newAccount(), await newAccount()];
    const both = connection.sql([email, otherEmail]);
    await connection.sql`update accounts set email_verified_at = now() where email in ${both}`;
    const { cookies } = await signIn(email, password);
    const other = (await signIn(otherEmail, password)).cookies;
    const send = (from: string, headers = {}) => {
      const [url, payload] = request(email);
      return post(url as string, payload as object, { from, headers });
    };
    const count = async () => (await backend.mails()).filter(({ to }) => to === email).length;
    await count();
    for (let network = 0; network < 30; network++)
      expect((await send(`10.77.${network}.1`)).status).toBe(201);
    // All kinds together.
    for (const [url, payload] of Object.values(messages).map((make) => make(email)))
      await post(url as string, payload as object, { from: '10.78.0.1' });
    expect(await count()).toBe(20);
    expect((await send('10.79.0.1', withDevice(other))).status).toBe(201);
    expect(await count()).toBe(0);
    expect((await send('10.80.0.1', withDevice(cookies))).status).toBe(201);
    expect(await count()).toBe(1);
  },
);

test('strangers text one phone nineteen times a day, and keep no code from a device of the account that confirmed it (threat-codes-and-links)', async ({
  backend,
  connection,
  post,
  signIn,
  newAccount,
}) => {
  const [phone, otherPhone] = ['+639170000456', '+639170000457'];
  const newDevice = async (number: string, isConfirmed: boolean) => {
    const email = await newAccount();
    const { cookies } = await signIn(email, password);
    await connection.sql`update accounts set phone = ${number},
      phone_verified_at = case when ${isConfirmed} then now() end where email = ${email}`;
    return withDevice(cookies);
  };
  const own = await newDevice(phone, true);
  const naming = await newDevice(phone, false);
  const other = await newDevice(otherPhone, true);
  const countTexts = async (to: string, from: string, headers = {}) => {
    const sent = { userId: 'unique()', phone: to };
    expect((await post('/v1/account/sessions/phone', sent, { from, headers })).status).toBe(201);
    return (await backend.mails()).filter((message) => message.to === to).length;
  };
  let texts = 0;
  for (let network = 0; network < 22; network++) texts += await countTexts(phone, `10.91.${network}.1`);
  expect(texts).toBe(19);
  expect(await countTexts(phone, '10.92.0.1', other)).toBe(0);
  expect(await countTexts(phone, '10.92.1.1', naming)).toBe(0);
  expect(await countTexts(phone, '10.92.2.1', own)).toBe(1);
  // Another phone has a share of its own.
  expect(await countTexts('+639170000458', '10.92.3.1')).toBe(1);
});

test('whoever signs up with an email mails its reader at most twenty confirmations a day (threat-codes-and-links)', async ({
  backend,
  post,
  signIn,
  signUp,
}) => {
  const email = await signUp();
  const statuses = [];
  for (let sent = 0; sent < 25; sent++) {
    const secret = (await signIn(email, password, { from: `10.81.${sent}.1` })).body.secret ?? '';
    const headers = { 'x-appwrite-session': secret };
    await backend.limits.verificationByAccount.clear((await readAccount(backend, secret)).$id);
    statuses.push(
      (await post('/v1/account/verification', { url: `${friendlyOrigin}/confirming` }, { headers })).status,
    );
  }
  // One was mailed at sign-up, and the last link after the others.
  expect(statuses.filter((status) => status === 201)).toHaveLength(18);
  expect((await backend.mails()).filter(({ to }) => to === email)).toHaveLength(20);
});

test('whoever asks for the confirmation again mails its reader at most twenty a day (threat-codes-and-links)', async ({
  backend,
  post,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const secret = (await signIn(email, password)).body.secret ?? '';
  const { $id } = await readAccount(backend, secret);
  for (let sent = 0; sent < 25; sent++) {
    await backend.limits.resendByAccount.clear($id);
    const headers = { 'x-appwrite-session': secret };
    const { status } = await post('/api/account/resendVerification', { username: 'Anybody' }, { headers });
    expect(status).toBe(200);
  }
  expect((await backend.mails()).filter(({ to }) => to === email)).toHaveLength(20);
});

test('whoever changes their email to another’s mails its reader at most twenty links a day (threat-codes-and-links)', async ({
  backend,
  signIn,
  newAccount,
}) => {
  const secret = (await signIn(await newAccount(), password)).body.secret ?? '';
  const { $id } = await readAccount(backend, secret);
  const change = async (email: string) => {
    await backend.limits.contactByAccount.clear($id);
    await backend.limits.passwordsByAccount.clear($id);
    const response = await backend.app.inject({
      method: 'PATCH',
      url: '/v1/account/email',
      headers: { 'x-appwrite-session': secret },
      payload: { email, password },
    });
    return response.statusCode;
  };
  const email = `${newId()}@example.com`;
  const statuses = [];
  for (let sent = 0; sent < 20; sent++) {
    statuses.push(await change(email));
    await change(`${newId()}@example.com`);
  }
  expect(statuses).toEqual([...Array(19).fill(200), 429]);
  expect((await backend.mails()).filter(({ to }) => to === email)).toHaveLength(19);
});

test('accounts without an email use up nobody’s confirmations', async ({ backend, post }) => {
  const first = await post('/v1/account/sessions/anonymous', {});
  const headers = { 'x-appwrite-session': first.body.secret ?? '' };
  const { $id } = await readAccount(backend, first.body.secret ?? '');
  for (let tries = 0; tries < 21; tries++) {
    await backend.limits.verificationByAccount.clear($id);
    const url = `${friendlyOrigin}/confirming`;
    const { body } = await post('/v1/account/verification', { url }, { headers });
    expect(body.type).toBe('user_email_not_found');
  }
});
