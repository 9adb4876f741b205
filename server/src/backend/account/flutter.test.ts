import { expect } from 'vitest';
import { backendTest } from '../../testing/backend/backend.ts';

const origin = 'appwrite-android://com.example.app';
const test = backendTest({ ALLOWED_ORIGINS: origin });

/** Sends as the Flutter SDK does on a device: with its package as origin, and the cookies of its own jar. */
function openApp(url: string, sentOrigin: string) {
  let cookie = '';
  return async (method: string, path: string, body?: object) => {
    const headers = {
      origin: sentOrigin,
      cookie,
      'x-appwrite-project': 'tara',
      'content-type': 'application/json',
    };
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const pairs = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    if (pairs.length > 0) cookie = pairs.join('; ');
    return { status: answer.status, body: (await answer.json()) as { type?: string; email?: string } };
  };
}

test('an app of an allowed package signs in and stays signed in by its cookie, another one is refused', async ({
  backend,
}) => {
  const email = 'ana@flutter.test';
  const password = 'correct horse battery';
  const app = openApp(backend.url, origin);
  expect((await app('POST', '/account', { userId: 'unique()', email, password })).status).toBe(201);
  expect((await app('POST', '/account/sessions/email', { email, password })).status).toBe(201);
  expect(await app('GET', '/account')).toMatchObject({ status: 200, body: { email } });
  expect((await app('PATCH', '/account/prefs', { prefs: { theme: 'dark' } })).status).toBe(200);
  const other = openApp(backend.url, 'appwrite-android://com.example.other');
  expect(await other('POST', '/account/sessions/email', { email, password })).toMatchObject({
    status: 403,
    body: { type: 'general_unknown_origin' },
  });
});
