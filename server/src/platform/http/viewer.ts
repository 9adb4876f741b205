import { nowMs } from '@tara/contract/clock';
import { recentPasswordMs, recentSecondFactorMs, secondFactorMs } from '@tara/contract/limits';
import { longDate } from '@tara/contract/philippine-time';
import type { ProblemType } from '@tara/contract/problems';
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
  /** The account has the admin label (§6). What that allows is `admin`. */
  hasAdminLabel: boolean;
  /** The account has set up a second factor. */
  hasSecondFactor: boolean;
  /** When this session last showed the second factor; null for never. */
  secondFactorShownAt: Date | null;
  /** Has the rights of an admin now: the label, and the second factor shown by this session within 12 hours. */
  readonly admin: boolean;
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

/**
 * Keeps a suspended member from writing.
 * @param now epoch ms.
 * @throws Problem `user_suspended` with the date of its end.
 */
export function requireNotSuspended({ suspendedUntil }: Pick<Viewer, 'suspendedUntil'>, now = nowMs()): void {
  if (suspendedUntil === null || suspendedUntil.getTime() <= now) return;
  const text = `until ${longDate(suspendedUntil)} you can read, and end what is open`;
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
export function requireRecentPassword(viewer: Pick<Viewer, 'passwordShownAt'>, now = nowMs()): void {
  if (now - viewer.passwordShownAt.getTime() > recentPasswordMs)
    throw new Problem('user_recent_password_required');
}

/** What of a viewer decides whether they are an admin now. */
type SecondFactorState = Pick<Viewer, 'hasAdminLabel' | 'hasSecondFactor' | 'secondFactorShownAt'>;

const isWithin = (ms: number, time: Date | null, now: number) => time !== null && now - time.getTime() <= ms;

/**
 * Why a viewer is refused what is for members: no confirmed email, or an account that is about to be deleted; null when it is
 * theirs.
 */
export function memberRefusal({
  emailVerified,
  deletesAt,
}: Pick<Viewer, 'emailVerified' | 'deletesAt'>): ProblemType | null {
  if (!emailVerified) return 'user_email_unverified';
  return deletesAt === null ? null : 'account_leaving';
}

/**
 * A viewer whose `admin` is read anew each time: an open socket loses the rights of an admin when the 12 hours are over.
 */
export function viewerOf(row: Omit<Viewer, 'admin'>): Viewer {
  return {
    ...row,
    get admin() {
      return (
        row.hasAdminLabel && row.hasSecondFactor && isWithin(secondFactorMs, row.secondFactorShownAt, nowMs())
      );
    },
  };
}

/** Keeps who is no admin, whatever their session showed, from calls about the second factor. @throws Problem `admin_only` */
export function requireAdminLabel({ hasAdminLabel }: Pick<Viewer, 'hasAdminLabel'>): void {
  if (!hasAdminLabel) throw new Problem('admin_only');
}

/** @throws Problem `admin_only` | `second_factor_setup_required` | the given one when it was not shown within so many ms */
function requireShown(viewer: SecondFactorState, ms: number, problem: ProblemType, now: number): void {
  requireAdminLabel(viewer);
  if (!viewer.hasSecondFactor) throw new Problem('second_factor_setup_required');
  if (!isWithin(ms, viewer.secondFactorShownAt, now)) throw new Problem(problem);
}

/**
 * Guards what admins do: a stolen password opens none of it.
 * @param now epoch ms.
 * @throws Problem `admin_only` | `second_factor_setup_required` | `second_factor_required`
 */
export function requireSecondFactor(viewer: SecondFactorState, now = nowMs()): void {
  requireShown(viewer, secondFactorMs, 'second_factor_required', now);
}

/**
 * Guards what admins decide, pay and look at closely: 15 minutes.
 * @param now epoch ms.
 * @throws Problem `admin_only` | `second_factor_setup_required` | `recent_second_factor_required`
 */
export function requireRecentSecondFactor(viewer: SecondFactorState, now = nowMs()): void {
  requireShown(viewer, recentSecondFactorMs, 'recent_second_factor_required', now);
}

/** The token in a file's address, and the file that the address names. */
export interface FileCredential {
  token: string;
  bucketId: string;
  fileId: string;
}

/**
 * Finds the viewer of a session's secret, of a JSON web token, or of the token in a file's address; null for an unknown or
 * expired one. `ip` is the address that sends it, where nothing else limits how many it tries. With `isRefused` a viewer whom another
 * node may have changed a moment ago is read anew.
 * @throws Problem `general_rate_limit_exceeded`
 */
export type ResolveViewer = (
  credential: string | FileCredential,
  ip?: string,
  isRefused?: boolean,
) => Promise<Viewer | null>;
