import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** ms for which a link to an identity picture opens it. */
export const linkLifetime = 5 * 60_000;

/** Makes and checks links to identity pictures; a link opens for the one account it was made for. */
export interface Links {
  /** Address of the picture, good until five minutes from `now` (ms). */
  make(fileId: string, accountId: string, now?: number): string;
  isGood(
    link: { fileId: string; until: number; signature: string },
    accountId: string,
    now?: number,
  ): boolean;
}

/** Links signed with a key of their own, derived from the documents key. */
export function openLinks(documentsKey: Buffer): Links {
  const key = Buffer.from(hkdfSync('sha256', documentsKey, '', 'links to identity pictures', 32));
  const sign = (fileId: string, until: number, accountId: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([fileId, until, accountId]))
      .digest();
  return {
    make(fileId, accountId, now = Date.now()) {
      const until = now + linkLifetime;
      const signature = sign(fileId, until, accountId).toString('base64url');
      return `/api/verification/picture/${fileId}?until=${until}&signature=${signature}`;
    },
    isGood({ fileId, until, signature }, accountId, now = Date.now()) {
      const given = Buffer.from(signature, 'base64url');
      const right = sign(fileId, until, accountId);
      return until >= now && given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
