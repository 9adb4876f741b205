import { nowMs } from '@tara/contract/clock';
import type { Database } from '../../platform/database/connect.ts';
import { limitByKey } from '../../platform/http/rate-limits.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { memberCan } from '../visibility/index.ts';
import { announceChatEvent, chatChannel } from './announce.ts';
import { chatCan, otherMember } from './policy.ts';
import { findChat } from './read.ts';
import { recentChats, watchRecentChats } from './recent.ts';

/** ms in which one socket sends one sign of typing in a chat; others are dropped. */
const intervalMs = 2_000;
/** Signs of typing of the last moments that are counted. */
const countedSigns = 10_000;

/** Passes on that a member types in a chat; `socketId` is by what it is sent. */
export type AnnounceTyping = (viewer: Viewer, socketId: string, chatId: string) => void;

const chatChannelPattern = /^collections\.(?:conversations|conversationReceipts)\.documents\.([^.]+)$/;

/** Chats of one account that are read in a minute because its pages open them. */
export const learntPerMinute = 60;

/** Reads the chats of channels that this node does not know as they are. */
export type LearnChats = (viewer: Viewer, channels: readonly string[]) => Promise<void>;

/**
 * Makes the function that reads the chats whose pages a member of this node opens, so that typing and presence know them: with
 * several nodes another one may have answered their calls.
 */
export function openChatLearning({ database }: { database: Database }): LearnChats {
  const recent = recentChats(database);
  const perAccount = limitByKey(true, { points: learntPerMinute, seconds: 60 });
  return async (viewer, channels) => {
    const ids = new Set(channels.flatMap((name) => chatChannelPattern.exec(name)?.[1] ?? []));
    // One after the other: a socket may name very many.
    for (const id of ids) {
      if (recent.get(id)?.isStale === false) continue;
      if (!(await perAccount.allows(viewer.accountId))) return;
      // Nothing is learnt of a chat that is not theirs, or while the database is away.
      await findChat(database, viewer, id).catch(() => null);
    }
  };
}

/**
 * Makes the function that announces typing to the other member of a chat. A single node never reads the database: typing in
 * a chat that was not read lately, that may not be written to now, or that nobody looks at is dropped. One of several reads
 * the chat that it does not know as it is, and drops that one sign.
 */
export function openTyping(
  platform: Pick<Platform, 'database' | 'bus' | 'nodes'>,
  hub: Pick<Hub, 'hasListener'>,
): AnnounceTyping {
  watchRecentChats(platform);
  const { database, nodes } = platform;
  const recent = recentChats(database);
  const sentAt = new MemoryCache<string, number>({ max: countedSigns });
  return (viewer, socketId, chatId) => {
    const now = nowMs();
    const chat = recent.get(chatId);
    const isKnown = chat !== undefined && !chat.isStale;
    if (isKnown ? !chatCan.type(viewer, chat, now) : !nodes.areMany) return;
    const key = `${socketId} ${chatId}`;
    if (now - (sentAt.get(key) ?? 0) < intervalMs) return;
    if (!isKnown) {
      sentAt.set(key, now);
      void findChat(database, viewer, chatId).catch(() => null);
      return;
    }
    const memberId = viewer.profileId;
    const otherAccountId = chat.firstId === memberId ? chat.secondAccountId : chat.firstAccountId;
    const isLookedAt = hub.hasListener({
      channels: [chatChannel(chat)],
      accountIds: [otherAccountId],
      mayRead: (other) => memberCan.see(other, memberId),
    });
    // The other may look at it on another node.
    if (!(isLookedAt || nodes.areMany) || !memberCan.see(viewer, otherMember(chat, memberId))) return;
    sentAt.set(key, now);
    announceChatEvent(platform, chat, { typing: memberId }, { accountIds: [otherAccountId], memberId });
  };
}
