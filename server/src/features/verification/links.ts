import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../platform/files/encrypted.ts';

/** ms for which a link to an identity picture opens it. */
export const linkLifetime = 5 * 60_000;

/** Makes and checks links to identity pictures; a link opens for the one account it was made for. */
export interface Links {
  /** Address of the picture, good until five minutes from `now` (ms). */
  make(fileId: string, accountId: string, now?: number): Promise<string>;
  isGood(
    link: { fileId: string; until: number; signature: string },
    accountId: string,
    now?: number,
  ): Promise<boolean>;
}

/** Links signed with a key of their own, derived from the documents key; a rotation leaves those of before good. */
export function openLinks(keys: Keyring | Buffer): Links {
  const readKeys: Keyring = typeof keys === 'function' ? keys : async () => [keys];
  const sign = (documentsKey: Buffer, fileId: string, until: number, accountId: string) => {
    const key = Buffer.from(hkdfSync('sha256', documentsKey, '', 'links to identity pictures', 32));
    return createHmac('sha256', key)
      .update(JSON.stringify([fileId, until, accountId]))
      .digest();
  };
  return {
    async make(fileId, accountId, now = Date.now()) {
      const until = now + linkLifetime;
      const [current] = await readKeys();
      const signature = sign(current, fileId, until, accountId).toString('base64url');
      return `/api/verification/picture/${fileId}?until=${until}&signature=${signature}`;
    },
    async isGood({ fileId, until, signature }, accountId, now = Date.now()) {
      if (until < now) return false;
      const received = Buffer.from(signature, 'base64url');
      return (await readKeys()).some((key) => {
        const right = sign(key, fileId, until, accountId);
        return received.length === right.length && timingSafeEqual(received, right);
      });
    },
  };
}
