import { newId } from '../../platform/ids.ts';
import { backendTest, type TestBackend } from './backend.ts';

/** Tests of the limits of accounts: calls of a whole backend, each from an address. */
export const test = backendTest({ RATE_LIMITS: 'on' })
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
  })
  /** The header of a new session. */
  .extend('session', { scope: 'file' }, ({ signIn }) => async (email: string, from = home) => ({
    'x-appwrite-session': (await signIn(email, password, { from })).body.secret ?? '',
  }));

/** Of the accounts of these tests. */
export const password = 'correct horse battery';
/** Where calls come from unless another address is given. */
export const home = '203.0.113.7';
export const elsewhere = '198.51.100.9';

interface Sent {
  from?: string;
  headers?: Record<string, string>;
}
/** The header of the device that got these cookies. */
export const withDevice = (cookies: Record<string, string>) => ({
  cookie: `a_device_tara=${cookies.a_device_tara ?? 'none'}`,
});
/** The account of a session. */
export const readAccount = async ({ app }: TestBackend, secret: string) =>
  (await app.inject({ url: '/v1/account', headers: { 'x-appwrite-session': secret } })).json<{
    $id: string;
  }>();
