import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const nonceLength = 12;
const tagLength = 16;

/** Bytes that sealing adds: a nonce and a tag before the content. */
export const sealLength = nonceLength + tagLength;

/** Encrypts with AES-256-GCM; only who names the same `context` can open it. */
export function seal(key: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(context));
  const secret = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), secret]);
}

/** @throws Error when it was changed, or sealed with another key or context. */
export function unseal(key: Uint8Array, sealed: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(nonceLength, sealLength));
  return Buffer.concat([decipher.update(sealed.subarray(sealLength)), decipher.final()]);
}

/** Seals values that leave the process: jobs in the database, cookies. */
export interface Sealer {
  /** The value as encrypted text; what is sealed for one purpose opens for no other. */
  seal(purpose: string, value: object): string;
  /** The value again, or undefined when the text is not one that this key sealed for this purpose. */
  open(purpose: string, text: string): unknown;
  /** HMAC-SHA-256 of the content, with the key of the purpose. */
  sign(purpose: string, content: string | Uint8Array): Buffer;
}

/** A sealer with a key of its own for each purpose, derived from `key` (32 bytes) by HKDF. */
export function openSealer(key: Buffer): Sealer {
  const keys = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const known = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
    keys.set(purpose, known);
    return known;
  };
  return {
    seal: (purpose, value) =>
      seal(derive(purpose), Buffer.from(JSON.stringify(value)), purpose).toString('base64url'),
    open: (purpose, text) => {
      const sealed = Buffer.from(text, 'base64url');
      if (sealed.length < sealLength) return undefined;
      try {
        return JSON.parse(unseal(derive(purpose), sealed, purpose).toString());
      } catch {
        // Changed, or sealed with another key.
        return undefined;
      }
    },
    sign: (purpose, content) => createHmac('sha256', derive(purpose)).update(content).digest(),
  };
}
