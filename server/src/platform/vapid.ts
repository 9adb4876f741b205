import { createECDH } from 'node:crypto';

/** The pair by which push services know that messages come from this server (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

function curveOf(privateKey: Buffer) {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  return curve;
}

/** Whether 32 bytes are a private key of P-256, as all but one of four billion are. */
export function isVapidKey(privateKey: Buffer): boolean {
  if (privateKey.length !== 32) return false;
  try {
    curveOf(privateKey);
    return true;
  } catch {
    return false;
  }
}

/** The pair of a private key. @throws Error when the bytes are none. */
export const vapidKeys = (privateKey: Buffer): VapidKeys => ({
  publicKey: curveOf(privateKey).getPublicKey('base64url'),
  privateKey: privateKey.toString('base64url'),
});
