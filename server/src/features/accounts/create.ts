import { nowDate } from '@tara/contract/clock';
import { defaultUsername } from '@tara/contract/limits';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { refuseAs } from '../../platform/database/constraint.ts';
import { newId } from '../../platform/ids.ts';
import { profiles } from '../profiles/index.ts';
import { consentColumns } from './consent.ts';
import { noVisit, recordEvent, type Visit } from './events.ts';
import { hashPassword, refuseCommon } from './password.ts';
import { refuseReserved } from './reserved-names.ts';
import { accounts } from './tables.ts';

export type AccountRow = typeof accounts.$inferSelect;

export interface NewAccount {
  /** Made when missing. */
  id?: string;
  /** Null for an account that was made anonymously or by phone. */
  email: string | null;
  name?: string;
  username?: string;
  /** Empty until a password is set. */
  passwordHash: string;
  emailVerified?: boolean;
  labels?: string[];
  /** Agrees to the present terms, and is at least 18. */
  hasConsented?: boolean;
}

/**
 * Stores an account with its profile. For sign-up use `signUp`, which checks and hashes the password.
 * @throws Problem `user_already_exists` for a taken id or email | `general_argument_invalid` for a reserved name
 */
export async function addAccount(
  transaction: Transaction,
  account: NewAccount,
  visit: Visit = noVisit,
): Promise<{ account: AccountRow; profileId: string }> {
  const name = account.name ?? '';
  refuseReserved({ name, username: account.username ?? defaultUsername });
  const profileId = newId();
  const [row] = await transaction
    .insert(accounts)
    .values({
      id: account.id ?? newId(),
      email: account.email?.trim().toLowerCase() ?? null,
      name,
      passwordHash: account.passwordHash,
      labels: account.labels ?? [],
      emailVerifiedAt: account.emailVerified ? nowDate() : null,
      ...(account.hasConsented ? consentColumns() : {}),
    })
    .returning()
    .catch(refuseAs({ accounts_pkey: 'user_already_exists', accounts_email_key: 'user_already_exists' }));
  if (row === undefined) throw new Error('The account was not stored.');
  await transaction
    .insert(profiles)
    .values({ id: profileId, accountId: row.id, name, username: account.username ?? defaultUsername });
  await recordEvent(transaction, row.id, 'user.create', visit);
  if (account.hasConsented) await recordEvent(transaction, row.id, 'user.consent', visit);
  return { account: row, profileId };
}

interface SignUp {
  id?: string;
  email: string;
  password: string;
  name?: string;
  username?: string;
  hasConsented?: boolean;
}

/**
 * Creates an account with its profile; does not sign in (§4).
 * @throws Problem `user_already_exists` | `user_password_common`
 */
export async function signUp(database: Database, form: SignUp, visit: Visit): Promise<AccountRow> {
  refuseCommon(form.password);
  // Before the email is looked up: a taken one takes as long as a free one.
  const passwordHash = await hashPassword(form.password, { ip: visit.ip });
  const { account } = await database.transaction((transaction) =>
    addAccount(transaction, { ...form, passwordHash }, visit),
  );
  return account;
}
