import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../platform/http/json.ts';
import type { Sealer } from '../../platform/seal.ts';

const purpose = 'jwt';

const Claims = z.object({ userId: z.string(), sessionId: z.string(), exp: z.number() });

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encode({ typ: 'JWT', alg: 'HS256' });

/** A JSON web token (HS256) that stands for a session for so many seconds. It is good for no longer than the session. */
export function makeJwt(
  sealer: Sealer,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  seconds: number,
): string {
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const signed = `${header}.${encode({ userId: accountId, sessionId, exp })}`;
  return `${signed}.${sealer.sign(purpose, signed).toString('base64url')}`;
}

/** Whether a credential has the form of a token; the secret of a session holds no dot. */
export const isJwt = (credential: string) => credential.includes('.');

/** The session that a token stands for; null when it is not one of ours, was changed, or is too old. */
export function readJwt(sealer: Sealer, jwt: string): string | null {
  const [first, payload = '', signature = '', ...rest] = jwt.split('.');
  // The header is compared whole: no token chooses how it is checked.
  if (first !== header || rest.length > 0) return null;
  const expected = sealer.sign(purpose, `${first}.${payload}`);
  const sent = Buffer.from(signature, 'base64url');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const claims = Claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()));
  return claims.success && claims.data.exp * 1000 > Date.now() ? claims.data.sessionId : null;
}
