import { timingSafeEqual } from 'node:crypto';
import { nowMs } from '@tara/contract/clock';
import type { FileCredential } from '../../platform/http/viewer.ts';
import type { Sealer } from '../../platform/seal.ts';

const purpose = 'file token';

/** ms for which all tokens of a session and a file are the same: a browser keeps a picture by its address. */
export const fileTokenPeriodMs = 12 * 3600_000;

/** The period of a moment, in the form of a token. */
const periodOf = (now: number) => Math.floor(now / fileTokenPeriodMs);

const signatureOf = (sealer: Sealer, period: string, sessionId: string, bucketId: string, fileId: string) =>
  sealer.sign(purpose, [period, sessionId, bucketId, fileId].join('\n'));

/**
 * What reads one file for one session, in the file's address: a page of another site cannot send our cookie with a
 * picture. It lives until the end of the next period, 12 to 24 hours, and no longer than its session.
 * @param now epoch ms.
 */
export function makeFileToken(
  sealer: Sealer,
  { sessionId, bucketId, fileId }: { sessionId: string; bucketId: string; fileId: string },
  now = nowMs(),
): string {
  const period = periodOf(now).toString(36);
  const signature = signatureOf(sealer, period, sessionId, bucketId, fileId);
  return `${period}.${sessionId}.${signature.toString('base64url')}`;
}

/** The session of a token; null when it is not one of ours for this file, or too old. */
export function readFileToken(
  sealer: Sealer,
  { token, bucketId, fileId }: FileCredential,
  now = nowMs(),
): string | null {
  const [period = '', sessionId = '', signature = '', ...rest] = token.split('.');
  const age = periodOf(now) - Number.parseInt(period, 36);
  if (rest.length > 0 || !(age === 0 || age === 1)) return null;
  const expected = signatureOf(sealer, period, sessionId, bucketId, fileId);
  const sent = Buffer.from(signature, 'base64url');
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? sessionId : null;
}

/** A token as `makeFileToken` writes it. */
const tokenText = '[\\da-z]{1,8}\\.[\\w-]{1,36}\\.[\\w-]{43}';
const asOnlyParameter = new RegExp(`\\?token=${tokenText}(?![&\\w-])`, 'g');
const asFirstParameter = new RegExp(`\\?token=${tokenText}&`, 'g');
/** Also in an address that is a parameter of another. */
const anywhere = new RegExp(`(&token=)?(?:(?<![\\w.-])|(?<=3[dD]))${tokenText}(?![\\w-])`, 'g');

/**
 * A value that a client sends, without the file tokens in its texts: addresses of pictures are sent back with the
 * documents that they came in, and a token must reach nobody but the member whom it was made for.
 */
export function withoutFileTokens(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(asOnlyParameter, '').replace(asFirstParameter, '?').replace(anywhere, '');
  if (Array.isArray(value)) return value.map(withoutFileTokens);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutFileTokens(inner)]));
}
