import { addAccount, type NewAccount } from '../features/accounts/create.ts';
import { noVisit } from '../features/accounts/events.ts';
import { findAccount } from '../features/accounts/index.ts';
import { startSession } from '../features/accounts/sessions.ts';
import { newId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';

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

/** For tests: a member with a confirmed email, the consent and an open session; nobody knows the password. */
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
    return { accountId: account.id, profileId, sessionId: started.session.id, email, secret: started.secret };
  });
}
