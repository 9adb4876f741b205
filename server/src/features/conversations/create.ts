import { messageRequests } from '@tara/contract/limits';
import type { Conversation } from '@tara/contract/messages/conversations';
import { and, eq, exists, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { accounts } from '../accounts/index.ts';
import { interactions } from '../interactions/index.ts';
import { chatEntries, chats, openChat } from '../messages/index.ts';
import { friends, profiles } from '../profiles/index.ts';
import { blocks, memberCan } from '../visibility/index.ts';
import { conversationCan, isStranger, type Relation } from './policy.ts';
import { announceConversation, type StoredConversation } from './present.ts';
import { findPair, readConversation } from './read.ts';
import { hidesReadMarks, readSettings } from './settings.ts';
import { conversations } from './tables.ts';

type CreateContext = Pick<Platform, 'database' | 'bus' | 'config' | 'isOnline'>;

/** Which of the two named members is not the viewer. */
function otherOf({ profileId }: Viewer, { creator1, creator2 }: { creator1: string; creator2: string }) {
  if (creator1 !== profileId && creator2 !== profileId) {
    throw new Problem('general_argument_invalid', {
      fields: { creator1: 'must be your own profile id, unless creator2 is' },
    });
  }
  const otherId = creator1 === profileId ? creator2 : creator1;
  if (otherId === profileId) throw new Problem('conversation_own');
  return otherId;
}

/**
 * Opens the conversation of the viewer and another member (§4); where it exists, also an expired one, it is answered as it
 * is. The other's settings decide about a new one.
 * @throws Problem `profile_not_found`, also for members who are hidden; `conversation_own`, `conversation_not_wanted`,
 * `conversation_requests_hourly`, `conversation_requests_waiting`.
 */
export async function createConversation(
  context: CreateContext,
  viewer: Viewer,
  members: { creator1: string; creator2: string },
): Promise<Conversation> {
  const { database, config } = context;
  const otherId = otherOf(viewer, members);
  if (!memberCan.see(viewer, otherId)) throw new Problem('profile_not_found');
  const known = await findPair(database, viewer.profileId, otherId);
  if (known !== undefined) return readConversation(context, viewer, known);
  const { id, begun } = await database.transaction(async (transaction) => {
    await lockPair(transaction, viewer.profileId, otherId);
    const earlier = await findPair(transaction, viewer.profileId, otherId);
    return earlier === undefined
      ? begin(transaction, viewer, otherId, config.conversationDays)
      : { id: earlier, begun: null };
  });
  if (begun) announceConversation(context, begun.conversation, begun.expiresAt, 'create');
  return readConversation(context, viewer, id);
}

/** Until the end of the transaction nobody else begins a conversation of the two, blocks or pays the other (migration 0054). */
export const lockPair = (transaction: Transaction, one: string, other: string) =>
  transaction.execute(sql`select lock_pair(${one}, ${other})`);

interface Begun {
  id: string;
  begun: { conversation: StoredConversation; expiresAt: Date | null };
}

async function begin(
  transaction: Transaction,
  viewer: Viewer,
  otherId: string,
  conversationDays: number,
): Promise<Begun> {
  const second = await findReachable(transaction, viewer, otherId);
  const { messagesFrom } = await readSettings(transaction, otherId);
  const { expiresAt, ...relation } = await readRelation(transaction, viewer, otherId, conversationDays);
  if (!conversationCan.begin(viewer, messagesFrom, relation)) throw new Problem('conversation_not_wanted');
  const isRequest = isStranger(relation);
  if (isRequest) await checkRequests(transaction, viewer);
  const id = newId();
  const first = { id: viewer.profileId, accountId: viewer.accountId };
  const [conversation] = await transaction
    .insert(conversations)
    .values({
      ...{ id, firstId: first.id, secondId: second.id, mixId: first.accountId + second.accountId },
      ...{ firstAccountId: first.accountId, secondAccountId: second.accountId },
      ...{ isRequest, removeExpired: relation.hasPaid },
    })
    .returning();
  if (conversation === undefined) throw new Error('An inserted conversation was not returned.');
  const lasting = relation.hasPaid ? null : expiresAt;
  await openChat(transaction, {
    ...{ id, kind: 'conversation', first, second, expiresAt: lasting },
    awaitsId: isRequest ? second.id : null,
    hidesRead: await hidesReadMarks(transaction, [first.id, second.id]),
  });
  return { id, begun: { conversation, expiresAt: lasting } };
}

/**
 * The message requests of a member that wait, by the member's own list, which has each from its begin on: on a Citus cluster
 * their chats are on many shards.
 */
export const sentRequests = (database: Database | Transaction, profileId: string) =>
  database
    .select({ id: chatEntries.chatId })
    .from(chatEntries)
    .where(
      and(
        eq(chatEntries.memberId, profileId),
        // As the index has it (migration 0271).
        eq(chatEntries.awaitsId, chatEntries.otherId),
        gt(chatEntries.expiresAt, sql`now()`),
      ),
    );

/**
 * Until the end of the transaction the viewer begins no other message request. One that expired waits no longer.
 * @throws Problem `conversation_requests_hourly`, `conversation_requests_waiting`
 */
async function checkRequests(transaction: Transaction, { profileId }: Viewer): Promise<void> {
  await transaction.execute(sql`select lock_requests(${profileId})`);
  const lastHour = await transaction.$count(
    conversations,
    and(
      eq(conversations.firstId, profileId),
      conversations.isRequest,
      gt(conversations.createdAt, sql`now() - interval '1 hour'`),
    ),
  );
  if (lastHour >= messageRequests.perHour) throw new Problem('conversation_requests_hourly');
  const requests = await sentRequests(transaction, profileId);
  if (requests.length < messageRequests.waiting) return;
  // The list may still have one that was answered a moment ago.
  const waiting = await transaction.$count(
    chats,
    and(
      inArray(
        chats.id,
        requests.map(({ id }) => id),
      ),
      isNotNull(chats.awaitsId),
      gt(chats.expiresAt, sql`now()`),
    ),
  );
  if (waiting >= messageRequests.waiting) throw new Problem('conversation_requests_waiting');
}

/** The other member. Neither of the two leaves before the transaction ends. @throws Problem `profile_not_found` */
async function findReachable(transaction: Transaction, { profileId }: Viewer, otherId: string) {
  const rows = await transaction
    .select({ id: profiles.id, accountId: profiles.accountId })
    .from(profiles)
    .innerJoin(accounts, eq(accounts.id, profiles.accountId))
    .where(
      and(inArray(profiles.id, [profileId, otherId]), isNull(profiles.deletedAt), isNull(accounts.deletesAt)),
    )
    .orderBy(accounts.id)
    .for('share', { of: accounts });
  const other = rows.find(({ id }) => id === otherId);
  const isBlocked = or(
    and(eq(blocks.blockerId, profileId), eq(blocks.blockedId, otherId)),
    and(eq(blocks.blockerId, otherId), eq(blocks.blockedId, profileId)),
  );
  if (other === undefined || rows.length < 2 || (await transaction.$count(blocks, isBlocked)) > 0)
    throw new Problem('profile_not_found');
  return other;
}

/** What the two have to do with each other, and when a conversation that begins now expires. */
async function readRelation(
  transaction: Transaction,
  { profileId }: Viewer,
  otherId: string,
  conversationDays: number,
): Promise<Relation & { expiresAt: Date }> {
  const request = (condition: SQL | undefined) =>
    exists(
      transaction
        .select({ id: interactions.id })
        .from(interactions)
        .where(
          and(
            or(
              and(eq(interactions.clientId, profileId), eq(interactions.creatorId, otherId)),
              and(eq(interactions.clientId, otherId), eq(interactions.creatorId, profileId)),
            ),
            isNull(interactions.cancelledAt),
            condition,
          ),
        ),
    );
  const friend = exists(
    transaction
      .select({ id: friends.ownerId })
      .from(friends)
      .where(and(eq(friends.ownerId, otherId), eq(friends.friendId, profileId))),
  );
  // A received request alone makes no acquaintance: anybody can send one.
  const isMutual = or(
    isNotNull(interactions.acceptedAt),
    isNotNull(interactions.paidAt),
    eq(interactions.clientId, otherId),
  );
  const [row] = await transaction.execute<Record<keyof Relation, boolean> & { expiresAt: string }>(sql`
    select ${request(isMutual)} as "hasPlan", ${request(isNotNull(interactions.paidAt))} as "hasPaid", ${friend} as "isFriend",
      now() + make_interval(days => ${conversationDays}) as "expiresAt"`);
  if (row === undefined) throw new Error('A select without a table answered no row.');
  const { hasPlan, hasPaid, isFriend, expiresAt } = row;
  return { hasPlan, hasPaid, isFriend, expiresAt: new Date(expiresAt) };
}
