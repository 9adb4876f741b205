import type { ConversationRow } from '@tara/contract/conversations';
import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { and, eq, getTableColumns, not, sql } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { files, pictureColumns } from '../files/index.ts';
import { chatEntries, chats, isListed, isRequest } from '../messages/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { visibleTo } from '../visibility/index.ts';
import { presentRow } from './present.ts';
import { conversations } from './tables.ts';

/**
 * The viewer's conversations by their newest message, 10 a page (§7): without message requests, which are a list of their
 * own. Whether one expired is judged by the database's clock.
 */
export async function listConversations(
  database: Database,
  viewer: Viewer,
  { cursor, requests }: { cursor?: string | undefined; requests?: 'only' | undefined },
): Promise<PageOf<ConversationRow>> {
  const { where, orderBy } = keyset(chatEntries.updatedAt, chatEntries.chatId, readCursor(cursor), 'desc');
  const rows = await database
    .select({
      entry: getTableColumns(chatEntries),
      mixId: conversations.mixId,
      awaitsId: chats.awaitsId,
      expired: sql<boolean>`coalesce(${chats.expiresAt} <= now(), false)`,
      person: personColumns(profiles),
      picture: pictureColumns(files),
    })
    .from(chatEntries)
    .innerJoin(chats, eq(chats.id, chatEntries.chatId))
    .innerJoin(conversations, eq(conversations.id, chatEntries.chatId))
    .innerJoin(profiles, eq(profiles.id, chatEntries.otherId))
    .leftJoin(files, eq(files.id, profiles.imageId))
    .where(
      and(
        eq(chatEntries.memberId, viewer.profileId),
        eq(chatEntries.kind, 'conversation'),
        isListed,
        requests === 'only' ? and(isRequest, not(chatEntries.ignored)) : not(isRequest),
        visibleTo(viewer, chatEntries.otherId),
        where,
      ),
    )
    .orderBy(...orderBy)
    .limit(pageSize.conversations + 1);
  return presentPage(rows, pageSize.conversations, presentRow, ({ entry }) => ({
    at: entry.updatedAt,
    id: entry.chatId,
  }));
}
