import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { ClientKey, Id, OptionalId, Picture, queryNumber, Time, wholeNumber } from '../fields.ts';
import { maxPagesPerCall } from '../limits.ts';

/** The two kinds of chat, which share everything of this file: one-to-one, and of one paid request. */
export const chatKinds = ['conversation', 'receipt'] as const;
export type ChatKind = (typeof chatKinds)[number];

/** One message of a chat (§3 'chat message', 'chat receipt'). */
export const Message = z.object({
  id: z.string(),
  chatId: z.string(),
  /** Counts from 1 within its chat without gaps: a client that reconnects requests the newer ones. */
  sequence: z.int(),
  /** Profile id of the author; empty of a line that Tara or an admin wrote, and of somebody who is hidden. */
  userId: z.string(),
  name: z.string(),
  body: z.string(),
  picture: z.nullable(Picture),
  /** Sequence of the message that this one replies to. */
  replyTo: z.nullable(z.int()),
  /** Written by Tara or by an admin, under the fixed name (§3). */
  admin: z.boolean(),
  /** Taken back by its author: the body is 'message unsent', and the picture is removed (§4). */
  unsent: z.boolean(),
  /** Idempotency key, chosen by the sender: repeating the call with it changes nothing. */
  clientKey: z.string(),
  createdAt: Time,
});
export type Message = z.infer<typeof Message>;

export const MessagesPage = z.object({ items: z.array(Message), hasMore: z.boolean() });
export type MessagesPage = z.infer<typeof MessagesPage>;

/** How far a member has received and read a chat: sequences, which never fall. */
export const ReadMark = z.object({ delivered: z.int(), read: z.int() });
export type ReadMark = z.infer<typeof ReadMark>;

/** Why nobody can write: the request is over, one of the two blocked the other or leaves, the conversation expired (§4). */
export const readOnlyReasons = ['closed', 'blocked', 'expired'] as const;
export type ReadOnlyReason = (typeof readOnlyReasons)[number];

/** What both kinds of chat have in common, for one of its two members. */
export const Chat = z.object({
  id: z.string(),
  kind: z.enum(chatKinds),
  lastSequence: z.int(),
  /** Messages of others after one's own read mark. */
  unread: z.int(),
  own: ReadMark,
  /** Null when one of the two hides read marks. */
  other: z.nullable(ReadMark),
  readOnly: z.nullable(z.enum(readOnlyReasons)),
  /** When it expires; null when it never does. */
  expiresAt: z.nullable(Time),
  /** A first message from a stranger: sent by the viewer, or waiting for the viewer's answer. */
  request: z.nullable(z.enum(['sent', 'received'])),
});
export type Chat = z.infer<typeof Chat>;

/** Ids of receipts have 10 characters and a reference number (§3). */
export const ChatId = z.string().check(z.minLength(1), z.maxLength(64));

/** Which messages: without `before` and `after` the newest. */
export const MessagesQuery = z.object({
  /** Older than this sequence. */
  before: z.optional(queryNumber(1)),
  /** Newer than this sequence, oldest first. */
  after: z.optional(queryNumber(0)),
  /** How many pages to return: of 3 messages in a conversation, of 10 in a plan chat (§7). */
  pages: z.optional(queryNumber(1, maxPagesPerCall)),
});

/** Whether a text shows nothing: it is empty, or of spaces and characters without a picture such as U+200B. */
export const isBlank = (text: string): boolean =>
  /^[\p{Z}\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);

/** The sequence of the message that is replied to. */
export const ReplyTo = z.nullish(wholeNumber(1));

/** What a message is sent with, beside its chat and its text. */
export const messageFields = { imageId: OptionalId, replyTo: ReplyTo, clientKey: ClientKey };

/** The rule of a chat's input: its text, which the field of this name has, may be empty only with a picture (§5). */
export const hasContent = <Sent extends { imageId?: string | null | undefined }>(
  name: string,
  read: (sent: Sent) => string,
) =>
  z.refine<Sent>((sent) => !isBlank(read(sent)) || sent.imageId != null, {
    path: [name],
    message: 'Please write something.',
  });

/** What the two calls that send a message can answer. */
export const sendProblems = [
  'chat_not_found',
  'chat_closed',
  'chat_read_only',
  'chat_expired',
  'chat_request_text_only',
  'chat_request_full',
  'storage_file_not_found',
] as const;

export const messages = calls('/api/chat', {
  list: get('/:chatId/messages', {
    summary: 'Older (`before`) or newer (`after`) messages of a chat.',
    params: z.object({ chatId: ChatId }),
    query: MessagesQuery,
    reply: MessagesPage,
    errors: ['chat_not_found'],
  }),
  unsend: post('/unsend', {
    whileDiskFull: true,
    summary: 'Takes one of one’s own messages back, for both members at once (§4).',
    body: z.strictObject({ chatId: ChatId, messageId: Id }),
    reply: Message,
    errors: ['chat_not_found', 'message_not_found'],
  }),
  mark: post('/mark', {
    summary: 'Marks how far a chat was received and read; a mark never falls.',
    whileSuspended: true,
    body: z.strictObject({
      chatId: ChatId,
      delivered: z.optional(wholeNumber(0)),
      read: z.optional(wholeNumber(0)),
    }),
    reply: z.extend(ReadMark, { unread: z.int() }),
    errors: ['chat_not_found'],
  }),
});

/** What is sent on the channel of a chat beside its messages, to our own web only. */
export const ChatEvent = z.object({
  /** The marks of the other member; null when one of the two hides them. */
  mark: z.optional(z.object({ memberId: z.string(), delivered: z.int(), read: z.int() })),
  /** Profile id of the member who is typing. */
  typing: z.optional(z.string()),
  /** Whether the other member is here now, or when they were last seen; nothing while they hide it. */
  presence: z.optional(z.object({ memberId: z.string(), online: z.boolean(), lastSeenAt: z.nullable(Time) })),
  /** Whether one can write changed: the chat must be read again. */
  changed: z.optional(z.literal(true)),
});
export type ChatEvent = z.infer<typeof ChatEvent>;
