import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum difference between a delivery's time and ours, in seconds; older deliveries are replays. */
export const SIGNATURE_TOLERANCE_S = 300;

export type SignedDelivery = {
  /** The `Paymongo-Signature` header. */
  header: string | undefined | null;
  /** The unparsed body. */
  rawBody: Uint8Array | string;
  /** The webhook's `secret_key`. */
  secret: string;
  /** The current time in ms. */
  now: number;
  /** Whether live-mode deliveries are expected; the other mode's signature is ignored. */
  live: boolean;
};

/** Whether a delivery was signed with our webhook's secret within the last five minutes. Never throws. */
export function verifySignature({ header, rawBody, secret, now, live }: SignedDelivery): boolean {
  if (!header || !secret) return false;
  const parts = new Map<string, string>();
  for (const pair of header.split(',')) {
    const separator = pair.indexOf('=');
    const name = pair.slice(0, separator).trim();
    // The provider never repeats a name.
    if (separator < 1 || parts.has(name)) return false;
    parts.set(name, pair.slice(separator + 1).trim());
  }
  const time = parts.get('t') ?? '';
  const signature = parts.get(live ? 'li' : 'te') ?? '';
  if (!/^\d{1,12}$/.test(time) || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  if (Math.abs(now / 1000 - Number(time)) > SIGNATURE_TOLERANCE_S) return false;
  return timingSafeEqual(digest(secret, time, rawBody), Buffer.from(signature, 'hex'));
}

/** Creates the `Paymongo-Signature` header of a delivery as the provider does. `now` in ms. */
export function signDelivery({ rawBody, secret, now, live }: Omit<SignedDelivery, 'header'>): string {
  const time = String(Math.floor(now / 1000));
  const mac = digest(secret, time, rawBody).toString('hex');
  return live ? `t=${time},te=,li=${mac}` : `t=${time},te=${mac},li=`;
}

function digest(secret: string, time: string, rawBody: Uint8Array | string): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
}
