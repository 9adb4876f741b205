import * as z from 'zod/mini';
import { calls, get, patch, post, withSuccess } from '../calls.ts';
import { Id, Time, text } from '../fields.ts';
import { messageLength } from '../limits.ts';
import { Person } from '../members/profiles.ts';
import { getPage, Page } from '../page.ts';
import {
  Chat,
  hasContent,
  Message,
  MessagesPage,
  MessagesQuery,
  messageFields,
  sendProblems,
} from './messages.ts';

/** A one-to-one chat (§3 'conversation') for one of its two members. */
export const Conversation = z.object({
  id: z.string(),
  /** The pair key: the two account ids joined, the creator of the conversation first. */
  mixId: z.string(),
  /** The other member; after a block only the name is left. */
  person: Person,
  chat: Chat,
  /** When the other was last seen, ISO; null while hidden, unknown or online. */
  lastSeenAt: z.nullable(Time),
  /** Whether the other is connected now; false while hidden. */
  online: z.boolean(),
  /** A paid request between the two keeps the conversation open for good (decisions §1). */
  removeExpired: z.boolean(),
  createdAt: Time,
});
export type Conversation = z.infer<typeof Conversation>;

/** A row of the list of conversations. */
export const ConversationRow = z.object({
  id: z.string(),
  mixId: z.string(),
  person: Person,
  /** Start of the newest message; empty before the first. */
  preview: z.string(),
  /** Whether the viewer wrote the newest message. */
  previewOwn: z.boolean(),
  lastSequence: z.int(),
  unread: z.int(),
  expired: z.boolean(),
  request: Chat.shape.request,
  /** Time of the newest message, or of the conversation before its first. */
  updatedAt: Time,
});
export type ConversationRow = z.infer<typeof ConversationRow>;

/** Characters of a pair key: two account ids. */
const mixIdLength = 72;
export const MixId = z.string().check(z.minLength(2), z.maxLength(mixIdLength));

/** Who may begin a chat with a member. */
export const messagesFromChoices = ['everyone', 'verified', 'plans', 'nobody'] as const;
export const ChatSettings = z.strictObject({
  /** Everyone, verified members, people with a plan together, nobody; about new chats. */
  messagesFrom: z.enum(messagesFromChoices),
  /** A member who switches this off shows no read marks and sees none. */
  showReadMarks: z.boolean(),
  /** Whether others see when one is online and was last seen. */
  showLastSeen: z.boolean(),
});
export type ChatSettings = z.infer<typeof ChatSettings>;

/**
 * The form of a conversation's input. The text is trimmed, and may be empty only with a picture (§5). §7 has it in two ways: with
 * `convoId` and `body`, or with `mixId` and `message`, which are read where the first two are not sent.
 */
export const SendMessage = z
  .strictObject({
    convoId: z.optional(Id),
    mixId: z.optional(z.string().check(z.maxLength(mixIdLength))),
    body: z.optional(text(messageLength)),
    message: z.optional(text(messageLength)),
    ...messageFields,
  })
  .check(
    z.refine(({ convoId, mixId }) => convoId !== undefined || z.safeParse(MixId, mixId).success, {
      path: ['convoId'],
      message: 'Must be the id of a conversation, unless mixId is its pair key.',
    }),
    hasContent('body', ({ body, message }) => body ?? message ?? ''),
  );

const ConvoId = z.strictObject({ convoId: Id });

export const conversations = calls('/api/message', {
  createConversation: post('/createConversation', {
    summary: 'Opens the conversation of two members, once; replies with it also when it exists.',
    /** Profile ids of the two, one of them the viewer's own. */
    body: z.strictObject({ creator1: Id, creator2: Id }),
    reply: Conversation,
    errors: [
      'profile_not_found',
      'conversation_own',
      'conversation_not_wanted',
      'conversation_requests_hourly',
      'conversation_requests_waiting',
    ],
  }),
  sendMessage: post('/sendMessage', {
    summary:
      'Sends a message to a conversation, named by its id or its pair key; replies with the stored message.',
    body: SendMessage,
    reply: withSuccess(Message),
    errors: [...sendProblems, 'conversation_not_found'],
  }),
  conversation: get('/conversation/:mixId', {
    summary: 'The conversation of a pair, in either order of its key, with its newest messages.',
    params: z.object({ mixId: MixId }),
    query: z.pick(MessagesQuery, { pages: true }),
    reply: z.object({ conversation: Conversation, messages: MessagesPage }),
    errors: ['conversation_not_found'],
  }),
  list: getPage('/conversations', ConversationRow, {
    summary: 'One’s own conversations, or the message requests that wait, by the newest message.',
    query: z.extend(Page, { requests: z.optional(z.literal('only')) }),
    errors: ['general_cursor_not_found'],
  }),
  markRead: post('/markRead', {
    summary: 'Marks the whole conversation of a pair as read (§7).',
    whileSuspended: true,
    body: z.strictObject({ mixId: MixId }),
    errors: ['conversation_not_found'],
  }),
  deleteChat: post('/deleteChat', {
    summary: 'Hides a conversation from one’s own list until a new message arrives.',
    whileSuspended: true,
    body: ConvoId,
    errors: ['conversation_not_found'],
  }),
  answerRequest: post('/answerRequest', {
    summary:
      'Accepts a message request, or ignores it: ignored, it leaves the list and its sender is not told.',
    body: z.strictObject({ convoId: Id, answer: z.enum(['accept', 'ignore']) }),
    errors: ['conversation_not_found'],
  }),
  settings: get('/settings', {
    summary: 'Who may write to the viewer, and what others see.',
    reply: ChatSettings,
  }),
  updateSettings: patch('/settings', {
    summary: 'Changes who may write to the viewer, and what others see.',
    body: z.partial(ChatSettings),
    reply: ChatSettings,
  }),
});
