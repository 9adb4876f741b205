import type { BenchDatabase } from '../setup/database.ts';
import { type Attacker, memberAddress, secretIn, uploads } from './inputs.ts';
import { pictureForm, readPicture } from './pictures.ts';
import { ask, type Reply } from './send.ts';

const email = 'attacker@example.com';
const password = 'known to its owner';

/** Signs a member up who has a session, a device that is known, and a stored picture. */
export async function registerAttacker({ sql }: BenchDatabase, port: number): Promise<Attacker> {
  const post = async (path: string, body: Buffer | string, contentType: string, session = '') => {
    const headers = { ...memberAddress, 'content-type': contentType };
    const reply = await ask(port, path, {
      method: 'POST',
      headers: session === '' ? headers : { ...headers, 'x-appwrite-session': session },
      body,
    });
    if (reply.status !== 201) throw new Error(`${path} was answered with ${reply.status}: ${reply.text}`);
    return reply;
  };
  const json = (body: object) => [JSON.stringify(body), 'application/json'] as const;
  await post('/v1/account', ...json({ userId: 'unique()', email, password, name: 'Member' }));
  await sql`update accounts set email_verified_at = now() where email = ${email}`;
  const signedIn = await post('/v1/account/sessions/email', ...json({ email, password }));
  const session = secretIn(signedIn);
  const deviceCookie = deviceCookieOf(signedIn);
  if (session === undefined || deviceCookie === undefined) throw new Error('The sign-in opened no session.');
  const { body, contentType } = pictureForm(readPicture());
  const stored = await post(uploads, body, contentType, session);
  const fileId = /"\$id":"([^"]+)"/.exec(stored.text)?.[1];
  if (fileId === undefined) throw new Error('The upload has no id.');
  return { port, session, deviceCookie, email, password, fileId };
}

const deviceCookieOf = ({ headers }: Reply) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .find((cookie) => cookie?.includes('a_device_'));
