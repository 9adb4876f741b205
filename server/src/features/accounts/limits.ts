import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { addressKey } from '../../platform/http/client-address.ts';
import {
  type Counting,
  countInMemory,
  exceeded,
  isRefusal,
  limitByAddress,
  limitByKey,
  type OpenCounter,
  type RateLimit,
} from '../../platform/http/rate-limits.ts';
import { accounts } from './tables.ts';

/** Seconds after which everybody may try again, where others may have failed: they keep nobody out for longer. */
const longestSharedWait = 60;
/** The same where only the one who waits has failed. */
const longestOwnWait = 300;

interface GuessLimitOptions {
  /** Failures without a wait. */
  free: number;
  /** How long failures count, from the first of them. */
  seconds: number;
  /** Seconds to wait after the n-th failure: 1, 2, 4 … up to so many. */
  longestWait: number;
}

/** One guess under way: it counts as a failure until it turns out to be none. */
interface Guess {
  /** Resolves to the seconds until the next guess is taken. */
  fail(): Promise<number>;
  /** It was right: the failures of its key are forgotten. */
  succeed(): Promise<void>;
  /** It was never tried. */
  withdraw(): Promise<void>;
}

/** Slows guesses of a secret down, by key: after each failure the next guess is refused for a growing time. */
export interface GuessLimit {
  /**
   * Begins a guess. Beyond the free ones only one of a key is under way at a time. A guess during the wait is refused
   * at once, and lengthens the wait up to its longest.
   * @throws Problem `general_rate_limit_exceeded` with the seconds to wait
   */
  begin(key: string): Promise<Guess>;
}

const noGuess: Guess = { fail: async () => 0, succeed: async () => {}, withdraw: async () => {} };

/** A limit that is counted in memory unless said otherwise; none at all when `enabled` is false. */
export function limitGuesses(
  enabled: boolean,
  { free, seconds, longestWait }: GuessLimitOptions,
  { open, name }: Counting = { open: countInMemory, name: '' },
): GuessLimit {
  if (!enabled) return { begin: async () => noGuess };
  const waitAfter = (count: number) => (count < 1 ? 0 : Math.min(longestWait, 2 ** (count - 1)));
  /** After so many failures the wait grows no longer. */
  const steps = Math.ceil(Math.log2(longestWait)) + 1;
  const failures = open(`${name} failures`, { points: free, seconds });
  /** Held by the guess under way, then blocked for the wait. */
  const turns = open(`${name} turns`, { points: 1, seconds: longestWait });

  const refuse = async (key: string, count: number, msLeft: number) => {
    if (count > steps) {
      await failures.reward(key);
      return exceeded(msLeft);
    }
    await turns.block(key, waitAfter(count));
    return exceeded(waitAfter(count) * 1000);
  };

  return {
    async begin(key) {
      const { consumedPoints } = await failures.penalty(key);
      const slowed = consumedPoints > free;
      if (slowed) {
        try {
          await turns.consume(key);
        } catch (reason) {
          throw isRefusal(reason) ? await refuse(key, consumedPoints - free, reason.msBeforeNext) : reason;
        }
      }
      return {
        async fail() {
          const wait = waitAfter(((await failures.get(key))?.consumedPoints ?? 0) - free);
          if (wait > 0) await turns.block(key, wait);
          return wait;
        },
        async succeed() {
          await failures.delete(key);
          await turns.delete(key);
        },
        async withdraw() {
          await failures.reward(key);
          if (slowed) await turns.delete(key);
        },
      };
    },
  };
}

/**
 * Makes one guess that counts under several limits at once; `retryAfter` is the longest wait after a wrong one, seconds.
 * @throws Problem `general_rate_limit_exceeded`, without trying the guess, when one of the limits refuses it
 */
export async function guess(
  limits: readonly (readonly [GuessLimit, string])[],
  isRight: () => Promise<boolean>,
): Promise<{ right: boolean; retryAfter?: number }> {
  const begun: Guess[] = [];
  try {
    for (const [limit, key] of limits) begun.push(await limit.begin(key));
    if (await isRight()) {
      for (const one of begun) await one.succeed();
      return { right: true };
    }
  } catch (error) {
    for (const one of begun) await one.withdraw();
    throw error;
  }
  const retryAfter = Math.max(0, ...(await Promise.all(begun.map((one) => one.fail()))));
  return { right: false, ...(retryAfter > 0 ? { retryAfter } : {}) };
}

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
  /** Guesses by one session: a thief's do not delay the owner's other sessions. */
  bySession: GuessLimit;
  /** Guesses of codes of the second factor, which only who has the password can make. */
  codesBySession: GuessLimit;
  /** Bounds those of a thief who signs in again and again. */
  codesByAccount: GuessLimit;
}

function guessLimits(enabled: boolean, open: OpenCounter): GuessLimits {
  const limit = (name: string, options: GuessLimitOptions) =>
    limitGuesses(enabled, options, { open, name: `guesses ${name}` });
  const own = { free: 0, seconds: 6 * hour, longestWait: longestOwnWait };
  // A carrier puts thousands of phones behind one address: also there the failures may be a stranger's.
  const shared = { seconds: hour, longestWait: longestSharedWait };
  return {
    byEmailAndAddress: limit('byEmailAndAddress', { ...own, longestWait: longestSharedWait }),
    byEmailAndNetwork: limit('byEmailAndNetwork', { ...shared, free: 20 }),
    byEmail: limit('byEmail', { ...shared, free: 100 }),
    byDevice: limit('byDevice', own),
    bySession: limit('bySession', own),
    codesBySession: limit('codesBySession', own),
    codesByAccount: limit('codesByAccount', { ...own, free: 5 }),
  };
}

/** Tries of one email in a day that wait for no other network's failures, two of each network. */
export const firstTries = { byNetwork: 2, byEmail: 1_000 };

/** Rate limits for sign-in, sign-up, recovery and mails. By address they leave room for a school or an office behind one. */
export interface AccountLimits {
  /**
   * Wrong passwords on unknown devices, whatever their email. Right ones count until they turn out to be right, and
   * those beyond `newDevicesByAccount` for ever.
   */
  signInByAddress: RateLimit;
  /** Right passwords of an account on unknown devices that its address is not charged for. */
  newDevicesByAccount: RateLimit;
  /**
   * Right passwords of an account that no address is counted for, since each costs a hash. Wrong ones are not counted:
   * they use up nothing of the owner's.
   */
  passwordsByAccount: RateLimit;
  guesses: GuessLimits;
  /** By email and network: an owner's first tries do not wait for those who guess elsewhere without a pause. */
  firstTriesByNetwork: RateLimit;
  /** Bounds first tries of ever new networks. */
  firstTriesByEmail: RateLimit;
  signUpByAddress: RateLimit;
  /** Keeps a burst of sign-ups from delaying the sign-ins of its neighbours, which wait for the same turns. */
  signUpBurstByAddress: RateLimit;
  recoveryByAddress: RateLimit;
  /** By email and address: a stranger uses up nobody's own requests. */
  recoveryByEmail: RateLimit;
  phoneByAddress: RateLimit;
  /** By phone and address: a stranger uses up nobody's own requests. */
  phoneByNumber: RateLimit;
  /**
   * Codes and links to one email or phone from callers that it does not know, of all kinds together; more are not sent,
   * and the reply does not reveal it. Each code can be guessed five times.
   */
  messagesFromStrangers: RateLimit;
  /** By account and email: the last mail of those that strangers ask for, whose link works until they may ask for more. */
  lastLinkByAccount: RateLimit;
  /** Bounds those of accounts that somebody begins with the email of another, one after the other. */
  lastLinksByEmail: RateLimit;
  /** The same from one device that signed in to the account before: strangers use up nothing of it. */
  messagesFromDevice: RateLimit;
  anonymousByAddress: RateLimit;
  magicUrlByAddress: RateLimit;
  /** By email and address: a stranger uses up nobody's own requests. */
  magicUrlByEmail: RateLimit;
  /** Sign-ins that begin at another provider. */
  oauthByAddress: RateLimit;
  /** Wrong tries of a sent secret; right ones count while they are under way. */
  secretByAddress: RateLimit;
  /** Tries of a sent secret, by its receiver and the client's address: a stranger uses up nobody else's tries. */
  secretByReference: RateLimit;
  tokensByAccount: RateLimit;
  extensionsByAccount: RateLimit;
  sessionEndsByAccount: RateLimit;
  verificationByAccount: RateLimit;
  /** Codes that confirm one phone, of all accounts that name it: not those that sign in, which strangers use up. */
  phoneVerificationsByNumber: RateLimit;
  /** Confirmation links that are mailed because a call was refused without one. */
  remindersByAccount: RateLimit;
  /** Changes of email and phone, whose answer reveals whether another account has them. */
  contactByAccount: RateLimit;
  /** By signed-in account; strangers who know the username do not use it up. */
  resendByAccount: RateLimit;
  resendByAddress: RateLimit;
  /** By address and username, so that the answer reveals nothing about the username. */
  resendByUsername: RateLimit;
}

/** The limits of one server, or with a shared counter of all nodes; none at all when `enabled` is false. */
export function accountLimits(enabled: boolean, open: OpenCounter = countInMemory): AccountLimits {
  const byAddress = (name: keyof AccountLimits, points: number, seconds: number) =>
    limitByAddress(enabled, { points, seconds }, { open, name });
  const byKey = (name: keyof AccountLimits, points: number, seconds: number) =>
    limitByKey(enabled, { points, seconds }, { open, name });
  return {
    signInByAddress: byAddress('signInByAddress', 60, minute),
    newDevicesByAccount: byKey('newDevicesByAccount', 20, minute),
    passwordsByAccount: byKey('passwordsByAccount', 20, minute),
    guesses: guessLimits(enabled, open),
    firstTriesByNetwork: byKey('firstTriesByNetwork', firstTries.byNetwork, 24 * hour),
    firstTriesByEmail: byKey('firstTriesByEmail', firstTries.byEmail, 24 * hour),
    signUpByAddress: byAddress('signUpByAddress', 600, hour),
    signUpBurstByAddress: byAddress('signUpBurstByAddress', 60, minute),
    recoveryByAddress: byAddress('recoveryByAddress', 60, hour),
    recoveryByEmail: byKey('recoveryByEmail', 5, hour),
    phoneByAddress: byAddress('phoneByAddress', 20, hour),
    phoneByNumber: byKey('phoneByNumber', 5, hour),
    messagesFromStrangers: byKey('messagesFromStrangers', 19, 24 * hour),
    lastLinkByAccount: byKey('lastLinkByAccount', 1, 24 * hour),
    lastLinksByEmail: byKey('lastLinksByEmail', 5, 24 * hour),
    messagesFromDevice: byKey('messagesFromDevice', 20, 24 * hour),
    anonymousByAddress: byAddress('anonymousByAddress', 600, hour),
    magicUrlByAddress: byAddress('magicUrlByAddress', 300, hour),
    magicUrlByEmail: byKey('magicUrlByEmail', 5, hour),
    oauthByAddress: byAddress('oauthByAddress', 600, hour),
    secretByAddress: byAddress('secretByAddress', 60, hour),
    secretByReference: byKey('secretByReference', 10, hour),
    tokensByAccount: byKey('tokensByAccount', 120, minute),
    extensionsByAccount: byKey('extensionsByAccount', 10, hour),
    sessionEndsByAccount: byKey('sessionEndsByAccount', 100, hour),
    verificationByAccount: byKey('verificationByAccount', 10, hour),
    phoneVerificationsByNumber: byKey('phoneVerificationsByNumber', 10, 24 * hour),
    remindersByAccount: byKey('remindersByAccount', 1, hour),
    contactByAccount: byKey('contactByAccount', 10, hour),
    resendByAccount: byKey('resendByAccount', 1, minute),
    resendByAddress: byAddress('resendByAddress', 60, hour),
    resendByUsername: byKey('resendByUsername', 1, minute),
  };
}

/** Counts a sign-up. @throws Problem `general_rate_limit_exceeded` */
export async function limitSignUp(
  { signUpBurstByAddress, signUpByAddress }: AccountLimits,
  ip: string,
): Promise<void> {
  await signUpBurstByAddress.consume(ip);
  await signUpByAddress.consume(ip);
}

/**
 * Tries a secret that was sent to `userId`; `use` throws for a wrong one.
 * @throws Problem `general_rate_limit_exceeded`, and as `use`
 */
export async function trySecret<Result>(
  { secretByAddress, secretByReference }: AccountLimits,
  ip: string,
  userId: string,
  use: () => Promise<Result>,
): Promise<Result> {
  await secretByAddress.consume(ip);
  await secretByReference.consume(`${userId} ${addressKey(ip)}`);
  const result = await use();
  await secretByAddress.refund(ip);
  return result;
}

/** What is sent to a receiver: what was asked for, in its place the last link of the day where it was not sent yet, or nothing. */
export type Sending = 'asked' | 'lastLink' | 'none';

/**
 * Counts a code or a link to an email or a phone, and decides whether it is sent. Once strangers had their share, a link
 * follows that works until they have the next: they cannot keep an owner from getting in by mail.
 * @param deviceId of a device that signed in before to the account of this receiver; null for any other caller.
 */
export async function chooseSending(
  { messagesFromDevice, messagesFromStrangers }: AccountLimits,
  receiver: string,
  deviceId: string | null,
): Promise<Sending> {
  if (deviceId !== null)
    return (await messagesFromDevice.allows(`${deviceId} ${receiver}`)) ? 'asked' : 'none';
  return (await messagesFromStrangers.allows(receiver)) ? 'asked' : 'lastLink';
}

/**
 * Forgets what strangers had sent to the confirmed email of an account, whose owner got in by a mail or set a new password: that
 * voids the last link. Who never confirmed the email may not be its owner.
 */
export async function clearMessages(
  { messagesFromStrangers, lastLinkByAccount, lastLinksByEmail }: AccountLimits,
  database: Database,
  accountId: string,
): Promise<void> {
  const [account] = await database
    .select({ email: accounts.email })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNotNull(accounts.emailVerifiedAt)));
  if (!account?.email) return;
  await messagesFromStrangers.clear(account.email);
  await lastLinkByAccount.clear(lastLinkKey({ id: accountId, email: account.email }));
  await lastLinksByEmail.clear(account.email);
}

/** An account that passes to another email gets the last link of that one. */
const lastLinkKey = ({ id, email }: { id: string; email: string }) => `${id} ${email}`;

/** Counts a last link, if it is to be mailed; `forget` takes that back where it was not. */
export async function countLastLink(
  { lastLinkByAccount, lastLinksByEmail }: Pick<AccountLimits, 'lastLinkByAccount' | 'lastLinksByEmail'>,
  account: { id: string; email: string },
): Promise<{ isSent: boolean; forget(): Promise<void> }> {
  const key = lastLinkKey(account);
  const isSent = (await lastLinkByAccount.allows(key)) && (await lastLinksByEmail.allows(account.email));
  const forget = async () => {
    await lastLinkByAccount.clear(key);
    await lastLinksByEmail.refund(account.email);
  };
  return { isSent, forget };
}
