import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import { Problem } from '../../platform/problem.ts';
import { commonPasswords } from './common-passwords.ts';

const derive = promisify(
  (parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
    void argon2('argon2id', parameters, done),
);

/** OWASP's least for argon2id: 19 MiB (in KiB here), two passes, one lane; about 30 ms. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };

/** At most two hashes at once, and on two cores one: requests of everyone else find a core and a thread free. */
const queue = new PQueue({ concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)) });
/** Waiting behind so many takes longer than a person waits: then it is better to say so. */
const longestQueue = 150;

function limitConcurrency<Result>(work: () => Promise<Result>): Promise<Result> {
  if (queue.size >= longestQueue) throw new Problem('general_unavailable', { retryAfter: 5 });
  return queue.add(work);
}

/** The same letters typed on another keyboard give the same bytes. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));
const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Hashes a password for storage, as a PHC string. @throws Problem `general_unavailable` when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await limitConcurrency(() =>
    derive({ ...cost, message: bytesOf(password), nonce, tagLength: 32 }),
  );
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(key)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** What an unknown e-mail is compared with, so that it takes as long as a known one. No password has this key. */
const nobodysHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(randomBytes(16))}$${text(randomBytes(32))}`;

/** Whether the password is the stored one. Without a stored one it takes as long and says no. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, key] = phc.exec(stored ?? nobodysHash) ?? [];
  if (nonce === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64');
  const matches = await limitConcurrency(() =>
    derive({
      message: bytesOf(password),
      nonce: Buffer.from(nonce, 'base64'),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(matches, expected) && stored !== undefined;
}

/** @throws Problem `user_password_common` for a password that guessers try first. */
export function refuseCommon(password: string): void {
  if (commonPasswords.has(password.toLowerCase())) throw new Problem('user_password_common');
}
