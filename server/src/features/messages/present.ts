import { nowMs } from '@tara/contract/clock';
import type { Chat, Message, ReadMark, ReadOnlyReason } from '@tara/contract/messages/messages';
import { presentPicture } from '../files/index.ts';
import type { chatMarks, chats, messages } from './tables.ts';

export type MessageRow = typeof messages.$inferSelect;
export type ChatRow = typeof chats.$inferSelect;
export type MarkRow = typeof chatMarks.$inferSelect;

/** A message for the two members of its chat. */
export function presentMessage(row: Omit<MessageRow, 'firstCount' | 'secondCount'>): Message {
  return {
    id: row.id,
    chatId: row.chatId,
    sequence: row.sequence,
    userId: row.userId ?? '',
    name: row.name,
    body: row.body,
    picture: row.picture && presentPicture(row.picture),
    replyTo: row.replyTo,
    admin: row.userId === null,
    unsent: row.unsentAt !== null,
    clientKey: row.clientKey,
    createdAt: row.createdAt.toISOString(),
  };
}

const presentMark = (mark: MarkRow | undefined): ReadMark => ({
  delivered: mark?.delivered ?? 0,
  read: mark?.read ?? 0,
});

/** Messages of others up to the chat's newest. */
const countIncoming = (chat: ChatRow, memberId: string): number =>
  chat.lastSequence - (memberId === chat.firstId ? chat.firstCount : chat.secondCount);

/** Why nobody can write to a chat. @param now epoch ms. */
export function readOnlyReason(
  chat: Pick<ChatRow, 'closedAt' | 'blocked' | 'expiresAt'>,
  isHidden: boolean,
  now: number,
): ReadOnlyReason | null {
  if (chat.closedAt !== null) return 'closed';
  if (chat.blocked || isHidden) return 'blocked';
  return chat.expiresAt !== null && chat.expiresAt.getTime() <= now ? 'expired' : null;
}

/** A chat for one of its two members, with the marks of both. `isHidden`: the other is hidden from the member. */
export function presentChat(
  chat: ChatRow,
  marks: readonly MarkRow[],
  memberId: string,
  isHidden: boolean,
  now = nowMs(),
): Chat {
  const own = marks.find((mark) => mark.memberId === memberId);
  const other = marks.find((mark) => mark.memberId !== memberId);
  const request = chat.awaitsId === null ? null : chat.awaitsId === memberId ? 'received' : 'sent';
  // Whose request is not accepted yet does not learn whether it was read.
  const showsOther =
    !isHidden && request !== 'sent' && own?.showsRead !== false && other?.showsRead !== false;
  return {
    id: chat.id,
    kind: chat.kind,
    lastSequence: chat.lastSequence,
    unread: countIncoming(chat, memberId) - (own?.incomingRead ?? 0),
    own: presentMark(own),
    other: showsOther ? presentMark(other) : null,
    readOnly: readOnlyReason(chat, isHidden, now),
    expiresAt: chat.expiresAt?.toISOString() ?? null,
    request,
  };
}
