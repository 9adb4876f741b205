import { pageSize } from '@tara/contract/limits';
import type { Conversation, ConversationRow } from '@tara/contract/messages/conversations';
import type { Chat } from '@tara/contract/messages/messages';
import type { PageOf } from '@tara/contract/page';
import { and, desc, eq, getTableColumns, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { readPage } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns } from '../files/index.ts';
import { chatEntries, readChat } from '../messages/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { hiddenName, visibleTo } from '../visibility/index.ts';
import { presentPresence } from './presence.ts';
import { presentConversation, presentRow } from './present.ts';
import { chatSettings, conversations, memberPresence } from './tables.ts';

type Reader = Pick<Viewer, 'profileId' | 'accountId'>;

/** The other member of a conversation of the viewer's. */
const otherId = ({ profileId }: Reader) =>
  sql<string>`case ${conversations.firstId} when ${profileId} then ${conversations.secondId} else ${conversations.firstId} end`;

/** The conversation of two members; either may have begun it. */
export const isPair = (one: SQLWrapper, other: SQLWrapper): SQL => sql`
  least(${conversations.firstId}, ${conversations.secondId}) = least(${one}, ${other})
  and greatest(${conversations.firstId}, ${conversations.secondId}) = greatest(${one}, ${other})`;

/**
 * The conversation of the viewer with this pair key, in either order of its two account ids (§7).
 * @throws Problem `conversation_not_found`, also for others' conversations.
 */
export async function findByMixId(
  database: Database,
  { accountId }: Reader,
  mixId: string,
): Promise<typeof conversations.$inferSelect> {
  const reversed = sql`${conversations.secondAccountId} || ${conversations.firstAccountId}`;
  const [row] = await database
    .select()
    .from(conversations)
    .where(
      and(
        or(eq(conversations.mixId, mixId), eq(reversed, mixId)),
        or(eq(conversations.firstAccountId, accountId), eq(conversations.secondAccountId, accountId)),
      ),
    )
    // Ids that members chose themselves can be joined to the same key.
    .orderBy(desc(eq(conversations.mixId, mixId)))
    .limit(1);
  if (row === undefined) throw new Problem('conversation_not_found');
  return row;
}

/** The error of the message core in the words of this feature. */
export function asConversationProblem(error: unknown): unknown {
  const isUnknown = error instanceof Problem && error.type === 'chat_not_found';
  return isUnknown ? new Problem('conversation_not_found', { cause: error }) : error;
}

/**
 * A conversation as one of its members sees it. After a block only who blocked still reads it, with the other's name
 * alone. @throws Problem `conversation_not_found`
 */
export async function readConversation(
  platform: Pick<Platform, 'database' | 'isOnline'>,
  viewer: Viewer,
  id: string,
): Promise<Conversation> {
  const { database } = platform;
  const [chat, [row]] = await Promise.all([
    readChat(database, viewer, id).catch((error: unknown): Chat => {
      throw asConversationProblem(error);
    }),
    database
      .select({
        conversation: getTableColumns(conversations),
        person: personColumns(profiles),
        picture: pictureColumns(files),
        hiddenName: hiddenName(sql`${viewer.profileId}`, profiles.id),
        accountId: profiles.accountId,
        showLastSeen: chatSettings.showLastSeen,
        lastSeenAt: memberPresence.lastSeenAt,
      })
      .from(conversations)
      .innerJoin(profiles, eq(profiles.id, otherId(viewer)))
      .leftJoin(files, eq(files.id, profiles.imageId))
      .leftJoin(chatSettings, eq(chatSettings.profileId, profiles.id))
      .leftJoin(memberPresence, eq(memberPresence.profileId, profiles.id))
      .where(eq(conversations.id, id)),
  ]);
  if (row === undefined) throw new Problem('conversation_not_found');
  const isHidden = row.hiddenName !== null;
  return presentConversation(
    row.conversation,
    chat,
    row,
    await presentPresence(platform, chat, { ...row, isHidden }),
  );
}

/** The id of the conversation of two members, if they have one. */
export async function findPair(
  database: Database | Transaction,
  one: string,
  other: string,
): Promise<string | undefined> {
  const [row] = await database
    .select({ id: conversations.id })
    .from(conversations)
    .where(isPair(sql`${one}::text`, sql`${other}::text`));
  return row?.id;
}

/**
 * The viewer's conversations by their newest message, 10 a page (§7): without message requests, which are a list of their
 * own. Whether one expired is judged by the database's clock.
 */
export async function listConversations(
  database: Database,
  viewer: Viewer,
  { cursor, requests }: { cursor?: string | undefined; requests?: 'only' | undefined },
): Promise<PageOf<ConversationRow>> {
  return readPage(cursor, {
    size: pageSize.conversations,
    sortedBy: { time: chatEntries.updatedAt, id: chatEntries.chatId },
    query: database
      .select({
        entry: getTableColumns(chatEntries),
        expired: sql<boolean>`coalesce(${chatEntries.expiresAt} <= now(), false)`,
        person: personColumns(profiles),
        picture: pictureColumns(files),
      })
      .from(chatEntries)
      .innerJoin(profiles, eq(profiles.id, chatEntries.otherId))
      .leftJoin(files, eq(files.id, profiles.imageId)),
    where: and(
      eq(chatEntries.memberId, viewer.profileId),
      eq(chatEntries.listedIn, requests === 'only' ? 'requests' : 'conversations'),
      visibleTo(viewer, chatEntries.otherId),
    ),
    present: presentRow,
    toCursor: ({ entry }) => ({
      at: entry.updatedAt,
      id: entry.chatId,
    }),
  });
}
