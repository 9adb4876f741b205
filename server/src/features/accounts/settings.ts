import type { AccountSettings } from '@tara/contract/accounts/accounts';
import { nowDate } from '@tara/contract/clock';
import { problemMessage } from '@tara/contract/problems';
import { and, desc, eq, gt, isNotNull, ne, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { notify } from '../notifications/index.ts';
import { announceProfileChange, renameProfile } from '../profiles/index.ts';
import type { AccountRow } from './create.ts';
import { lacksPassword, requirePassword } from './current-password.ts';
import { type AccountEvent, recordEvent, type Visit } from './events.ts';
import type { AccountLimits } from './limits.ts';
import { lockOwnAccount } from './own-account.ts';
import { hashPassword, requireNewPassword } from './password.ts';
import { refuseReserved } from './reserved-names.ts';
import { revokeEmailChanges, revokeTokens } from './secrets.ts';
import { endSessions, showedPassword } from './sessions.ts';
import { accounts, sessions, tokens } from './tables.ts';
import { mailLink, refuseTaken } from './verification.ts';

type Context = Pick<Platform, 'database' | 'bus'>;

/** What /settings shows of an account. @throws Problem `general_unauthorized_scope` when it does not exist any more. */
export async function accountSettings(database: Database, { accountId }: Viewer): Promise<AccountSettings> {
  const [row] = await database
    .select({
      email: accounts.email,
      phone: accounts.phone,
      passwordHash: accounts.passwordHash,
      passwordUpdatedAt: accounts.passwordUpdatedAt,
      pendingEmail: tokens.email,
      expiresAt: tokens.expiresAt,
    })
    .from(accounts)
    .leftJoin(
      tokens,
      and(eq(tokens.accountId, accounts.id), isNotNull(tokens.email), gt(tokens.expiresAt, sql`now()`)),
    )
    .where(eq(accounts.id, accountId))
    .orderBy(desc(tokens.createdAt))
    .limit(1);
  if (row === undefined) throw new Problem('general_unauthorized_scope');
  const { pendingEmail, expiresAt } = row;
  return {
    email: row.email ?? '',
    pendingEmail:
      pendingEmail === null || expiresAt === null
        ? null
        : { email: pendingEmail, expiresAt: expiresAt.toISOString() },
    phone: row.phone ?? '',
    passwordUpdatedAt: row.passwordHash === '' ? null : row.passwordUpdatedAt.toISOString(),
  };
}

/**
 * Changes the account's row, with its security event. @throws Problem `general_unauthorized_scope` when it does not
 * exist any more.
 */
async function updateAccount(
  transaction: Transaction,
  accountId: string,
  set: Partial<
    Pick<
      AccountRow,
      'name' | 'email' | 'phone' | 'prefs' | 'passwordHash' | 'passwordUpdatedAt' | 'phoneVerifiedAt'
    >
  >,
  event: AccountEvent,
  visit: Visit,
): Promise<AccountRow> {
  const [changed] = await transaction
    .update(accounts)
    .set({ ...set, updatedAt: sql`now()` })
    .where(eq(accounts.id, accountId))
    .returning();
  if (changed === undefined) throw new Problem('general_unauthorized_scope');
  await recordEvent(transaction, accountId, event, visit);
  return changed;
}

/**
 * Changes the name of account and profile, which are one value (decisions §1).
 * @throws Problem `general_argument_invalid` for a reserved name, `profile_name_in_verification`
 */
export async function updateName(
  context: Context,
  viewer: Viewer,
  name: string,
  visit: Visit,
): Promise<AccountRow> {
  // A name of before a word was reserved stays.
  if (name !== viewer.name) refuseReserved({ name });
  const changed = await context.database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    await renameProfile(transaction, viewer.profileId, { name });
    return updateAccount(transaction, viewer.accountId, { name }, 'user.update.name', visit);
  });
  await announceProfileChange(context, viewer.profileId);
  return changed;
}

/** Changes the profile's username (§5). @throws Problem `general_argument_invalid` for a reserved one */
export async function updateUsername(context: Context, viewer: Viewer, username: string): Promise<void> {
  await context.database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    const before = await renameProfile(transaction, viewer.profileId, { username });
    // One of before a word was reserved stays.
    if (username !== before.username) refuseReserved({ username });
  });
  await announceProfileChange(context, viewer.profileId);
}

/** Replaces what the account's clients have stored. */
export function updatePrefs(
  database: Database,
  viewer: Viewer,
  prefs: Record<string, unknown>,
  visit: Visit,
): Promise<AccountRow> {
  return database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    return updateAccount(transaction, viewer.accountId, { prefs }, 'user.update.prefs', visit);
  });
}

/**
 * Changes the email by the current password. A confirmed one stays until the link mailed to the new one is opened, and
 * is notified, so that neither a typing error nor a stranger locks the owner out; an unconfirmed one is replaced at
 * once. An account without email and password gets both. The present one withdraws a change that waits. Announce it with `viewerChanged`.
 * @throws Problem `user_invalid_credentials` | `user_email_already_exists` | `general_rate_limit_exceeded`
 */
export async function changeEmail(
  { config, database, bus, sealer }: Pick<Platform, 'config' | 'database' | 'bus' | 'sealer'>,
  viewer: Viewer,
  { email, password }: { email: string; password: string },
  visit: Visit,
  limits: AccountLimits,
): Promise<AccountRow> {
  const first = viewer.email === '' && (await lacksPassword(database, viewer));
  if (first) requireNewPassword(password);
  else await requirePassword(database, viewer, password, limits);
  await limits.contactByAccount.consume(viewer.accountId);
  const passwordHash = first ? await hashPassword(password, { accountId: viewer.accountId }) : null;
  const url = `${config.publicUrl}/confirming`;
  return database.transaction(async (transaction) => {
    const account = await lockOwnAccount(transaction, viewer);
    await revokeEmailChanges(transaction, account.id);
    if (account.email === email) return account;
    // Its reader may be somebody else.
    await limits.messagesFromStrangers.consume(email);
    if (account.emailVerifiedAt === null || account.email === null) {
      // With two requests at once that set a first password, the second finds one.
      if (passwordHash !== null && account.passwordHash !== '') throw new Problem('user_invalid_credentials');
      const changed = await updateAccount(
        transaction,
        account.id,
        passwordHash === null ? { email } : { email, passwordHash, passwordUpdatedAt: nowDate() },
        'user.update.email',
        visit,
      ).catch(refuseTaken('email'));
      // What was mailed to the address before must not confirm this one.
      await revokeTokens(transaction, account.id, 'verification');
      await revokeTokens(transaction, account.id, 'recovery');
      if (passwordHash !== null) {
        await endSessions(transaction, bus, account.id, ne(sessions.id, viewer.sessionId));
        await showedPassword(transaction, viewer.sessionId);
        await recordEvent(transaction, account.id, 'user.update.password', visit);
      }
      await mailLink(transaction, sealer, { ...changed, email }, url, visit);
      return changed;
    }
    const taken = await transaction.$count(accounts, eq(accounts.email, email));
    if (taken > 0) {
      const fields = { email: problemMessage('user_email_already_exists') };
      throw new Problem('user_email_already_exists', { fields });
    }
    const current = account.email;
    const token = await mailLink(transaction, sealer, { ...account, email: current }, url, visit, email);
    await notify(transaction, {
      event: 'emailChanging',
      to: { accountId: account.id },
      occasion: token.id,
      details: { email },
    });
    return account;
  });
}

/** Withdraws a change of the email that waits for its confirmation. */
export async function cancelEmailChange(database: Database, { accountId }: Viewer): Promise<void> {
  await database.transaction((transaction) => revokeEmailChanges(transaction, accountId));
}

/**
 * Changes the phone number for sign-in, E.164, by the current password; an empty one removes it.
 * @throws Problem `user_invalid_credentials` | `user_phone_already_exists` | `general_rate_limit_exceeded`
 */
export async function changePhone(
  database: Database,
  viewer: Viewer,
  { phone, password }: { phone: string; password: string },
  visit: Visit,
  limits: AccountLimits,
): Promise<AccountRow> {
  await requirePassword(database, viewer, password, limits);
  await limits.contactByAccount.consume(viewer.accountId);
  const set = { phone: phone || null, phoneVerifiedAt: null };
  return database.transaction(async (transaction) => {
    const before = await lockOwnAccount(transaction, viewer);
    // A number that somebody merely named is nobody's: it neither blocks nor is revealed.
    const isTaken = and(
      eq(accounts.phone, phone),
      isNotNull(accounts.phoneVerifiedAt),
      ne(accounts.id, viewer.accountId),
    );
    if ((await transaction.$count(accounts, isTaken)) > 0) {
      const fields = { phone: problemMessage('user_phone_already_exists') };
      throw new Problem('user_phone_already_exists', { fields });
    }
    const changed = await updateAccount(transaction, viewer.accountId, set, 'user.update.phone', visit);
    if (changed.phone !== before.phone)
      await notify(transaction, {
        event: 'phoneChanged',
        to: { accountId: viewer.accountId },
        occasion: newId(),
        details: changed.phone === null ? { isRemoved: 'yes' } : {},
      });
    return changed;
  });
}

/** Logs out the account's other devices. */
export async function endOtherSessions(
  { database, bus }: Context,
  viewer: Viewer,
  visit: Visit,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockOwnAccount(transaction, viewer);
    await endSessions(transaction, bus, viewer.accountId, ne(sessions.id, viewer.sessionId));
    await recordEvent(transaction, viewer.accountId, 'sessions.delete', visit);
  });
}
