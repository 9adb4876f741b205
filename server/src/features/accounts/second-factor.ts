import type { SecondFactorSetup } from '@tara/contract/accounts/second-factor';
import { nowMs } from '@tara/contract/clock';
import { recoveryCodeCount } from '@tara/contract/limits';
import { problemMessage } from '@tara/contract/problems';
import { drawBytes } from '@tara/contract/random';
import { and, eq, lt, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import * as z from 'zod';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { hashSecret, newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import type { Sealer } from '../../platform/seal.ts';
import { audit } from '../audit/index.ts';
import { notify } from '../notifications/index.ts';
import { recordEvent, type Visit } from './events.ts';
import { type AccountLimits, guess } from './limits.ts';
import { lockOwnAccount } from './own-account.ts';
import { recoveryCodes, secondFactors, sessions } from './tables.ts';

/** What authenticator apps assume (RFC 6238): SHA-1, 6 digits, 30 seconds. A code may be one step early or late. */
const periodSeconds = 30;
const digits = 6;
const window = 1;
/** Bytes of a secret: the length of a SHA-1 hash (RFC 4226). */
const secretBytes = 20;

const secretPurpose = 'second factor';
const setupPurpose = 'setup of a second factor';
const setupLifetimeMs = 3_600_000;

const Stored = z.object({ accountId: z.string(), secret: z.string() });
const Setup = z.object({
  accountId: z.string(),
  sessionId: z.string(),
  secret: z.string(),
  until: z.number(),
});

const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer: 'Tara', label, secret: Secret.fromBase32(secret), digits, period: periodSeconds });

const stepAt = (now: number) => TOTP.counter({ period: periodSeconds, timestamp: now });

/** The time step that a code is of, or null when it is wrong now. */
function findStep(secret: string, code: string, now = nowMs()): number | null {
  const delta = createTotp(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? null : stepAt(now) + delta;
}

/** Codes are typed with the spaces and dashes they are shown with. */
const normalizeCode = (text: string) => text.replace(/[\s-]/g, '').toLowerCase();

const refuse = (retryAfter?: number) =>
  new Problem('second_factor_wrong', { fields: { code: problemMessage('second_factor_wrong') }, retryAfter });

/**
 * Makes a secret for an authenticator app. Nothing is stored: it returns with the first code, sealed for this session.
 * @throws Problem `second_factor_exists`
 */
export function beginSecondFactor(sealer: Sealer, viewer: Viewer): SecondFactorSetup {
  if (viewer.hasSecondFactor) throw new Problem('second_factor_exists');
  const { accountId, sessionId } = viewer;
  const secret = new Secret({ size: secretBytes }).base32;
  const until = nowMs() + setupLifetimeMs;
  return {
    secret,
    uri: createTotp(secret, viewer.email).toString(),
    setup: sealer.seal(setupPurpose, { accountId, sessionId, secret, until }),
  };
}

/** 16 letters and digits of base32, 80 random bits: nobody finds one by its hash. */
function newRecoveryCode(): string {
  const text = new Secret({ buffer: drawBytes(10).buffer }).base32.toLowerCase();
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** Replaces all recovery codes of an account; returns the new ones, which are kept only hashed. */
async function replaceRecoveryCodes(transaction: Transaction, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await transaction.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
  await transaction
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ accountId, codeHash: hashSecret(normalizeCode(code)) })));
  return codes;
}

/** Gives a session the rights of an admin for 12 hours. */
async function showedSecondFactor(transaction: Transaction, { sessionId }: Viewer): Promise<void> {
  await transaction
    .update(sessions)
    .set({ secondFactorShownAt: sql`now()` })
    .where(eq(sessions.id, sessionId));
}

/**
 * Stores the secret that a code proves to be in an app, and shows the second factor by it. The owner is mailed. One that is
 * set up is never replaced.
 * @throws Problem `second_factor_setup_expired` | `second_factor_wrong` | `second_factor_exists`
 */
export async function setUpSecondFactor(
  { database, bus, sealer }: Pick<Platform, 'database' | 'bus' | 'sealer'>,
  viewer: Viewer,
  form: { setup: string; code: string },
  visit: Visit,
): Promise<{ recoveryCodes: string[] }> {
  const { accountId, sessionId } = viewer;
  const setup = Setup.safeParse(sealer.open(setupPurpose, form.setup)).data;
  const isOwn = setup?.accountId === accountId && setup.sessionId === sessionId;
  if (!isOwn || setup.until < nowMs()) throw new Problem('second_factor_setup_expired');
  const { secret } = setup;
  const lastStep = findStep(secret, normalizeCode(form.code));
  if (lastStep === null) throw refuse();
  const codes = await database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    const stored = await transaction
      .insert(secondFactors)
      .values({ accountId, secret: sealer.seal(secretPurpose, { accountId, secret }), lastStep })
      .onConflictDoNothing()
      .returning();
    if (stored.length === 0) throw new Problem('second_factor_exists');
    await showedSecondFactor(transaction, viewer);
    await recordEvent(transaction, accountId, 'secondFactor.create', visit);
    await audit(transaction, viewer, { action: 'secondFactor.create', subject: `account:${accountId}` });
    await notify(transaction, { event: 'secondFactorAdded', to: { accountId }, occasion: newId() });
    return replaceRecoveryCodes(transaction, accountId);
  });
  bus.publish('viewerChanged', { accountId });
  return { recoveryCodes: codes };
}

/** The secret of an account; null when this server's key does not open it. */
function openSecret(sealer: Sealer, row: typeof secondFactors.$inferSelect): string | null {
  const stored = Stored.safeParse(sealer.open(secretPurpose, row.secret)).data;
  return stored?.accountId === row.accountId ? stored.secret : null;
}

/** Takes a code of the app, once: of two requests with it at once, one gets true. */
async function takeAppCode(
  transaction: Transaction,
  row: typeof secondFactors.$inferSelect,
  step: number,
): Promise<boolean> {
  const taken = await transaction
    .update(secondFactors)
    .set({ lastStep: step })
    .where(and(eq(secondFactors.accountId, row.accountId), lt(secondFactors.lastStep, step)))
    .returning();
  return taken.length > 0;
}

/** Takes a recovery code, once, and writes it to the audit log. */
async function takeRecoveryCode(transaction: Transaction, viewer: Viewer, code: string): Promise<boolean> {
  const { accountId } = viewer;
  const taken = await transaction
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.codeHash, hashSecret(code))))
    .returning();
  if (taken.length === 0) return false;
  await audit(transaction, viewer, { action: 'secondFactor.recover', subject: `account:${accountId}` });
  return true;
}

/**
 * Shows the second factor: by a code of the app or a recovery code, each of which works once. Wrong ones delay this
 * session's next tries, and many of them those of the account's other sessions.
 * @throws Problem `second_factor_setup_required` | `second_factor_wrong` | `general_rate_limit_exceeded`
 */
export async function confirmSecondFactor(
  { database, bus, sealer }: Pick<Platform, 'database' | 'bus' | 'sealer'>,
  viewer: Viewer,
  text: string,
  visit: Visit,
  { guesses }: Pick<AccountLimits, 'guesses'>,
): Promise<void> {
  const { accountId, sessionId } = viewer;
  const code = normalizeCode(text);
  const isTaken = async (transaction: Transaction, row: typeof secondFactors.$inferSelect) => {
    if (!/^\d{6}$/.test(code)) return takeRecoveryCode(transaction, viewer, code);
    const secret = openSecret(sealer, row);
    const step = secret === null ? null : findStep(secret, code);
    return step !== null && takeAppCode(transaction, row, step);
  };
  const { right, retryAfter } = await guess(
    [
      [guesses.codesBySession, sessionId],
      [guesses.codesByAccount, accountId],
    ],
    () =>
      database.transaction(async (transaction) => {
        await lockOwnAccount(transaction, viewer);
        const [row] = await transaction
          .select()
          .from(secondFactors)
          .where(eq(secondFactors.accountId, accountId));
        if (row === undefined) throw new Problem('second_factor_setup_required');
        if (!(await isTaken(transaction, row))) return false;
        await showedSecondFactor(transaction, viewer);
        await recordEvent(transaction, accountId, 'session.secondFactor.confirm', visit);
        return true;
      }),
  );
  if (!right) throw refuse(retryAfter);
  bus.publish('viewerChanged', { accountId });
}

/**
 * Makes new recovery codes in place of all earlier ones.
 * @throws Problem `second_factor_setup_required`
 */
export function renewRecoveryCodes(
  database: Database,
  viewer: Viewer,
  visit: Visit,
): Promise<{ recoveryCodes: string[] }> {
  const { accountId } = viewer;
  return database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    const count = await transaction.$count(secondFactors, eq(secondFactors.accountId, accountId));
    if (count === 0) throw new Problem('second_factor_setup_required');
    await recordEvent(transaction, accountId, 'secondFactor.update', visit);
    await audit(transaction, viewer, {
      action: 'secondFactor.renewRecoveryCodes',
      subject: `account:${accountId}`,
    });
    return { recoveryCodes: await replaceRecoveryCodes(transaction, accountId) };
  });
}

/** Since when an account has a second factor, and how many recovery codes are left. */
export async function secondFactorStatus(
  database: Database,
  { accountId }: Viewer,
): Promise<{ createdAt: string | null; recoveryCodesLeft: number }> {
  const [row] = await database
    .select({
      createdAt: secondFactors.createdAt,
      recoveryCodesLeft: database.$count(recoveryCodes, eq(recoveryCodes.accountId, accountId)),
    })
    .from(secondFactors)
    .where(eq(secondFactors.accountId, accountId));
  return {
    createdAt: row?.createdAt.toISOString() ?? null,
    recoveryCodesLeft: row?.recoveryCodesLeft ?? 0,
  };
}

/** Removes an account's second factor; its sessions lose what they had by it. False when there is none. */
export async function removeSecondFactor(transaction: Transaction, accountId: string): Promise<boolean> {
  await transaction
    .update(sessions)
    .set({ secondFactorShownAt: null })
    .where(eq(sessions.accountId, accountId));
  const removed = await transaction
    .delete(secondFactors)
    .where(eq(secondFactors.accountId, accountId))
    .returning();
  return removed.length > 0;
}

/**
 * A code of a demo account that is accepted now: of the present step, or of the next one when that was used. Null without
 * a second factor, or while both are used.
 */
export function demoCode(
  sealer: Sealer,
  row: typeof secondFactors.$inferSelect | null,
  now = nowMs(),
): string | null {
  const secret = row && openSecret(sealer, row);
  if (row === null || secret === null) return null;
  const step = Math.max(stepAt(now), row.lastStep + 1);
  if (step > stepAt(now) + window) return null;
  return createTotp(secret).generate({ timestamp: step * periodSeconds * 1000 });
}
