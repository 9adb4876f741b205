import * as z from 'zod';
import { newId } from '../../platform/ids.ts';
import type { Sealer } from '../../platform/seal.ts';

/** A browser that signed in before. Guesses that others make do not slow it down for its accounts. */
export interface Device {
  id: string;
  /** The accounts that signed in on it, latest first. */
  accountIds: string[];
}

const purpose = 'device';
/** Browsers forget a cookie after 400 days. */
const lifetimeMs = 400 * 24 * 3600_000;
const maxAccounts = 5;

const SealedDevice = z.object({ id: z.string(), accountIds: z.array(z.string()), until: z.number() });

/** Reads a device token; null when it is not one of ours, or too old. */
export function readDevice(sealer: Sealer, token: string | null): Device | null {
  const device = SealedDevice.safeParse(token === null ? undefined : sealer.open(purpose, token));
  return device.success && device.data.until > Date.now() ? device.data : null;
}

/** The token of a device that now knows `accountId` too. It signs nobody in. */
export function deviceToken(
  sealer: Sealer,
  device: Device | null,
  accountId: string,
): { token: string; expiresAt: Date } {
  const others = (device?.accountIds ?? []).filter((id) => id !== accountId);
  const until = Date.now() + lifetimeMs;
  const accountIds = [accountId, ...others].slice(0, maxAccounts);
  const token = sealer.seal(purpose, { id: device?.id ?? newId(), accountIds, until });
  return { token, expiresAt: new Date(until) };
}
