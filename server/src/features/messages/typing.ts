import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { memberCan } from '../visibility/index.ts';
import { announceChatEvent, chatChannel } from './announce.ts';
import { chatCan, otherMember } from './policy.ts';
import { recentChats, watchRecentChats } from './recent.ts';

/** ms in which one socket sends one sign of typing in a chat; others are dropped. */
const intervalMs = 2_000;
/** Signs of typing of the last moments that are counted. */
const countedSigns = 10_000;

/** Passes on that a member types in a chat; `socketId` is by what it is sent. */
export type AnnounceTyping = (viewer: Viewer, socketId: string, chatId: string) => void;

/**
 * Makes the function that announces typing to the other member of a chat. It never reads the database: typing in a chat
 * that was not read lately, that may not be written to now, or that nobody looks at is dropped.
 */
export function openTyping(
  platform: Pick<Platform, 'database' | 'bus'>,
  hub: Pick<Hub, 'hasListener'>,
): AnnounceTyping {
  watchRecentChats(platform);
  const recent = recentChats(platform.database);
  const sentAt = new LRUCache<string, number>({ max: countedSigns });
  return (viewer, socketId, chatId) => {
    const now = Date.now();
    const chat = recent.get(chatId);
    if (chat === undefined || !chatCan.type(viewer, chat, now)) return;
    const key = `${socketId} ${chatId}`;
    if (now - (sentAt.get(key) ?? 0) < intervalMs) return;
    const memberId = viewer.profileId;
    const otherAccountId = chat.firstId === memberId ? chat.secondAccountId : chat.firstAccountId;
    const isLookedAt = hub.hasListener({
      channels: [chatChannel(chat)],
      accountIds: [otherAccountId],
      mayRead: (other) => memberCan.see(other, memberId),
    });
    if (!isLookedAt || !memberCan.see(viewer, otherMember(chat, memberId))) return;
    sentAt.set(key, now);
    announceChatEvent(platform, chat, { typing: memberId }, { accountIds: [otherAccountId], memberId });
  };
}
