import type { Attempts } from './attempts.ts';
import { countAttempts } from './attempts.ts';

const minute = 60;
const hour = 3600;

/** How often one may knock. Per address it must leave room for a school or an office behind one. */
export interface AccountLimits {
  signInByAddress: Attempts;
  /** Failures only: a success clears them. By e-mail, known or not. */
  signInByEmail: Attempts;
  signUpByAddress: Attempts;
  recoveryByAddress: Attempts;
  recoveryByEmail: Attempts;
  /** Tries of a mailed secret, of the old password, by address. */
  secretByAddress: Attempts;
  verificationByAccount: Attempts;
  resendByAddress: Attempts;
  /** By address and username, so that the answer tells nothing of the username. */
  resendByUsername: Attempts;
}

/** The limits of one server; none at all when `enabled` is false. */
export function accountLimits(enabled: boolean): AccountLimits {
  const at = (times: number, seconds: number) => countAttempts(enabled, times, seconds);
  return {
    signInByAddress: at(60, minute),
    signInByEmail: at(10, 15 * minute),
    signUpByAddress: at(100, hour),
    recoveryByAddress: at(60, hour),
    recoveryByEmail: at(5, hour),
    secretByAddress: at(60, hour),
    verificationByAccount: at(10, hour),
    resendByAddress: at(60, hour),
    resendByUsername: at(1, minute),
  };
}
