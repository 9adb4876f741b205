import { afterAll, describe, expect } from 'vitest';
import { accounts, sessions } from '../../features/accounts/tables.ts';
import { profiles } from '../../features/profiles/tables.ts';
import { newId } from '../../platform/ids.ts';
import {
  backendTest,
  friendlyOrigin,
  startBackend,
  type TestBackend,
} from '../../testing/backend/backend.ts';
import { addMember } from '../../testing/features/sessions.ts';

const test = backendTest()
  .extend(
    'ask',
    { scope: 'file' },
    ({ backend }) =>
      (path: string, init?: RequestInit) =>
        fetch(`${backend.url}${path}`, init),
  )
  .extend('newAccount', { scope: 'file' }, ({ ask }) => async () => {
    const email = `${newId()}@example.com`;
    await ask('/v1/account', json({ userId: 'unique()', email, password }));
    return email;
  });

const password = 'correct horse battery';
const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const typeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { type: string }).type,
];

test('gives the secret to a client that is not a browser, and to a browser only its cookie', async ({
  backend,
  ask,
  newAccount,
}) => {
  const email = await newAccount();
  const other = await ask('/v1/account/sessions/email', json({ email, password }));
  const { secret } = (await other.json()) as { secret: string };
  const mine = await ask('/v1/account', { headers: { 'x-appwrite-session': secret } });
  expect(await mine.json()).toMatchObject({ email });
  const browser = await ask('/v1/account/sessions/email', json({ email, password }, { origin: backend.url }));
  expect(await browser.json()).toMatchObject({ secret: '' });
  expect(browser.headers.get('x-fallback-cookies')).toBeNull();
  expect(browser.headers.get('set-cookie')).toMatch(/^a_session_tara=[\w-]{43}; .*HttpOnly; SameSite=Lax$/i);
});

test('the session that a header names is whose call it is (§7-service-session)', async ({
  connection,
  ask,
}) => {
  const { accountId, secret } = await addMember(connection);
  const headers = { 'x-appwrite-session': secret };
  expect(await (await ask('/v1/account', { headers })).json()).toMatchObject({ $id: accountId });
  expect((await ask('/v1/account')).status).toBe(401);
});

test('the backend service is below /v1 (§7-service-base)', async ({ connection, ask }) => {
  const { secret } = await addMember(connection);
  const headers = { 'x-appwrite-session': secret };
  const statuses = async (base: string) =>
    Promise.all(
      ['account', 'databases/tara/collections/users/documents'].map(
        async (path) => (await ask(`${base}/${path}`, { headers })).status,
      ),
    );
  expect(await statuses('/v1')).toEqual([200, 200]);
  expect(await statuses('')).toEqual([404, 404]);
});

test('returns the device of a session', async ({ ask, newAccount }) => {
  const email = await newAccount();
  const agent =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
  const response = await ask(
    '/v1/account/sessions/email',
    json({ email, password }, { 'user-agent': agent }),
  );
  expect(await response.json()).toMatchObject({
    osName: 'Android',
    clientName: 'Mobile Chrome',
    deviceName: 'smartphone',
    deviceModel: 'Pixel 8',
    ip: '127.0.0.1',
  });
});

test('refuses a closed account, at sign-in and in its sessions', async ({ connection, ask, newAccount }) => {
  const email = await newAccount();
  const member = await addMember(connection);
  await connection.sql`update accounts set blocked_at = now() where email in ${connection.sql([email, member.email])}`;
  expect(await typeOf(await ask('/v1/account/sessions/email', json({ email, password })))).toEqual([
    401,
    'user_blocked',
  ]);
  const wrong = await ask('/v1/account/sessions/email', json({ email, password: 'not the password' }));
  expect(await typeOf(wrong)).toEqual([401, 'user_invalid_credentials']);
  const inside = await ask('/v1/account', { headers: { 'x-appwrite-session': member.secret } });
  expect(inside.status).toBe(401);
});

test('answers a delete with 204, no body and no type', async ({ connection, ask }) => {
  const { secret } = await addMember(connection);
  const response = await ask('/v1/account/sessions', {
    method: 'DELETE',
    headers: { 'x-appwrite-session': secret, 'content-type': 'application/json' },
  });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    204,
    null,
    '',
  ]);
});

test.for([
  [
    'another project by header (§7-service-project)',
    { headers: { 'x-appwrite-project': 'other' } },
    '/v1/account',
    'project_not_found',
  ],
  ['another project by query', {}, '/v1/account?project=other', 'project_not_found'],
  ['an unknown path', {}, '/v1/account/nothing', 'general_route_not_found'],
  ['an unknown method', { method: 'PATCH' }, '/v1/account', 'general_route_not_found'],
] as const)('answers %s with 404', async ([_what, init, path, type], { ask }) => {
  expect(await typeOf(await ask(path, init))).toEqual([404, type]);
});

test('bad input is answered with message, status and type (§7-errors), and the field and rule', async ({
  ask,
}) => {
  const response = await ask('/v1/account', json({ userId: 'unique()', email: 'nobody', password: 'short' }));
  expect(await response.json()).toMatchObject({
    code: 400,
    message: expect.any(String),
    type: 'general_argument_invalid',
    fields: { email: 'Invalid email', password: 'Password must be at least 8 characters.' },
  });
  for (const body of ['', '{', '[]', 'null', '"text"', '{"email":1}']) {
    const bad = await ask('/v1/account/sessions/email', { ...json({}), body });
    expect([body, ...(await typeOf(bad))]).toEqual([body, 400, 'general_argument_invalid']);
  }
});

const form = { email: 'new@example.com', password, name: 'Ana Cruz', username: 'Ana 1' };
test.for([
  ['name', 'A', 'Too short'],
  ['name', 'A'.repeat(21), 'Too long'],
  ['name', 'Ana!', 'Name must contain only letters and numbers'],
  ['username', 'a', 'Too short'],
  ['username', 'a'.repeat(16), 'Too long'],
  ['username', 'ana_1', 'Username must contain only letters and numbers'],
  ['name', 'ａｄｍｉｎ', 'This name is reserved. Please choose another.'],
  ['username', 'Tаra', 'Username must contain only the letters a to z and numbers'],
  ['username', 'T4ra', 'This name is reserved. Please choose another.'],
  ['email', 'ana@', 'Invalid email'],
  ['password', '1234567', 'Password must be at least 8 characters.'],
] as const)(
  'a sign-up with %s %j is refused and stores nothing (threat-passing-for-staff)',
  async ([field, value, rule], { database, ask }) => {
    const stored = async () => [
      await database.$count(accounts),
      await database.$count(profiles),
      await database.$count(sessions),
    ];
    const before = await stored();
    const answer = await ask('/v1/account', json({ userId: 'unique()', ...form, [field]: value }));
    expect(await answer.json()).toMatchObject({
      code: 400,
      type: 'general_argument_invalid',
      fields: { [field]: rule },
    });
    expect(await stored()).toEqual(before);
  },
);

test('a sign-in against a rule is refused in its words and makes no session (§5-sign-in, §5-sign-in-password)', async ({
  database,
  ask,
}) => {
  const before = await database.$count(sessions);
  const wrong = { email: 'nobody', password: 'short' };
  const answer = await ask('/v1/account/sessions/email', json(wrong));
  expect(await answer.json()).toMatchObject({
    code: 400,
    fields: { email: 'Invalid email', password: 'Password must be at least 8 characters.' },
  });
  expect(await database.$count(sessions)).toBe(before);
});

test('lets two sign-ups with one email at once make one account, called User025 (§7-sign-up, §9-default-username)', async ({
  connection,
  ask,
}) => {
  const email = `${newId()}@example.com`;
  const attempts = Array.from({ length: 4 }, () =>
    ask('/v1/account', json({ userId: 'unique()', email, password })),
  );
  const codes = (await Promise.all(attempts)).map(({ status }) => status);
  expect(codes.toSorted()).toEqual([201, 409, 409, 409]);
  const rows =
    await connection.sql`select username from profiles join accounts a on a.id = account_id where email = ${email}`;
  expect(rows).toEqual([{ username: 'User025' }]);
});

/** Signs in, and reads with that session. */
const readAs = async (
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  email: string,
  path: string,
) => {
  const { secret } = (await (await ask('/v1/account/sessions/email', json({ email, password }))).json()) as {
    secret: string;
  };
  return (await ask(path, { headers: { 'x-appwrite-session': secret } })).json();
};

test('the profile of an account that was created by the backend service starts with User025, limitedPlan 5, totalPlan 0 and totalInteraction 0 (§9-start-limited-plan, §9-start-total-plan, §9-start-total-interaction, §3-user-profile-username, §3-user-profile-limited-plan, §3-user-profile-total-plan, §3-user-profile-total-interaction)', async ({
  ask,
  newAccount,
}) => {
  const email = await newAccount();
  expect(await readAs(ask, email, '/v1/databases/tara/collections/users/documents')).toMatchObject({
    total: 1,
    documents: [{ email, username: 'User025', limitedPlan: 5, totalPlan: 0, totalInteraction: 0 }],
  });
});

test('the profile of a sign-up has its username, and starts with limitedPlan 5, totalPlan 0 and totalInteraction 0 (§9-start-limited-plan, §9-start-total-plan, §9-start-total-interaction, §3-user-profile-limited-plan, §3-user-profile-total-plan, §3-user-profile-total-interaction)', async ({
  ask,
}) => {
  const email = `${newId()}@example.com`;
  const form = { name: 'Ana Cruz', username: 'ana', email, password, isAdult: true, acceptsTerms: true };
  expect((await ask('/api/account/signUp', json(form))).status).toBe(200);
  expect(await readAs(ask, email, '/api/account/session')).toMatchObject({
    profile: { name: 'Ana Cruz', username: 'ana', limitedPlan: 5, totalPlan: 0, totalInteraction: 0 },
  });
});

describe('from other sites', () => {
  test('lets a configured origin call, with its headers and its session', async ({ ask }) => {
    const preflight = await ask('/v1/account', {
      method: 'OPTIONS',
      headers: {
        origin: friendlyOrigin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, x-appwrite-project, x-fallback-cookies',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(friendlyOrigin);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-fallback-cookies');
    const refused = await ask('/v1/account', { headers: { origin: friendlyOrigin } });
    expect([refused.status, refused.headers.get('access-control-allow-credentials')]).toEqual([401, 'true']);
  });

  test('shows nothing to another session, and does nothing for it (threat-stolen-sessions)', async ({
    connection,
    ask,
  }) => {
    const origin = 'https://evil.example';
    const preflight = await ask('/v1/account', { method: 'OPTIONS', headers: { origin } });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const { secret } = await addMember(connection);
    const read = await ask('/v1/account', { headers: { origin, cookie: `a_session_tara=${secret}` } });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
    const write = await ask('/v1/account/sessions', {
      method: 'DELETE',
      headers: { origin, cookie: `a_session_tara=${secret}` },
    });
    expect(await typeOf(write)).toEqual([403, 'general_unknown_origin']);
  });

  test.for([
    ['http://10.evil.example', '10.evil.example'],
    ['https://localhost:3000', 'localhost:3000'],
    ['http://intranet', 'intranet'],
  ] as const)(
    'a page of %s cannot act with a member’s cookie, whatever Host it sends (threat-stolen-sessions)',
    async ([origin, host], { connection, backend }) => {
      const { secret } = await addMember(connection);
      const { statusCode } = await backend.app.inject({
        method: 'DELETE',
        url: '/v1/account/sessions',
        headers: { host, origin, cookie: `a_session_tara=${secret}` },
      });
      expect(statusCode).toBe(403);
    },
  );

  test('an attacker cannot have the mail of another’s recovery lead to a host that the request names (threat-mailed-links)', async ({
    backend,
    newAccount,
  }) => {
    const email = await newAccount();
    await backend.mails();
    for (const host of ['10.evil.example', '192.168.evil.example', '[2001:4860:4860::8888]', 'evil']) {
      const { statusCode } = await backend.app.inject({
        method: 'POST',
        url: '/v1/account/recovery',
        headers: { host },
        payload: { email, url: `http://${host}/reset` },
      });
      expect([host, statusCode]).toEqual([host, 400]);
    }
    expect(await backend.mails()).toEqual([]);
  });
});

describe('with limits', () => {
  let strict: TestBackend;
  test.beforeAll(async ({ connection }) => {
    strict = await startBackend(connection, { RATE_LIMITS: 'on' });
  });
  afterAll(() => strict.close());

  test.each([
    ['guess', '/v1/account/sessions/email', () => ({ password: 'not the password' })],
    ['recover', '/v1/account/recovery', () => ({ url: `${friendlyOrigin}/recover` })],
  ])(
    'F10: nobody gets to %s more often by changing addresses within a /64 (threat-password-guessing)',
    async (_what, url, form) => {
      const codes = await Promise.all(
        Array.from({ length: 75 }, async (_, index) => {
          const payload = { email: `${newId()}@example.com`, ...form() };
          const remoteAddress = `2001:db8:7:7::${index.toString(16)}`;
          return (await strict.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode;
        }),
      );
      expect(codes.filter((code) => code === 429)).toHaveLength(15);
    },
    60_000,
  );

  test('mails at most five recoveries an hour to one email', async () => {
    const email = `${newId()}@example.com`;
    const recover = () =>
      fetch(`${strict.url}/v1/account/recovery`, json({ email, url: `${friendlyOrigin}/recover` }));
    const codes: number[] = [];
    for (let tries = 0; tries < 6; tries++) codes.push((await recover()).status);
    expect(codes).toEqual([201, 201, 201, 201, 201, 429]);
  });
});
