import { recentPasswordMs } from '@tara/contract/limits';
import { Problem } from '../problem.ts';

/** The caller of a request, read from the session; policies decide by it. */
export interface Viewer {
  accountId: string;
  profileId: string;
  sessionId: string;
  /** When this session last showed the account's password, by signing in or confirming it. */
  passwordShownAt: Date;
  name: string;
  email: string;
  emailVerified: boolean;
  /** Identity accepted by an admin (§4). */
  verified: boolean;
  /** Agreed to the present terms and said to be at least 18. */
  hasConsented: boolean;
  admin: boolean;
  /** When the account is deleted, unless it is kept before; null for everybody who stays. */
  deletesAt: Date | null;
  /** Until then the viewer reads and does not write; null when not suspended. May have passed. */
  suspendedUntil: Date | null;
  /** Members hidden from the viewer, and from whom the viewer is hidden: one of the two blocked the other. */
  hiddenProfileIds: readonly string[];
  /** Their accounts. */
  hiddenAccountIds: readonly string[];
  /** Members whose posts, comments and reviews the viewer muted. */
  mutedProfileIds: readonly string[];
}

const manilaDate = new Intl.DateTimeFormat('en-PH', { dateStyle: 'long', timeZone: 'Asia/Manila' });

/**
 * Keeps a suspended member from writing.
 * @param now epoch ms.
 * @throws Problem `user_suspended` with the date of its end.
 */
export function requireNotSuspended(
  { suspendedUntil }: Pick<Viewer, 'suspendedUntil'>,
  now = Date.now(),
): void {
  if (suspendedUntil === null || suspendedUntil.getTime() <= now) return;
  const text = `until ${manilaDate.format(suspendedUntil)} you can read, and end what is open`;
  throw new Problem('user_suspended', { text });
}

/**
 * Keeps who never agreed to the present terms from offering and requesting plans.
 * @throws Problem `account_consent_missing`
 */
export function requireConsent({ hasConsented }: Pick<Viewer, 'hasConsented'>): void {
  if (!hasConsented) throw new Problem('account_consent_missing');
}

/**
 * Guards what a stolen session must not do: payouts, identity pictures, where payouts go.
 * @param now epoch ms.
 * @throws Problem `user_recent_password_required` when the password was shown more than 15 minutes ago.
 */
export function requireRecentPassword(viewer: Pick<Viewer, 'passwordShownAt'>, now = Date.now()): void {
  if (now - viewer.passwordShownAt.getTime() > recentPasswordMs)
    throw new Problem('user_recent_password_required');
}

/**
 * Finds the viewer of a session's secret or of a JSON web token; null for an unknown or expired one. `ip` is the address
 * that sends it, where nothing else limits how many it tries.
 * @throws Problem `general_rate_limit_exceeded`
 */
export type ResolveViewer = (credential: string, ip?: string) => Promise<Viewer | null>;
