import type { Message, ReadMark } from '@tara/contract/messages';
import { dateLabel } from '../../ui/TimeLabel.tsx';
import type { Outgoing } from './outbox.ts';

/** What the other member has of an own message. */
export type MessageState = 'Sent' | 'Delivered' | 'Read';

/** One message of the list: stored, or still in the outbox. */
export type ListMessage = { key: string; own: boolean; createdAt: string } & (
  | { stored: Message; outgoing?: undefined }
  | { stored?: undefined; outgoing: Outgoing }
);

export type ListRow =
  | { kind: 'day'; key: string; createdAt: string }
  | { kind: 'new'; key: string }
  | {
      kind: 'message';
      key: string;
      message: ListMessage;
      /** The first and the last of a group: one author, one minute. */
      isFirst: boolean;
      isLast: boolean;
      /** Where the author changes to somebody other than the viewer. */
      showsName: boolean;
      /** On the last group of each state; null while marks are hidden. */
      state: MessageState | null;
    };

interface ListOptions {
  /** Profile id of the viewer. */
  viewerId: string;
  /** The marks of the other member; null while hidden. */
  other: ReadMark | null;
  /** The line 'New messages' stands before the first message of others after this sequence; null for no line. */
  newAfter: number | null;
}

const MINUTE_MS = 60_000;
const minuteOf = ({ createdAt }: ListMessage) => Math.floor(new Date(createdAt).getTime() / MINUTE_MS);
const dayOf = ({ createdAt }: ListMessage) => new Date(createdAt).toDateString();

/** The day of a separator: 'Today', 'Yesterday', else the date (§5). */
export function dayLabel(createdAt: string, now: Date): string {
  const day = new Date(createdAt).toDateString();
  if (day === now.toDateString()) return 'Today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === yesterday.toDateString() ? 'Yesterday' : dateLabel(createdAt);
}

function isSameAuthor(a: ListMessage, b: ListMessage): boolean {
  if (a.own || b.own) return a.own === b.own;
  return a.stored?.userId === b.stored?.userId && a.stored?.admin === b.stored?.admin;
}

const isGrouped = (a: ListMessage, b: ListMessage) => isSameAuthor(a, b) && minuteOf(a) === minuteOf(b);

function stateOf(sequence: number, { delivered, read }: ReadMark): MessageState {
  if (sequence <= read) return 'Read';
  return sequence <= delivered ? 'Delivered' : 'Sent';
}

/** The rows of a chat, oldest first: messages grouped by author and minute, with lines between days. */
export function listRows(
  stored: readonly Message[],
  outgoing: readonly Outgoing[],
  { viewerId, other, newAfter }: ListOptions,
): ListRow[] {
  const messages: ListMessage[] = [
    ...stored.map((message) => ({
      key: message.clientKey,
      own: message.userId === viewerId,
      createdAt: message.createdAt,
      stored: message,
    })),
    ...outgoing.map((message) => ({
      key: message.clientKey,
      own: true,
      createdAt: message.createdAt,
      outgoing: message,
    })),
  ];
  const firstNew = messages.find(
    (message) => !message.own && newAfter !== null && (message.stored?.sequence ?? 0) > newAfter,
  );
  const rows = messages.flatMap((message, index): ListRow[] => {
    const before = messages[index - 1];
    const after = messages[index + 1];
    const startsDay = before === undefined || dayOf(before) !== dayOf(message);
    const isNew = message === firstNew;
    const isSeparated = startsDay || isNew;
    const row: ListRow = {
      kind: 'message',
      key: message.key,
      message,
      isFirst: isSeparated || !isGrouped(before, message),
      isLast: after === undefined || after === firstNew || !isGrouped(message, after),
      showsName: !message.own && (isSeparated || !isSameAuthor(before, message)),
      state: null,
    };
    return [
      ...(startsDay
        ? [{ kind: 'day' as const, key: `day ${message.key}`, createdAt: message.createdAt }]
        : []),
      ...(isNew ? [{ kind: 'new' as const, key: `new ${message.key}` }] : []),
      row,
    ];
  });
  return other ? withStates(rows, other) : rows;
}

/** Adds the state to the last group of each state. */
function withStates(rows: readonly ListRow[], other: ReadMark): ListRow[] {
  let later: MessageState | null = null;
  return rows
    .toReversed()
    .map((row) => {
      if (row.kind !== 'message' || !row.message.own || !row.message.stored || !row.isLast) return row;
      const state = stateOf(row.message.stored.sequence, other);
      const isShown = state !== later;
      later = state;
      return isShown ? { ...row, state } : row;
    })
    .toReversed();
}
