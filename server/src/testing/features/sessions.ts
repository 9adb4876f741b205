import { eq, sql } from 'drizzle-orm';
import { addAccount, type NewAccount } from '../../features/accounts/create.ts';
import { noVisit } from '../../features/accounts/events.ts';
import { findAccount } from '../../features/accounts/index.ts';
import { startSession } from '../../features/accounts/sessions.ts';
import { secondFactors, sessions } from '../../features/accounts/tables.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';

export interface TestMember {
  accountId: string;
  profileId: string;
  sessionId: string;
  email: string;
  /** For the cookie `a_session_<project>` or the header `X-Appwrite-Session`. */
  secret: string;
}

/** The secret of a new session of an account, such as `insertMember` makes. */
export async function openSession(
  { database }: Pick<Platform, 'database'>,
  accountId: string,
): Promise<string> {
  const account = await findAccount(database, accountId);
  const started =
    account && (await database.transaction((transaction) => startSession(transaction, account, noVisit)));
  if (!started) throw new Error('There is no such account.');
  return started.secret;
}

/** Lets an admin have a second factor, which all sessions of the account showed just now. Nobody knows its codes. */
export async function showSecondFactor(database: Database | Transaction, accountId: string): Promise<void> {
  await database
    .insert(secondFactors)
    .values({ accountId, secret: 'none', lastStep: 0 })
    .onConflictDoNothing();
  await database
    .update(sessions)
    .set({ secondFactorShownAt: sql`now()` })
    .where(eq(sessions.accountId, accountId));
}

/**
 * For tests: a member with a confirmed email, the consent and an open session; nobody knows the password. An admin's
 * session has shown a second factor.
 */
export function addMember(
  { database }: Pick<Platform, 'database'>,
  member: Partial<NewAccount> = {},
): Promise<TestMember> {
  return database.transaction(async (transaction) => {
    const email = member.email ?? `${newId()}@example.com`;
    const { account, profileId } = await addAccount(transaction, {
      name: 'Ana Cruz',
      username: 'ana',
      passwordHash: 'none',
      emailVerified: true,
      hasConsented: true,
      ...member,
      email,
    });
    const started = await startSession(transaction, account, noVisit);
    if (started === null) throw new Error('The account closed at once.');
    if (member.labels?.includes('admin')) await showSecondFactor(transaction, account.id);
    return { accountId: account.id, profileId, sessionId: started.session.id, email, secret: started.secret };
  });
}
