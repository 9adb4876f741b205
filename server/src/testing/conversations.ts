import { conversations } from '../features/conversations/tables.ts';
import { openChat } from '../features/messages/index.ts';
import type { Database } from '../platform/database/connect.ts';
import { newId } from '../platform/ids.ts';

interface Party {
  profileId: string;
  accountId: string;
}

/** A conversation that `first` began, accepted unless said otherwise; its expiry is a week ahead unless given. */
export async function insertConversation(
  database: Database,
  first: Party,
  second: Party,
  {
    awaitsId = null,
    expiresAt = new Date(Date.now() + 7 * 86_400_000),
  }: { awaitsId?: string | null; expiresAt?: Date | null } = {},
): Promise<{ id: string; mixId: string }> {
  const id = newId();
  const mixId = first.accountId + second.accountId;
  await database.transaction(async (transaction) => {
    await transaction.insert(conversations).values({
      ...{ id, mixId, firstId: first.profileId, secondId: second.profileId },
      ...{ firstAccountId: first.accountId, secondAccountId: second.accountId },
      removeExpired: expiresAt === null,
    });
    await openChat(transaction, {
      ...{ id, kind: 'conversation', expiresAt, awaitsId },
      first: { id: first.profileId, accountId: first.accountId },
      second: { id: second.profileId, accountId: second.accountId },
    });
  });
  return { id, mixId };
}
