import { expect } from 'vitest';
import { firstTries } from '../../features/accounts/limits.ts';
import { addressKey, wideAddressKey } from '../../platform/http/client-address.ts';
import { newId } from '../../platform/ids.ts';
import { backendTest, friendlyOrigin, linkOf, type TestBackend } from '../../testing/backend/backend.ts';

const test = backendTest({ RATE_LIMITS: 'on' })
  .extend(
    'post',
    { scope: 'file' },
    ({ backend }) =>
      async (url: string, payload: object, { from = home, headers = {} }: Sent = {}) => {
        const response = await backend.app.inject({
          method: 'POST',
          url,
          payload,
          headers,
          remoteAddress: from,
        });
        return {
          status: response.statusCode,
          retryAfter: Number(response.headers['retry-after'] ?? 0),
          cookies: Object.fromEntries(response.cookies.map(({ name, value }) => [name, value])),
          raw: [response.headers['set-cookie'] ?? []].flat(),
          fallback: response.headers['x-fallback-cookies'],
          body: response.json<{ type?: string; text?: string; secret?: string }>(),
        };
      },
  )
  .extend(
    'signIn',
    { scope: 'file' },
    ({ post }) =>
      (email: string, word: string, sent?: Sent) =>
        post('/v1/account/sessions/email', { email, password: word }, sent),
  )
  /** Signs up; the confirmation is mailed with it. */
  .extend('signUp', { scope: 'file' }, ({ post }) => async () => {
    const email = `${newId()}@example.com`;
    await post('/v1/account', { userId: 'unique()', email, password }, { from: elsewhere });
    return email;
  })
  /** An account whose mailbox is empty, and got nothing yet. */
  .extend('newAccount', { scope: 'file' }, ({ backend, signUp }) => async () => {
    const email = await signUp();
    await backend.mails();
    await backend.limits.messagesFromStrangers.clear(email);
    return email;
  })
  /** Fails to sign in so many times without waiting. */
  .extend('fail', { scope: 'file' }, ({ signIn }) => async (email: string, times: number, sent?: Sent) => {
    const answers = [];
    for (let tries = 0; tries < times; tries++) answers.push(await signIn(email, 'not the password', sent));
    return answers.map(({ status, retryAfter }) => [status, retryAfter]);
  });

const password = 'correct horse battery';
const home = '203.0.113.7';
const elsewhere = '198.51.100.9';

interface Sent {
  from?: string;
  headers?: Record<string, string>;
}
const withDevice = (cookies: Record<string, string>) => ({
  cookie: `a_device_tara=${cookies.a_device_tara ?? 'none'}`,
});
const readAccount = async ({ app }: TestBackend, secret: string) =>
  (await app.inject({ url: '/v1/account', headers: { 'x-appwrite-session': secret } })).json<{
    $id: string;
  }>();
/** The subject of the last mail of a day to an email that is not confirmed. */
const lastConfirmation = 'Confirm your email for Tara, the last email for today';
const slowedDown = [
  [401, 1],
  [429, 2],
  [429, 4],
  [429, 8],
  [429, 16],
];

test('a guesser must wait longer each time, and does not learn who has an account (threat-password-guessing)', async ({
  newAccount,
  fail,
}) => {
  expect(await fail(await newAccount(), 5)).toEqual(slowedDown);
  expect(await fail(`${newId()}@example.com`, 5)).toEqual(slowedDown);
});

test('a device of the person who began an account is a stranger’s once its owner took it over (threat-pre-hijacking)', async ({
  backend,
  signIn,
  newAccount,
  fail,
  post,
}) => {
  const email = await newAccount();
  const { cookies } = await signIn(email, password);
  await post('/v1/account/recovery', { email, url: `${friendlyOrigin}/recover` }, { from: elsewhere });
  const link = linkOf(await backend.lastMailTo(email)).searchParams;
  const sent = { userId: link.get('userId'), secret: link.get('secret'), password: 'another password' };
  const taken = await backend.app.inject({ method: 'PUT', url: '/v1/account/recovery', payload: sent });
  expect(taken.statusCode).toBe(200);
  await fail(email, 1);
  // A known device would count its own failures alone: 401.
  expect((await signIn(email, password, { headers: withDevice(cookies) })).status).toBe(429);
});

test('a stranger’s failures keep the owner out neither at another address nor with another email (threat-password-guessing)', async ({
  signIn,
  newAccount,
  fail,
}) => {
  const email = await newAccount();
  await fail(email, 12);
  expect((await signIn(email, password)).body.type).toBe('general_rate_limit_exceeded');
  expect((await signIn(email, password, { from: elsewhere })).status).toBe(201);
  expect((await signIn(await newAccount(), password)).status).toBe(201);
});

test('a stranger’s failures at the same address do not slow a device down that signed in before (threat-password-guessing)', async ({
  backend,
  signIn,
  newAccount,
  fail,
}) => {
  const [from, email] = ['192.0.2.9', await newAccount()];
  const { cookies, raw } = await signIn(email, password, { from });
  expect(raw.find((cookie) => cookie.startsWith('a_device_tara='))).toMatch(
    /; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
  await fail(email, 12, { from });
  // More sign-ins than an address has, too: the limit by address is not the device's.
  await backend.limits.signInByAddress.charge(from, 60);
  expect((await signIn(`${newId()}@example.com`, password, { from })).status).toBe(429);
  const sent = { from, headers: withDevice(cookies) };
  expect((await signIn(email, password, sent)).status).toBe(201);
  expect(await fail(email, 5, sent)).toEqual(slowedDown);
});

test('a guesser’s own device, a forged one or a changed one opens no other account', async ({
  backend,
  signIn,
  newAccount,
  fail,
}) => {
  const email = await newAccount();
  const { cookies } = await signIn(await newAccount(), password, { from: '192.0.2.1' });
  const real = cookies.a_device_tara ?? '';
  const changed = real.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  const session = cookies.a_session_tara ?? '';
  await fail(email, 3, { from: '192.0.2.1' });
  for (const token of [real, changed, session, 'x', '{"id":"a"}']) {
    const headers = { cookie: `a_device_tara=${encodeURIComponent(token)}` };
    expect((await signIn(email, password, { from: '192.0.2.1', headers })).status).toBe(429);
  }
  // The token signs nobody in.
  const { statusCode } = await backend.app.inject({
    url: '/v1/account',
    headers: { cookie: `a_session_tara=${real}`, 'x-appwrite-session': real },
  });
  expect(statusCode).toBe(401);
});

test('a device knows several accounts, also where the browser refuses our cookies', async ({
  backend,
  signIn,
  newAccount,
  fail,
}) => {
  const [first, second] = [await newAccount(), await newAccount()];
  const origin = friendlyOrigin;
  const sent = (fallback: unknown) => ({
    from: '192.0.2.2',
    headers: { origin, 'x-fallback-cookies': String(fallback) },
  });
  const one = await signIn(first, password, sent('[]'));
  const two = await signIn(second, password, sent(one.fallback));
  const out = await backend.app.inject({
    method: 'DELETE',
    url: '/v1/account/sessions/current',
    headers: { origin, 'x-fallback-cookies': String(two.fallback) },
  });
  // Apps take anything else for a session that goes on.
  expect(out.headers['x-fallback-cookies']).toBe('[]');
  for (const email of [first, second]) {
    await fail(email, 5, { from: '192.0.2.2' });
    expect((await signIn(email, password, sent(two.fallback))).status).toBe(201);
  }
  const odd = JSON.stringify({
    a_session_tara: JSON.parse(String(one.fallback)).a_session_tara,
    a_device_tara: '\u4e2d\n',
  });
  const ended = await backend.app.inject({
    method: 'DELETE',
    url: '/v1/account/sessions/current',
    headers: { origin, 'x-fallback-cookies': Buffer.from(odd).toString('latin1') },
  });
  expect([ended.statusCode, ended.headers['x-fallback-cookies']]).toEqual([204, '[]']);
});

test('guesses from many networks slow each other down, and never a device that signed in before', async ({
  backend,
  signIn,
  newAccount,
  fail,
}) => {
  const email = await newAccount();
  const { cookies } = await signIn(email, password);
  for (let failures = 0; failures < 99; failures++) await backend.limits.guesses.byEmail.begin(email);
  // What begins with a network's first tries goes on with the wait of all.
  const useUp = async (network: number) => {
    for (let tries = 0; tries < firstTries.byNetwork; tries++)
      await backend.limits.firstTriesByNetwork.consume(`${email} ${wideAddressKey(`10.${network}.0.1`)}`);
  };
  const answers = [];
  for (let network = 0; network < 4; network++) {
    await useUp(network);
    answers.push(...(await fail(email, 1, { from: `10.${network}.0.1` })));
  }
  expect(answers).toEqual([
    [401, 1],
    [401, 1],
    [429, 2],
    [429, 4],
  ]);
  await useUp(200);
  expect((await signIn(email, password, { from: '10.200.0.1' })).status).toBe(429);
  expect((await signIn(email, password, { headers: withDevice(cookies) })).status).toBe(201);
});

test('strangers who guess in other networks without a pause do not keep an owner out, on whatever device (threat-password-guessing)', async ({
  backend,
  signIn,
  newAccount,
  fail,
}) => {
  const email = await newAccount();
  const { guesses, firstTriesByEmail } = backend.limits;
  // The turn of this email is always taken.
  for (let failures = 0; failures < 150; failures++) await guesses.byEmail.begin(email).catch(() => {});
  await fail(email, 6, { from: '10.1.0.1' });
  expect((await signIn(email, password, { from: '10.1.1.1' })).status).toBe(201);
  expect((await signIn(email, 'a typing error', { from: '10.1.2.1' })).status).toBe(401);
  for (let tries = 0; tries < firstTries.byEmail; tries++) await firstTriesByEmail.allows(email);
  // Not without bound: somebody has as many networks.
  const answer = await signIn(email, password, { from: '10.1.3.1' });
  expect([answer.status, answer.body.text]).toEqual([429, expect.stringContaining('a link that we mail')]);
});

test('a thief of a session cannot guess the password, nor keep the owner from changing it (threat-password-guessing)', async ({
  backend,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const thief = (await signIn(email, password, { from: '192.0.2.3' })).body.secret ?? '';
  const owner = (await signIn(email, password, { from: '192.0.2.3' })).body.secret ?? '';
  const change = async (secret: string, oldPassword: string) => {
    const { statusCode, headers } = await backend.app.inject({
      method: 'PATCH',
      url: '/v1/account/password',
      headers: { 'x-appwrite-session': secret },
      payload: { password: 'another long password', oldPassword },
      remoteAddress: '192.0.2.3',
    });
    return [statusCode, Number(headers['retry-after'] ?? 0)];
  };
  const answers = [];
  for (let tries = 0; tries < 5; tries++) answers.push(await change(thief, 'not the password'));
  expect(answers).toEqual(slowedDown);
  expect(await change(thief, password)).toEqual([429, 32]);
  expect(await change(owner, password)).toEqual([200, 0]);
});

test('strangers keep an owner out for a minute at most, and the answer points to the mailed link (threat-password-guessing)', async ({
  backend,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const { byEmail, byEmailAndAddress, byEmailAndNetwork } = backend.limits.guesses;
  for (let tries = 0; tries < firstTries.byEmail; tries++)
    await backend.limits.firstTriesByEmail.consume(email);
  const keys = [
    [byEmail, email],
    [byEmailAndAddress, `${email} ${addressKey(home)}`],
    [byEmailAndNetwork, `${email} ${wideAddressKey(home)}`],
  ] as const;
  for (const [limit, key] of keys) {
    for (let failures = 0; failures < 150; failures++) {
      await limit.begin(key).then(
        (one) => one.fail(),
        () => {},
      );
    }
    const answer = await signIn(email, password);
    expect([answer.status, answer.body.text]).toEqual([429, expect.stringContaining('a link that we mail')]);
    expect(answer.retryAfter).toBeLessThanOrEqual(60);
  }
});

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

test('whoever began an account with an email that they do not read clears nothing of its mailbox (threat-codes-and-links)', async ({
  backend,
  post,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const { body } = await signIn(email, password);
  const headers = { 'x-appwrite-session': body.secret ?? '' };
  for (let sent = 0; sent < 19; sent++) await backend.limits.messagesFromStrangers.allows(email);
  const changed = await backend.app.inject({
    ...{ method: 'PATCH', url: '/v1/account/password', headers },
    payload: { password: 'another good one', oldPassword: password },
  });
  expect(changed.statusCode).toBe(200);
  await post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from: elsewhere });
  const mail = await backend.lastMailTo(email);
  expect(mail?.subject).toBe(lastConfirmation);
  // Nor is the link void by what that person does then.
  const again = await backend.app.inject({
    ...{ method: 'PATCH', url: '/v1/account/password', headers },
    payload: { password: 'a third good one', oldPassword: 'another good one' },
  });
  expect(again.statusCode).toBe(200);
  const link = linkOf(mail).searchParams;
  const [userId, mailed] = [link.get('userId'), link.get('secret')];
  const claim = { userId, secret: mailed, password: 'the owner’s own word' };
  expect((await post('/api/account/claim', claim)).status).toBe(200);
  expect((await signIn(email, 'the owner’s own word')).status).toBe(201);
});

test('an account that passed to another email leaves the last link of the first to whoever begins one with it (threat-codes-and-links)', async ({
  backend,
  post,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const headers = { 'x-appwrite-session': (await signIn(email, password)).body.secret ?? '' };
  for (let sent = 0; sent < 19; sent++) await backend.limits.messagesFromStrangers.allows(email);
  await post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from: elsewhere });
  expect((await backend.lastMailTo(email))?.subject).toBe(lastConfirmation);
  const moved = await backend.app.inject({
    ...{ method: 'PATCH', url: '/v1/account/email', headers },
    payload: { email: `${newId()}@example.com`, password },
  });
  expect(moved.statusCode).toBe(200);
  await backend.mails();
  await post('/v1/account', { userId: 'unique()', email, password }, { from: elsewhere });
  expect((await backend.lastMailTo(email))?.subject).toBe(lastConfirmation);
});

test('whoever got in by a mailed code may be sent mails again (threat-password-guessing)', async ({
  backend,
  connection,
  post,
  newAccount,
}) => {
  const email = await newAccount();
  await connection.sql`update accounts set email_verified_at = now() where email = ${email}`;
  await post('/v1/account/tokens/email', { userId: 'unique()', email });
  const code = /\d{6}/.exec((await backend.lastMailTo(email))?.text ?? '')?.[0] ?? '';
  for (let sent = 0; sent < 19; sent++) await backend.limits.messagesFromStrangers.allows(email);
  const recover = () =>
    post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from: elsewhere });
  await recover();
  expect((await backend.lastMailTo(email))?.subject).toBe('Your way into Tara for today');
  const [challenge] = await connection.sql`select reference from challenges where email = ${email}`;
  const entered = await post('/v1/account/sessions/token', { userId: challenge?.reference, secret: code });
  expect(entered.status).toBe(201);
  await recover();
  expect((await backend.lastMailTo(email))?.subject).toBe('Set a new password for Tara');
});

test('a full mailbox keeps nobody from beginning an account: its confirmation is the last link, once (threat-codes-and-links)', async ({
  backend,
  connection,
  post,
  signIn,
}) => {
  const email = `${newId()}@example.com`;
  for (let network = 0; network < 25; network++) {
    const [url, payload] = Object.values(messages)[network % 3]?.(email) ?? [];
    await post(url as string, payload as object, { from: `10.12.${network}.1` });
  }
  // Where no account has the email, nobody is let in by the last link.
  expect((await backend.mails()).map(({ subject }) => subject)).not.toContain(lastConfirmation);
  await post('/v1/account', { userId: 'unique()', email, password }, { from: elsewhere });
  const secret = (await signIn(email, password)).body.secret ?? '';
  const headers = { 'x-appwrite-session': secret };
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
  signIn,
  newAccount,
}) => {
  const phone = '+639170000123';
  const statuses = [];
  for (let one = 0; one < 3; one++) {
    const secret = (await signIn(await newAccount(), password)).body.secret ?? '';
    const headers = { 'x-appwrite-session': secret };
    const { $id } = await readAccount(backend, secret);
    const changed = await backend.app.inject({
      ...{ method: 'PATCH', url: '/v1/account/phone', headers, payload: { phone, password } },
    });
    expect(changed.statusCode).toBe(200);
    for (let sent = 0; sent < 9; sent++) {
      await backend.limits.verificationByAccount.clear($id);
      statuses.push((await post('/v1/account/verification/phone', {}, { headers })).status);
    }
  }
  expect(statuses).toEqual([...Array(10).fill(201), ...Array(17).fill(429)]);
});

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

test.for(Object.entries(messages))(
  'strangers at many addresses do not keep %s from a device that signed in before (threat-codes-and-links)',
  async ([, request], { backend, connection, post, signIn, newAccount }) => {
    const email = await newAccount();
    await connection.sql`update accounts set email_verified_at = now() where email = ${email}`;
    const { cookies } = await signIn(email, password);
    const other = (await signIn(await newAccount(), password)).cookies;
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

test('a new password by mail is not delayed by earlier guesses', async ({
  backend,
  post,
  signIn,
  newAccount,
  fail,
}) => {
  const email = await newAccount();
  await fail(email, 12);
  await post('/v1/account/recovery', { email, url: `${friendlyOrigin}/reset-password` }, { from: elsewhere });
  const [mail] = await backend.mails();
  const [, userId, secret] = /userId=(\w+)&secret=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  const reset = await backend.app.inject({
    method: 'PUT',
    url: '/v1/account/recovery',
    payload: { userId, secret, password: 'another long password' },
    remoteAddress: home,
  });
  const cookies = Object.fromEntries(reset.cookies.map(({ name, value }) => [name, value]));
  expect((await signIn(email, 'another long password', { headers: withDevice(cookies) })).status).toBe(201);
});

test('right passwords of an account are limited, in all of the calls that take one (threat-starvation)', async ({
  backend,
  post,
  signIn,
  newAccount,
}) => {
  const email = await newAccount();
  const { body, cookies } = await signIn(email, password);
  const session = { 'x-appwrite-session': body.secret ?? '' };
  const confirm = (word: string) =>
    post('/api/account/confirmPassword', { password: word }, { headers: session });
  for (let count = 0; count < 10; count++) expect((await confirm(password)).status).toBe(200);
  for (let count = 0; count < 9; count++) {
    expect((await signIn(email, password, { headers: withDevice(cookies) })).status).toBe(201);
  }
  expect((await confirm(password)).status).toBe(200);
  expect((await confirm(password)).status).toBe(429);
  expect((await signIn(email, password, { headers: withDevice(cookies) })).status).toBe(429);
  const changed = await backend.app.inject({
    method: 'PATCH',
    url: '/v1/account/password',
    headers: session,
    payload: { password: 'another good one', oldPassword: password },
  });
  expect(changed.statusCode).toBe(429);
  // A device that is new is counted by its address.
  expect((await signIn(email, password, { from: elsewhere })).status).toBe(201);
});

test('right passwords of many members on new devices use up nothing of their address (threat-shared-addresses)', async ({
  signIn,
  newAccount,
}) => {
  const from = '192.0.2.44';
  const emails = await Promise.all(Array.from({ length: 10 }, () => newAccount()));
  const signInAll = () => Promise.all(emails.map((email) => signIn(email, password, { from })));
  for (let round = 0; round < 8; round++)
    expect(new Set((await signInAll()).map(({ status }) => status))).toEqual(new Set([201]));
});

test('right passwords of one account on new devices are counted by address beyond twenty a minute (threat-shared-addresses)', async ({
  signIn,
  newAccount,
}) => {
  const [from, email] = ['192.0.2.45', await newAccount()];
  const statuses: number[] = [];
  for (let count = 0; count < 81; count++) statuses.push((await signIn(email, password, { from })).status);
  expect(statuses).toEqual([...Array(80).fill(201), 429]);
});
