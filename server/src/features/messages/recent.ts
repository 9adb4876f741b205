import type { Database } from '../../platform/database/connect.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
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
/** Chats and accounts of whose last change is known, so that what was read before it is not stored after it. */
const changesSize = 20_000;

/** Chats that members of this node read lately, so that typing and presence never read the database. */
export interface RecentChats {
  /** Call it before a chat is read: what it answers stores the chat, unless something changed meanwhile. */
  reading(): (chat: ChatRow) => void;
  get(id: string): RecentChat | undefined;
  /** Those of an account. */
  withMember(accountId: string): RecentChat[];
  all(): RecentChat[];
  /** Marks chats as changed: one by its id, or those of an account. */
  expire(chats: { id: string } | { accountId: string }): void;
  /** Marks all as changed. */
  expireAll(): void;
  /** Notes that a message request was accepted by its answer. */
  accept(id: string, memberId: string): void;
}

function openRecentChats(): RecentChats {
  const idsByAccount = new Map<string, Set<string>>();
  const accountIds = ({ firstAccountId, secondAccountId }: RecentChat) => [firstAccountId, secondAccountId];
  const chats = new MemoryCache<string, RecentChat>({
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
  /** The number of the last change, by `chat <id>`, `account <id>` and `accepted <id> <member id>`. */
  const lastChanges = new MemoryCache<string, number>({
    max: changesSize,
    dispose: (change, _key, reason) => {
      if (reason === 'evict') forgottenThrough = change;
    },
  });
  /** Changes up to this one may be missing there. */
  let forgottenThrough = 0;
  const noteChange = (key: string) => lastChanges.set(key, ++changes);
  const withMember = (accountId: string) =>
    [...(idsByAccount.get(accountId) ?? [])].flatMap((id) => chats.peek(id) ?? []);

  return {
    reading() {
      const changesBefore = changes;
      return ({ id, kind, firstId, secondId, firstAccountId, secondAccountId, ...row }) => {
        const hasChanged = (key: string) => (lastChanges.peek(key) ?? forgottenThrough) > changesBefore;
        const causes = [`chat ${id}`, `account ${firstAccountId}`, `account ${secondAccountId}`];
        if (causes.some(hasChanged)) return;
        const { closedAt, blocked, expiresAt } = row;
        const awaitsId = hasChanged(`accepted ${id} ${row.awaitsId}`) ? null : row.awaitsId;
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
    all: () => [...chats.values()],
    expire(which) {
      noteChange('id' in which ? `chat ${which.id}` : `account ${which.accountId}`);
      const expired = 'id' in which ? [chats.peek(which.id)] : withMember(which.accountId);
      for (const chat of expired) if (chat) chat.isStale = true;
    },
    expireAll() {
      changes++;
      // Of no chat it is known that it did not change until now.
      lastChanges.clear();
      forgottenThrough = changes;
      for (const chat of chats.values()) chat.isStale = true;
    },
    accept(id, memberId) {
      noteChange(`accepted ${id} ${memberId}`);
      const chat = chats.peek(id);
      if (chat?.awaitsId === memberId) chat.awaitsId = null;
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
  bus.subscribe('messagesMissed', () => recent.expireAll());
  bus.subscribe('viewersChanged', ({ accountId }) => recent.expire({ accountId }));
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
