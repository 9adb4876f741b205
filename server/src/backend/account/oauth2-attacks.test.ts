import { nowDate, nowMs } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { accounts, oauthStates } from '../../features/accounts/tables.ts';
import { sdk13 } from '../../testing/backend/account-sdk.ts';
import { friendlyOrigin, startBackend } from '../../testing/backend/backend.ts';
import {
  errorOf,
  failure,
  guest,
  newPerson,
  success,
  oauthAttackTest as test,
  typeOf,
} from '../../testing/backend/oauth.ts';
import { clientKeys } from '../../testing/backend/oauth-provider.ts';

const badState = [400, 'user_oauth2_bad_request'];

test('open redirect: a sign-in ends at no stranger’s page (threat-provider-sign-ins)', async ({
  backend,
  database,
  browser,
}) => {
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

test('login CSRF: another’s answer opened in one’s browser signs in to nothing (threat-provider-sign-ins)', async ({
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

test('state fixation: a state that a page chose, or another browser began, is refused (threat-provider-sign-ins)', async ({
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

test('an answer works once and for ten minutes, and its cookie is out of reach of scripts (threat-provider-sign-ins)', async ({
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
  await database.update(oauthStates).set({ expiresAt: nowDate() });
  expect(await typeOf(await comeBack(ana, late))).toEqual(badState);
  const begun = await ana.visit(ana.location.href);
  expect(begun.headers.getSetCookie()[0]).toMatch(
    /^a_oauth_tara=.+; Path=\/; Expires=.+; HttpOnly; SameSite=Lax$/,
  );
  expect(begun.headers.get('cache-control')).toBe('no-store');
});

test('code replay and injection: a code is good for the flow that asked for it alone (threat-provider-sign-ins)', async ({
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

test('mix-up: the answer of one provider is not taken for another’s (threat-provider-sign-ins)', async ({
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

test('an id token that is forged, old, or for another client, issuer or sign-in is refused (threat-provider-sign-ins)', async ({
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
    [{ exp: Math.floor(nowMs() / 1000) - 3600 }, false],
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

test('whoever got in at a provider that confirmed the email may be sent mails again (threat-password-guessing)', async ({
  backend,
  browser,
  provider,
  signIn,
}) => {
  provider.person = newPerson();
  const cleared = vi.spyOn(backend.limits.messagesFromStrangers, 'clear');
  await signIn(browser());
  expect(cleared.mock.calls).toContainEqual([provider.person.email]);
  cleared.mockRestore();
});

test('the sign-ins that a stranger begins are limited (threat-provider-sign-ins)', async ({
  connection,
  provider,
}) => {
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
    await backend.limits.oauthByAddress.charge('127.0.0.1', 590);
    for (let begun = 0; begun < 10; begun++) statuses.add((await ana.visit(address)).status);
    expect([...statuses]).toEqual([302]);
    expect(await typeOf(await ana.visit(address))).toEqual([429, 'general_rate_limit_exceeded']);
  } finally {
    await backend.close();
  }
});
