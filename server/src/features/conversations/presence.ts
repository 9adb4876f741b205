import type { Conversation } from '@tara/contract/messages/conversations';
import type { Chat, ChatEvent } from '@tara/contract/messages/messages';
import type { Topics } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { announceChatEvent, chatChannel, recentChats } from '../messages/index.ts';
import { memberCan } from '../visibility/index.ts';
import { openLastSeen } from './last-seen.ts';
import { readSettings } from './settings.ts';

type PresenceContext = Pick<Platform, 'database' | 'bus' | 'log' | 'onlineAccounts'>;
type Presence = NonNullable<ChatEvent['presence']>;

/**
 * Whether the other member of a conversation is here, or since when not. Nothing is shown of members who hide it,
 * between members of whom one is hidden from the other, and before a message request is accepted.
 */
export function presentPresence(
  { onlineAccounts }: Pick<Platform, 'onlineAccounts'>,
  { request, readOnly }: Pick<Chat, 'request' | 'readOnly'>,
  other: { accountId: string; isHidden: boolean; showLastSeen: boolean | null; lastSeenAt: Date | null },
): Pick<Conversation, 'online' | 'lastSeenAt'> {
  const isShown =
    !other.isHidden && other.showLastSeen !== false && request === null && readOnly !== 'blocked';
  const online = isShown && onlineAccounts.has(other.accountId);
  return { online, lastSeenAt: isShown && !online ? (other.lastSeenAt?.toISOString() ?? null) : null };
}

/** Announces a member's presence to those who look at a conversation with them. */
async function announcePresence(
  { database, bus }: PresenceContext,
  hub: Pick<Hub, 'hasListener'>,
  { accountId, profileId, cause }: Topics['presenceChanged'],
  presence: Omit<Presence, 'memberId'>,
): Promise<void> {
  const recent = recentChats(database);
  const readers = recent
    .withMember(accountId)
    .filter(({ kind, awaitsId, blocked }) => kind === 'conversation' && awaitsId === null && !blocked)
    .map((chat) => ({
      chat,
      accountIds: [chat.firstAccountId === accountId ? chat.secondAccountId : chat.firstAccountId],
    }))
    .filter(({ chat, accountIds }) =>
      hub.hasListener({
        ...{ channels: [chatChannel(chat)], accountIds },
        mayRead: (viewer) => memberCan.see(viewer, profileId),
      }),
    );
  if (readers.length === 0) return;
  const { showLastSeen } = await readSettings(database, profileId);
  // Hiding it is announced once; later visits of a hidden member are not.
  if (!showLastSeen && cause === 'connection') return;
  const shown = showLastSeen ? presence : { online: false, lastSeenAt: null };
  for (const { chat, accountIds } of readers) {
    // Looked at, it stays among those read lately.
    recent.get(chat.id);
    const event = { presence: { memberId: profileId, ...shown } };
    announceChatEvent({ bus }, chat, event, { accountIds, memberId: profileId });
  }
}

/**
 * Announces to those who look at a chat of a member that it must be read again, and first, of a pair that may be hidden
 * from each other, that neither is here: a blocked member learns nothing else.
 */
function announceChangedChats(
  { database, bus }: PresenceContext,
  hub: Pick<Hub, 'hasListener'>,
  { accountId, otherAccountId, hides }: Topics['chatsChanged'],
): void {
  for (const chat of recentChats(database).withMember(accountId)) {
    const accountIds = [chat.firstAccountId, chat.secondAccountId];
    if (otherAccountId !== null && !accountIds.includes(otherAccountId)) continue;
    if (!hub.hasListener({ channels: [chatChannel(chat)], accountIds, mayRead: () => true })) continue;
    if (hides && chat.kind === 'conversation') {
      for (const [memberId, reader] of [
        [chat.firstId, chat.secondAccountId],
        [chat.secondId, chat.firstAccountId],
      ] as const) {
        const event = { presence: { memberId, online: false, lastSeenAt: null } };
        announceChatEvent({ bus }, chat, event, { accountIds: [reader] });
      }
    }
    announceChatEvent({ bus }, chat, { changed: true }, { accountIds });
  }
}

/**
 * Watches members come and go: stores when a member was last here, and announces it to those who look at a conversation
 * with them. Returns a function that stores the rest when the server stops. A member who comes back within `graceMs`,
 * such as by a reload, was never away.
 */
export function watchPresence(
  context: PresenceContext,
  hub: Pick<Hub, 'hasListener'>,
  { graceMs = 5_000 } = {},
): { close: () => Promise<void> } {
  const { bus, log, onlineAccounts } = context;
  const lastSeen = openLastSeen(context);
  /** Accounts that went a moment ago. */
  const leaving = new Map<string, NodeJS.Timeout>();
  const announce = (change: Topics['presenceChanged'], lastSeenAt: string | null) => {
    const online = onlineAccounts.has(change.accountId);
    announcePresence(context, hub, change, { online, lastSeenAt: online ? null : lastSeenAt }).catch(
      (error: unknown) => log.warn({ err: error }, 'a change of presence could not be announced'),
    );
  };

  const ends = [
    bus.subscribe('presenceChanged', (change) => {
      const { accountId, profileId, cause } = change;
      const now = new Date().toISOString();
      if (cause === 'setting') return announce(change, null);
      lastSeen.note(profileId);
      const wasLeaving = leaving.get(accountId);
      clearTimeout(wasLeaving);
      leaving.delete(accountId);
      if (!onlineAccounts.has(accountId)) {
        const leave = () => {
          leaving.delete(accountId);
          announce(change, now);
        };
        leaving.set(accountId, setTimeout(leave, graceMs).unref());
      } else if (wasLeaving === undefined) announce(change, null);
    }),
    bus.subscribe('chatsChanged', (change) => announceChangedChats(context, hub, change)),
    bus.subscribe('memberActive', ({ profileId }) => lastSeen.note(profileId)),
    bus.subscribe('document', ({ collection, change, document: { userId } }) => {
      if (collection === 'chats' && change === 'create' && typeof userId === 'string' && userId !== '')
        lastSeen.note(userId);
    }),
  ];
  return {
    async close() {
      for (const end of ends) end();
      for (const timer of leaving.values()) clearTimeout(timer);
      await lastSeen.flush();
    },
  };
}
