import { addressKey } from '../../platform/http/client-address.ts';
import { limitByAddress, limitByKey, type RateLimit } from '../../platform/http/rate-limits.ts';
import { type GuessLimit, limitGuesses } from './guesses.ts';

const minute = 60;
const hour = 3600;

/**
 * Failed guesses of passwords. On an unknown device they count by email with the address, with its network, and alone;
 * a device that signed in before counts only its own.
 */
interface GuessLimits {
  byEmailAndAddress: GuessLimit;
  byEmailAndNetwork: GuessLimit;
  /** Bounds guesses that come from many networks; no single one reaches it. */
  byEmail: GuessLimit;
  byDevice: GuessLimit;
  /** Guesses of who holds a session: a thief's do not slow the owner's other sessions down. */
  bySession: GuessLimit;
}

function guessLimits(enabled: boolean): GuessLimits {
  const own = { free: 0, seconds: 6 * hour };
  return {
    byEmailAndAddress: limitGuesses(enabled, own),
    byEmailAndNetwork: limitGuesses(enabled, { free: 20, seconds: hour }),
    byEmail: limitGuesses(enabled, { free: 100, seconds: hour }),
    byDevice: limitGuesses(enabled, own),
    bySession: limitGuesses(enabled, own),
  };
}

/** Rate limits for sign-in, sign-up, recovery and mails. By address they leave room for a school or an office behind one. */
export interface AccountLimits {
  /** Sign-ins on unknown devices, whatever their email. */
  signInByAddress: RateLimit;
  /**
   * Right passwords of an account that no address is counted for, since each costs a hash. Wrong ones are not counted:
   * they use up nothing of the owner's.
   */
  passwordsByAccount: RateLimit;
  guesses: GuessLimits;
  signUpByAddress: RateLimit;
  recoveryByAddress: RateLimit;
  /** By email and address: a stranger uses up nobody's own requests. */
  recoveryByEmail: RateLimit;
  phoneByAddress: RateLimit;
  /** By phone and address: a stranger uses up nobody's own requests. */
  phoneByNumber: RateLimit;
  /** Texts to one phone, whoever asks; each code can be guessed five times. The reply does not tell. */
  phoneTexts: RateLimit;
  /** Codes to one email, whoever asks; each can be guessed five times. The reply does not tell. */
  emailCodes: RateLimit;
  anonymousByAddress: RateLimit;
  magicUrlByAddress: RateLimit;
  /** By email and address: a stranger uses up nobody's own requests. */
  magicUrlByEmail: RateLimit;
  /** Mails to one email, whoever asks: more are not sent, and the reply does not tell. */
  magicUrlMails: RateLimit;
  /** Sign-ins that begin at another provider. */
  oauthByAddress: RateLimit;
  /** Tries of a mailed secret, which has 256 random bits. */
  secretByAddress: RateLimit;
  /** Tries of a sent secret, by who it was sent to with the address: a stranger uses up nobody's own tries. */
  secretByReference: RateLimit;
  tokensByAccount: RateLimit;
  extensionsByAccount: RateLimit;
  sessionEndsByAccount: RateLimit;
  verificationByAccount: RateLimit;
  /** Of who is signed in; strangers who know the username do not use it up. */
  /** Changes of email and phone, whose answer tells whether another account has them. */
  contactByAccount: RateLimit;
  resendByAccount: RateLimit;
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
    passwordsByAccount: byKey(20, minute),
    guesses: guessLimits(enabled),
    signUpByAddress: byAddress(100, hour),
    recoveryByAddress: byAddress(60, hour),
    recoveryByEmail: byKey(5, hour),
    phoneByAddress: byAddress(20, hour),
    phoneByNumber: byKey(5, hour),
    phoneTexts: byKey(20, 24 * hour),
    emailCodes: byKey(20, 24 * hour),
    anonymousByAddress: byAddress(50, hour),
    magicUrlByAddress: byAddress(60, hour),
    magicUrlByEmail: byKey(5, hour),
    magicUrlMails: byKey(20, hour),
    oauthByAddress: byAddress(50, hour),
    secretByAddress: byAddress(60, hour),
    secretByReference: byKey(10, hour),
    tokensByAccount: byKey(120, minute),
    extensionsByAccount: byKey(10, hour),
    sessionEndsByAccount: byKey(100, hour),
    verificationByAccount: byKey(10, hour),
    contactByAccount: byKey(10, hour),
    resendByAccount: byKey(1, minute),
    resendByAddress: byAddress(60, hour),
    resendByUsername: byKey(1, minute),
  };
}

/** Counts a try of a secret that was sent to `userId`. @throws Problem `general_rate_limit_exceeded` */
export async function limitTries(
  { secretByAddress, secretByReference }: AccountLimits,
  ip: string,
  userId: string,
): Promise<void> {
  await secretByAddress.consume(ip);
  await secretByReference.consume(`${userId} ${addressKey(ip)}`);
}
