import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { accounts, identities, oauthStates, sessions } from '../features/accounts/tables.ts';
import { newId } from '../platform/ids.ts';
import { refused, sdk13, sdk27 } from '../testing/account-sdk.ts';
import { friendlyOrigin, linkOf, startBackend } from '../testing/backend.ts';
import { errorOf, failure, newPerson, oauthTest, success } from '../testing/oauth.ts';
import { clientKeys } from '../testing/oauth-provider.ts';
import { addMember } from '../testing/sessions.ts';

const test = oauthTest.extend(
  'browser',
  ({ backend }) =>
    () =>
      sdk13.open(backend.url),
);

const badState = [400, 'user_oauth2_bad_request'];
const typeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { type: string }).type,
];
const guest = refused(401, 'general_unauthorized_scope');

test('open redirect: a sign-in ends at no stranger’s page', async ({ backend, database, browser }) => {
  const ana = browser();
  const before = await database.$count(oauthStates);
  for (const page of [
    'https://evil.example/',
    `${friendlyOrigin}@evil.example/`,
    `${friendlyOrigin}.evil.example/`,
    'http://app.test:81/',
    'http://user:word@app.test/',
    'javascript:alert(1)',
    '//evil.example',
    'app.test/welcome',
    'blob:http://app.test/1',
  ]) {
    for (const kind of ['sessions', 'tokens'])
      for (const field of ['success', 'failure']) {
        const query = new URLSearchParams({ project: 'tara', [field]: page });
        const answer = await ana.visit(`${backend.url}/v1/account/${kind}/oauth2/oidc?${query}`);
        expect([page, ...(await typeOf(answer))]).toEqual([page, 400, 'general_argument_invalid']);
      }
  }
  expect(await database.$count(oauthStates)).toBe(before);
});

test('login CSRF: another’s answer opened in one’s browser signs in to nothing', async ({
  provider,
  browser,
  begin,
  consent,
  comeBack,
}) => {
  const [thief, ana] = [browser(), browser()];
  provider.person = newPerson();
  const answer = await consent(await begin(thief));
  expect(await typeOf(await comeBack(ana, answer))).toEqual(badState);
  // Not even while a sign-in of one's own is under way, which goes on.
  provider.person = newPerson();
  const own = await consent(await begin(ana));
  expect(await typeOf(await comeBack(ana, answer))).toEqual(badState);
  await expect(ana.account.get()).rejects.toEqual(guest);
  expect((await comeBack(ana, own)).headers.get('location')).toBe(success);
});

test('state fixation: a state that a page chose, or another browser began, is refused', async ({
  backend,
  provider,
  browser,
  begin,
  consent,
  comeBack,
}) => {
  const [thief, ana] = [browser(), browser()];
  provider.person = newPerson();
  const chosen = new URL(await begin(ana));
  chosen.searchParams.set('state', 'chosen-by-a-stranger');
  expect(await typeOf(await comeBack(ana, await consent(chosen.href)))).toEqual(badState);
  // The victim signs in at the page that the thief's flow led to.
  const fixed = await consent(await begin(thief));
  expect(await typeOf(await comeBack(ana, fixed))).toEqual(badState);
  const path = `${backend.url}/v1/account/sessions/oauth2/callback/oidc`;
  for (const address of [`${path}/tara`, `${path}/tara?code=x`, `${path}/tara?state=&code=x`]) {
    expect(await typeOf(await ana.visit(address))).toEqual(badState);
  }
  expect(await typeOf(await ana.visit(`${path}/other?state=x&code=x`))).toEqual([404, 'project_not_found']);
  expect([...ana.cookies.keys()]).toEqual(['a_oauth_tara']);
});

test('an answer works once and for ten minutes, and its cookie is out of reach of scripts', async ({
  database,
  provider,
  browser,
  begin,
  consent,
  comeBack,
}) => {
  const ana = browser();
  provider.person = newPerson();
  const address = await begin(ana);
  const cookie = ana.cookies.get('a_oauth_tara') ?? '';
  const rows = JSON.stringify(await database.select().from(oauthStates));
  const state = new URL(address).searchParams.get('state') ?? '';
  for (const secret of [cookie, state]) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(rows).not.toContain(secret);
  }
  const answer = await consent(address);
  await comeBack(ana, answer);
  ana.cookies.set('a_oauth_tara', cookie);
  expect(await typeOf(await comeBack(ana, answer))).toEqual(badState);

  const late = await consent(await begin(ana));
  await database.update(oauthStates).set({ expiresAt: new Date() });
  expect(await typeOf(await comeBack(ana, late))).toEqual(badState);
  const begun = await ana.visit(ana.location.href);
  expect(begun.headers.getSetCookie()[0]).toMatch(
    /^a_oauth_tara=.+; Path=\/; Expires=.+; HttpOnly; SameSite=Lax$/,
  );
  expect(begun.headers.get('cache-control')).toBe('no-store');
});

test('code replay and injection: a code is good for the flow that asked for it alone', async ({
  provider,
  browser,
  begin,
  consent,
  comeBack,
}) => {
  const [ana, thief] = [browser(), browser()];
  provider.person = newPerson();
  const stolen = await consent(await begin(ana));
  const code = stolen.url.searchParams.get('code') ?? '';
  // The thief never lets Ana's browser bring the code, and puts it into a flow of their own.
  provider.person = newPerson();
  const own = await consent(await begin(thief));
  own.url.searchParams.set('code', code);
  const page = new URL((await comeBack(thief, own)).headers.get('location') ?? '');
  expect(errorOf(page)).toMatchObject({ type: 'user_oauth2_unauthorized' });
  await expect(thief.account.get()).rejects.toEqual(guest);
  // A second flow of the same browser cannot use it either.
  const again = await consent(await begin(ana));
  again.url.searchParams.set('code', code);
  const replayed = new URL((await comeBack(ana, again)).headers.get('location') ?? '');
  expect(errorOf(replayed)).toMatchObject({ type: 'user_oauth2_unauthorized' });
});

test('mix-up: the answer of one provider is not taken for another’s', async ({
  provider,
  browser,
  begin,
  consent,
  comeBack,
}) => {
  const ana = browser();
  provider.person = newPerson();
  const answer = await consent(await begin(ana));
  const elsewhere = { ...answer, url: new URL(answer.url.href.replace('/oidc/', '/google/')) };
  expect(await typeOf(await comeBack(ana, elsewhere))).toEqual(badState);
  answer.url.searchParams.set('iss', 'https://evil.example');
  const page = new URL((await comeBack(ana, answer)).headers.get('location') ?? '');
  expect(errorOf(page)).toMatchObject({ type: 'user_oauth2_bad_request', code: 400 });
  const right = await consent(await begin(ana));
  right.url.searchParams.set('iss', provider.url);
  expect((await comeBack(ana, right)).headers.get('location')).toBe(success);
});

test('an id token that is forged, old, or for another client, issuer or sign-in is refused', async ({
  database,
  provider,
  browser,
  signIn,
}) => {
  const person = newPerson();
  provider.person = person;
  for (const [claims, forges] of [
    [{}, true],
    [{ nonce: 'of-another-sign-in' }, false],
    [{ aud: 'another-client' }, false],
    [{ aud: ['tara-at-provider', 'another'], azp: 'another' }, false],
    [{ iss: 'https://evil.example' }, false],
    [{ exp: Math.floor(Date.now() / 1000) - 3600 }, false],
    [{ sub: '' }, false],
  ] as const) {
    for (const name of ['oidc', 'google', 'apple']) {
      Object.assign(provider, { claims, forges });
      try {
        const page = await signIn(browser(), name);
        expect([claims, errorOf(page)?.type]).toEqual([claims, 'user_oauth2_provider_error']);
      } finally {
        Object.assign(provider, { claims: {}, forges: false });
      }
    }
  }
  expect(await database.$count(accounts, eq(accounts.email, person.email))).toBe(0);
});

describe('an account that has the email', () => {
  const taken = {
    message: expect.stringMatching(/^This email already has an account\. - sign in to it as usual;/),
    type: 'user_email_already_exists',
    code: 409,
  };

  test('is joined when both emails are confirmed, and its owner hears of it', async ({
    backend,
    connection,
    provider,
    browser,
    signIn,
  }) => {
    const member = await addMember(connection);
    provider.person = newPerson({ email: member.email.toUpperCase() });
    const ana = browser();
    expect((await signIn(ana)).href).toBe(success);
    expect((await ana.account.get()).$id).toBe(member.accountId);
    const mails = await backend.mails();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [member.email, 'You can now sign in to Tara with 127.0.0.1'],
    ]);
  });

  test.for([
    ['the provider did not confirm its email', true, false],
    ['its own email is not confirmed', false, true],
    ['no email is confirmed', false, false],
  ] as const)(
    'takeover: is not joined when %s',
    async ([_why, own, isSaid], { connection, database, provider, browser, signIn }) => {
      const member = await addMember(connection, { emailVerified: own });
      provider.person = newPerson({ email: member.email, email_verified: isSaid });
      for (const name of ['oidc', 'github', 'facebook']) {
        const ana = browser();
        const page = await signIn(ana, name);
        expect(page.href).toMatch(failure);
        expect(errorOf(page)).toEqual(taken);
        await expect(ana.account.get()).rejects.toEqual(guest);
      }
      expect(await database.$count(identities, eq(identities.accountId, member.accountId))).toBe(0);
      expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(1);
    },
  );

  test.for(['a mailed link', 'a new password'] as const)(
    'takeover: made by a provider’s unconfirmed email goes to who reads its mail by %s, without that identity',
    async (way, { backend, database, provider, browser, signIn }) => {
      const email = `${newId()}@example.com`;
      const thiefs = newPerson({ email, email_verified: false });
      provider.person = thiefs;
      const thief = browser();
      await signIn(thief);
      const { $id } = await thief.account.get();
      await backend.mails();
      const ana = sdk27.open(backend.url);
      if (way === 'a mailed link') {
        const { userId } = await ana.account.mailLink('unique()', email);
        const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
        await ana.account.openLink(userId, secret);
      } else {
        await ana.account.recover(email, `${friendlyOrigin}/recover`);
        const secret = linkOf((await backend.mails()).at(-1)).searchParams.get('secret') ?? '';
        await ana.account.confirmRecovery($id, secret, 'correct horse battery');
        await ana.account.signIn(email, 'correct horse battery');
      }
      expect(await ana.account.get()).toMatchObject({ $id, emailVerification: true });
      await expect(thief.account.get()).rejects.toEqual(guest);
      expect(errorOf(await signIn(browser()))).toEqual(taken);
      expect(await database.$count(identities, eq(identities.providerUid, thiefs.sub))).toBe(0);
    },
  );

  test('is not the one of whoever is signed in: a sign-in never links to a session', async ({
    connection,
    database,
    provider,
    browser,
    signIn,
  }) => {
    const member = await addMember(connection);
    const ana = browser();
    ana.cookies.set('a_session_tara', member.secret);
    provider.person = newPerson();
    await signIn(ana);
    expect((await ana.account.get()).$id).not.toBe(member.accountId);
    expect(await database.$count(identities, eq(identities.accountId, member.accountId))).toBe(0);
  });

  test('stays closed when it is blocked', async ({ connection, database, provider, browser, signIn }) => {
    const member = await addMember(connection);
    provider.person = newPerson({ email: member.email });
    const isMember = eq(accounts.id, member.accountId);
    await database.update(accounts).set({ blockedAt: new Date() }).where(isMember);
    expect(errorOf(await signIn(browser()))).toMatchObject({ type: 'user_blocked' });
    expect(await database.$count(identities, and(eq(identities.accountId, member.accountId)))).toBe(0);
  });
});

test('a stranger cannot begin sign-ins without end', async ({ connection, provider }) => {
  const backend = await startBackend(connection, {
    RATE_LIMITS: 'on',
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: clientKeys.id,
    OIDC_CLIENT_SECRET: clientKeys.secret,
  });
  try {
    const ana = sdk13.open(backend.url);
    const query = new URLSearchParams({ project: 'tara', success, failure });
    const address = `${backend.url}/v1/account/sessions/oauth2/oidc?${query}`;
    const statuses = new Set<number>();
    for (let begun = 0; begun < 50; begun++) statuses.add((await ana.visit(address)).status);
    expect([...statuses]).toEqual([302]);
    expect(await typeOf(await ana.visit(address))).toEqual([429, 'general_rate_limit_exceeded']);
  } finally {
    await backend.close();
  }
});
