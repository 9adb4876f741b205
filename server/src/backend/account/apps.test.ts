import { describe, expect } from 'vitest';
import { sdk13, sdk27, withBrowsers } from '../../testing/backend/account-sdk.ts';
import { backendTest, friendlyOrigin, linkOf } from '../../testing/backend/backend.ts';
import { newPerson, oauthTest, success, typeOf } from '../../testing/backend/oauth.ts';
import { addMember } from '../../testing/features/sessions.ts';

const base = backendTest();

describe.each([sdk13, sdk27])('a page of another origin with $name', ({ open: openSdk }) => {
  const test = withBrowsers(base, openSdk);

  test('keeps `[]` after it signed out, by which apps know that nobody is signed in', async ({
    backend,
    connection,
  }) => {
    const { secret } = await addMember(connection);
    const reply = await backend.app.inject({
      method: 'DELETE',
      url: '/v1/account/sessions/current',
      headers: {
        origin: friendlyOrigin,
        'x-fallback-cookies': JSON.stringify({ a_session_tara: secret, a_device_tara: 'x' }),
      },
    });
    expect([reply.statusCode, reply.headers['x-fallback-cookies']]).toEqual([204, '[]']);
  });
});

base('an empty session cookie does not hide the fallback cookies', async ({ backend, connection }) => {
  const { secret } = await addMember(connection);
  const reply = await backend.app.inject({
    method: 'GET',
    url: '/v1/account',
    headers: {
      origin: friendlyOrigin,
      cookie: 'a_session_tara=',
      'x-fallback-cookies': JSON.stringify({ a_session_tara: secret }),
    },
  });
  expect(reply.statusCode).toBe(200);
});

base('a link is mailed without a page, and with a phrase that the mail shows', async ({ backend }) => {
  const email = 'phrase@example.com';
  const ask = async (path: string, body: object, origin?: string) => {
    const reply = await backend.app.inject({
      method: 'POST',
      url: `/v1/account/tokens/${path}`,
      headers: origin === undefined ? {} : { origin },
      payload: { userId: 'unique()', email, ...body },
    });
    expect(reply.statusCode).toBe(201);
    return { phrase: reply.json().phrase as string, mail: await backend.lastMailTo(email) };
  };
  const link = await ask('magic-url', {});
  expect(link.phrase).toBe('');
  expect(linkOf(link.mail).href).toMatch(/^http:\/\/localhost:3000\/sign-in\?userId=/);
  expect(linkOf((await ask('magic-url', {}, friendlyOrigin)).mail).origin).toBe(friendlyOrigin);
  for (const path of ['magic-url', 'email']) {
    const { phrase, mail } = await ask(path, { phrase: true });
    expect(phrase).toMatch(/^[A-Z][a-z]+ [a-z]+$/);
    expect(mail?.text).toContain(phrase);
    expect(mail?.html).toContain(phrase);
    expect((await ask(path, { phrase: false })).mail?.text).not.toContain('shows the words');
  }
});

base('PHP’s empty list is an object without fields', async ({ backend, connection }) => {
  const { secret } = await addMember(connection);
  const send = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    backend.app.inject({ method, url, payload, headers: { 'x-appwrite-session': secret } });
  expect((await send('POST', '/v1/account/jwts', [])).statusCode).toBe(201);
  const prefs = await send('PATCH', '/v1/account/prefs', { prefs: [] });
  expect([prefs.statusCode, prefs.json().prefs]).toEqual([200, {}]);
  const path = '/v1/databases/tara/collections/posts/documents';
  const created = await send('POST', path, { documentId: 'unique()', data: [] });
  expect(created.json().type).toBe('document_missing_data');
  // What has elements stays a list.
  expect((await send('PATCH', '/v1/account/prefs', { prefs: [1] })).statusCode).toBe(400);
});

base('the prefs of an account are at most 64 KB', async ({ backend, connection }) => {
  const { secret } = await addMember(connection);
  const statusWith = async (size: number) => {
    const payload = { prefs: { a: 'x'.repeat(size - '{"a":""}'.length) } };
    const headers = { 'x-appwrite-session': secret };
    return (await backend.app.inject({ method: 'PATCH', url: '/v1/account/prefs', payload, headers }))
      .statusCode;
  };
  expect([await statusWith(65_536), await statusWith(65_537)]).toEqual([200, 400]);
});

const mobile = oauthTest.extend('environment', { scope: 'file' }, { MOBILE_SIGN_IN: 'on' });
const callback = 'appwrite-callback-tara://';

/** What the SDKs for phones do: they open the address in the browser of the phone, and wait for theirs. */
const startPath = (path: string, query: Record<string, string>) =>
  `/v1/account/${path}/oauth2/oidc?${new URLSearchParams({ project: 'tara', ...query })}`;

describe('sign-in at a provider in an app of a phone', () => {
  mobile(
    'ends with key and secret, as Flutter’s SDK reads them, and leaves no session in the browser',
    async ({ backend, provider, consent, comeBack }) => {
      const queries: Record<string, string>[] = [{}, { success: callback, failure: callback }];
      for (const query of queries) {
        provider.person = newPerson();
        const phone = sdk13.open(backend.url);
        const begun = await phone.visit(backend.url + startPath('sessions', query));
        expect(begun.status).toBe(302);
        const answer = await comeBack(phone, await consent(begun.headers.get('location') ?? ''));
        const end = new URL(answer.headers.get('location') ?? '');
        expect(end.href).toMatch(`${callback}?`);
        expect([...phone.cookies.keys()]).not.toContain('a_session_tara');
        // The SDK keeps them as a cookie of the endpoint.
        const { key = '', secret = '' } = Object.fromEntries(end.searchParams);
        const who = await fetch(`${backend.url}/v1/account`, { headers: { cookie: `${key}=${secret}` } });
        expect(await who.json()).toMatchObject({ email: provider.person.email });
      }
    },
  );

  mobile(
    'hands React Native’s SDK a token for the address that it names',
    async ({ backend, provider, consent, comeBack }) => {
      provider.person = newPerson();
      const phone = sdk27.open(backend.url);
      const begun = await phone.visit(backend.url + startPath('tokens', { success: `${callback}home` }));
      const answer = await comeBack(phone, await consent(begun.headers.get('location') ?? ''));
      const end = new URL(answer.headers.get('location') ?? '');
      expect(end.href).toMatch(`${callback}home?userId=`);
      const { userId = '', secret = '' } = Object.fromEntries(end.searchParams);
      const session = await fetch(`${backend.url}/v1/account/sessions/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userId, secret }),
      });
      expect(session.status).toBe(201);
    },
  );

  mobile(
    'leads to no other scheme and to no other project, and pages are led to pages (threat-provider-sign-ins)',
    async ({ backend, provider, consent, comeBack }) => {
      for (const page of [
        'appwrite-callback-other://',
        'evil://',
        'appwrite-callback-tara.evil://',
        'javascript:1',
      ]) {
        const reply = await fetch(backend.url + startPath('sessions', { success: page }), {
          redirect: 'manual',
        });
        expect(await typeOf(reply)).toEqual([400, 'general_argument_invalid']);
      }
      provider.person = newPerson();
      const browser = sdk13.open(backend.url);
      const begun = await browser.visit(backend.url + startPath('sessions', {}), {
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      const answer = await comeBack(browser, await consent(begun.headers.get('location') ?? ''));
      expect(answer.headers.get('location')).toBe(`${backend.platform.config.publicUrl}/`);
    },
  );

  oauthTest(
    'is refused unless MOBILE_SIGN_IN is on, and nothing ends there by itself (threat-provider-sign-ins)',
    async ({ backend, provider, consent, comeBack }) => {
      for (const field of ['success', 'failure']) {
        const address = backend.url + startPath('sessions', { success, [field]: callback });
        const reply = await fetch(address, { redirect: 'manual' });
        expect(await typeOf(reply)).toEqual([400, 'general_argument_invalid']);
      }
      provider.person = newPerson();
      const phone = sdk13.open(backend.url);
      const begun = await phone.visit(backend.url + startPath('sessions', {}));
      const answer = await comeBack(phone, await consent(begun.headers.get('location') ?? ''));
      expect(answer.headers.get('location')).toBe(`${backend.platform.config.publicUrl}/`);
    },
  );
});
