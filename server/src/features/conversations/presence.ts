import { nowDate, runAfter } from '@tara/contract/clock';
import type { Conversation } from '@tara/contract/messages/conversations';
import type { Chat, ChatEvent } from '@tara/contract/messages/messages';
import type { Topics } from '../../platform/documents.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { announceChatEvent, chatChannel, recentChats } from '../messages/index.ts';
import { memberCan } from '../visibility/index.ts';
import { openLastSeen } from './last-seen.ts';
import { readSettings } from './settings.ts';

type PresenceContext = Pick<Platform, 'database' | 'bus' | 'log' | 'isOnline'>;
type Presence = NonNullable<ChatEvent['presence']>;

/**
 * Whether the other member of a conversation is here, or since when not. Nothing is shown of members who hide it,
 * between members of whom one is hidden from the other, and before a message request is accepted.
 */
export async function presentPresence(
  { isOnline }: Pick<Platform, 'isOnline'>,
  { request, readOnly }: Pick<Chat, 'request' | 'readOnly'>,
  other: { accountId: string; isHidden: boolean; showLastSeen: boolean | null; lastSeenAt: Date | null },
): Promise<Pick<Conversation, 'online' | 'lastSeenAt'>> {
  const isShown =
    !other.isHidden && other.showLastSeen !== false && request === null && readOnly !== 'blocked';
  const online = isShown && (await isOnline(other.accountId));
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
    // Each node announces it to those who look here.
    announceChatEvent({ bus: bus.here }, chat, event, { accountIds, memberId: profileId });
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
        announceChatEvent({ bus: bus.here }, chat, event, { accountIds: [reader] });
      }
    }
    announceChatEvent({ bus: bus.here }, chat, { changed: true }, { accountIds });
  }
}

/** Announces to those who look at a conversation that it must be read again: the other may have been on a node that is gone. */
function announceLostNode({ database, bus }: PresenceContext, hub: Pick<Hub, 'hasListener'>): void {
  for (const chat of recentChats(database).all()) {
    const accountIds = [chat.firstAccountId, chat.secondAccountId];
    if (chat.kind !== 'conversation') continue;
    if (hub.hasListener({ channels: [chatChannel(chat)], accountIds, mayRead: () => true }))
      announceChatEvent({ bus: bus.here }, chat, { changed: true }, { accountIds });
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
  const { bus, log, isOnline } = context;
  const lastSeen = openLastSeen(context);
  /** Accounts that went a moment ago, with what cancels that this is announced. */
  const leaving = new Map<string, () => void>();
  const announce = (change: Topics['presenceChanged'], presence: Omit<Presence, 'memberId'>) =>
    announcePresence(context, hub, change, presence);
  const warn = (error: unknown) => log.warn({ err: error }, 'a change of presence could not be announced');

  const ends = [
    bus.subscribe('presenceChanged', (change, origin) => {
      const { accountId, profileId } = change;
      const now = nowDate().toISOString();
      if (change.cause === 'setting') {
        void isOnline(accountId)
          .then((online) => announce(change, { online, lastSeenAt: null }))
          .catch(warn);
        return;
      }
      if (origin === 'here') lastSeen.note(profileId);
      const wasLeaving = leaving.get(accountId);
      wasLeaving?.();
      leaving.delete(accountId);
      if (!change.online) {
        const leave = async () => {
          // Also by a socket on another node.
          const isElsewhere = await isOnline(accountId);
          // Back meanwhile.
          if (leaving.get(accountId) !== cancel) return;
          leaving.delete(accountId);
          if (!isElsewhere) await announce(change, { online: false, lastSeenAt: now });
        };
        const cancel = runAfter(graceMs, () => void leave().catch(warn));
        leaving.set(accountId, cancel);
      } else if (wasLeaving === undefined) {
        announce(change, { online: true, lastSeenAt: null }).catch(warn);
      }
    }),
    bus.subscribe('chatsChanged', (change) => announceChangedChats(context, hub, change)),
    bus.subscribe('memberActive', ({ profileId }) => lastSeen.note(profileId)),
    bus.subscribe('nodeGone', () => announceLostNode(context, hub)),
    bus.subscribe('document', ({ collection, change, document: { userId } }, origin) => {
      if (origin === 'elsewhere') return;
      if (collection === 'chats' && change === 'create' && typeof userId === 'string' && userId !== '')
        lastSeen.note(userId);
    }),
  ];
  return {
    async close() {
      for (const end of ends) end();
      for (const cancel of leaving.values()) cancel();
      await lastSeen.flush();
    },
  };
}
