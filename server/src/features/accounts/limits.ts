import { limitByAddress, limitByKey, type RateLimit } from '../../platform/http/rate-limits.ts';

const minute = 60;
const hour = 3600;

/** Rate limits for sign-in, sign-up, recovery and mails. By address they leave room for a school or an office behind one. */
export interface AccountLimits {
  signInByAddress: RateLimit;
  /** Failures only: a success clears them. By e-mail, known or not. */
  signInByEmail: RateLimit;
  signUpByAddress: RateLimit;
  recoveryByAddress: RateLimit;
  recoveryByEmail: RateLimit;
  /** Tries of a mailed secret, of the old password, by address. */
  secretByAddress: RateLimit;
  /** Failures to confirm the password, by session: a thief's tries do not lock the owner's other devices out. */
  passwordBySession: RateLimit;
  verificationByAccount: RateLimit;
  resendByAddress: RateLimit;
  /** By address and username, so that the answer tells nothing of the username. */
  resendByUsername: RateLimit;
}

/** The limits of one server; none at all when `enabled` is false. */
export function accountLimits(enabled: boolean): AccountLimits {
  const byAddress = (points: number, seconds: number) => limitByAddress(enabled, { points, seconds });
  const byKey = (points: number, seconds: number) => limitByKey(enabled, { points, seconds });
  return {
    signInByAddress: byAddress(60, minute),
    signInByEmail: byKey(10, 15 * minute),
    signUpByAddress: byAddress(100, hour),
    recoveryByAddress: byAddress(60, hour),
    recoveryByEmail: byKey(5, hour),
    secretByAddress: byAddress(60, hour),
    passwordBySession: byKey(10, 15 * minute),
    verificationByAccount: byKey(10, hour),
    resendByAddress: byAddress(60, hour),
    resendByUsername: byKey(1, minute),
  };
}
