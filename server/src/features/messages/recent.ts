import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/connect.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ChatRow } from './present.ts';

/** What typing and presence need of a chat. */
export type RecentChat = Pick<
  ChatRow,
  'id' | 'kind' | 'firstId' | 'secondId' | 'firstAccountId' | 'secondAccountId' | 'awaitsId'
> &
  Pick<ChatRow, 'closedAt' | 'blocked' | 'expiresAt'> & {
    /** Whether something changed since it was read: only who its members are still holds. */
    isStale: boolean;
  };

/** Chats kept at once, some 500 bytes each; the one read longest ago goes. */
const cacheSize = 20_000;

/** Chats that members of this node read lately, so that typing and presence never ask the database. */
export interface RecentChats {
  /** Call it before a chat is read: what it answers stores the chat, unless something changed meanwhile. */
  reading(): (chat: ChatRow) => void;
  get(id: string): RecentChat | undefined;
  /** Those of an account. */
  withMember(accountId: string): RecentChat[];
  /** Marks chats as changed: one by its id, or those of an account. */
  expire(chats: { id: string } | { accountId: string }): void;
  /** Notes that a message request was accepted by its answer. */
  accept(id: string, memberId: string): void;
  clear(): void;
}

function openRecentChats(): RecentChats {
  const idsByAccount = new Map<string, Set<string>>();
  const accountIds = ({ firstAccountId, secondAccountId }: RecentChat) => [firstAccountId, secondAccountId];
  const chats = new LRUCache<string, RecentChat>({
    max: cacheSize,
    noDisposeOnSet: true,
    dispose: (chat, id) => {
      for (const accountId of accountIds(chat)) {
        const ids = idsByAccount.get(accountId);
        ids?.delete(id);
        if (ids?.size === 0) idsByAccount.delete(accountId);
      }
    },
  });
  let changes = 0;
  const withMember = (accountId: string) =>
    [...(idsByAccount.get(accountId) ?? [])].flatMap((id) => chats.peek(id) ?? []);

  return {
    reading() {
      const changesBefore = changes;
      return ({ id, kind, firstId, secondId, firstAccountId, secondAccountId, ...row }) => {
        if (changes !== changesBefore) return;
        const { awaitsId, closedAt, blocked, expiresAt } = row;
        const members = { firstId, secondId, firstAccountId, secondAccountId };
        const chat = { id, kind, ...members, awaitsId, closedAt, blocked, expiresAt, isStale: false };
        chats.set(id, chat);
        for (const accountId of accountIds(chat)) {
          idsByAccount.set(accountId, (idsByAccount.get(accountId) ?? new Set()).add(id));
        }
      };
    },
    get: (id) => chats.get(id),
    withMember,
    expire(which) {
      changes++;
      const expired = 'id' in which ? [chats.peek(which.id)] : withMember(which.accountId);
      for (const chat of expired) if (chat) chat.isStale = true;
    },
    accept(id, memberId) {
      changes++;
      const chat = chats.peek(id);
      if (chat?.awaitsId === memberId) chat.awaitsId = null;
    },
    clear() {
      changes++;
      chats.clear();
      idsByAccount.clear();
    },
  };
}

const recentByDatabase = new WeakMap<Database, RecentChats>();

/** The chats read lately from a database: one cache for each, because a database is what readers of chats have in hand. */
export function recentChats(database: Database): RecentChats {
  const recent = recentByDatabase.get(database) ?? openRecentChats();
  recentByDatabase.set(database, recent);
  return recent;
}

/** Passing events, which change nothing of a chat. */
const isPassing = (document: Record<string, unknown>) =>
  'typing' in document || 'mark' in document || 'presence' in document;

/** Keeps the chats read lately true to what changes. */
export function watchRecentChats({ database, bus }: Pick<Platform, 'database' | 'bus'>): void {
  const recent = recentChats(database);
  bus.subscribe('viewersChanged', () => recent.clear());
  bus.subscribe('viewerChanged', ({ accountId }) => recent.expire({ accountId }));
  bus.subscribe('document', ({ collection, id, document, audience }) => {
    if (collection === 'conversations' || collection === 'conversationReceipts') {
      if (!isPassing(document)) recent.expire({ id });
    } else if (collection === 'planInteractions' && typeof audience !== 'string') {
      // Its end closes the chat of the request.
      for (const accountId of audience) recent.expire({ accountId });
    } else if (collection === 'chats') {
      const { chatId, userId } = document;
      if (typeof chatId === 'string' && typeof userId === 'string') recent.accept(chatId, userId);
    }
  });
}
