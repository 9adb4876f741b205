import { expect } from 'vitest';
import { firstTries } from '../../features/accounts/limits.ts';
import { addressKey, wideAddressKey } from '../../platform/http/client-address.ts';
import { newId } from '../../platform/ids.ts';
import { friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import { elsewhere, home, password, test, withDevice } from '../../testing/backend/strangers.ts';

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
