import * as z from 'zod/mini';
import { calls, get, post } from './calls.ts';
import { Id, ignored, Picture, queryNumber, Time, text } from './fields.ts';
import { Interaction } from './interactions.ts';
import { maxPagesPerCall, messageLength } from './limits.ts';

/** One message of a per-plan chat (§3 'chat receipt'). */
export const ReceiptMessage = z.object({
  id: z.string(),
  conversationReceiptId: z.string(),
  /** Counts from 1 within its chat without gaps: a client that reconnects requests the newer ones. */
  sequence: z.int(),
  /** Profile id of the author. */
  userId: z.string(),
  name: z.string(),
  body: z.string(),
  picture: z.nullable(Picture),
  /** Idempotency key, chosen by the sender: repeating the call with it changes nothing. */
  clientKey: z.string(),
  createdAt: Time,
});
export type ReceiptMessage = z.infer<typeof ReceiptMessage>;

/** The chat of one paid request (§3 'conversation receipt'). */
export const Receipt = z.object({
  /** First 5 characters of the creator's id, first 5 of the requester's, and the reference number (§3). */
  id: z.string(),
  convoId: z.string(),
  interactionId: z.string(),
  creatorAccountId: z.string(),
  clientAccountId: z.string(),
  createdAt: Time,
});
export type Receipt = z.infer<typeof Receipt>;

const ReceiptId = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const MessagesQuery = z.object({
  /** Older than this sequence. */
  before: z.optional(queryNumber(1)),
  /** Newer than this sequence, oldest first. */
  after: z.optional(queryNumber(0)),
  /** How many pages of 10 to return. */
  pages: z.optional(queryNumber(1, maxPagesPerCall)),
});
export const MessagesPage = z.object({ items: z.array(ReceiptMessage), hasMore: z.boolean() });

/** The form of the chat's input. The text is trimmed, and may be empty only with a picture (§5). */
export const SendReceiptMessage = z
  .strictObject({
    conversation: z.string().check(z.minLength(1), z.maxLength(64)),
    message: text(messageLength),
    imageId: z.nullish(Id),
    clientKey: z.string().check(z.minLength(8), z.maxLength(64)),
    name: ignored,
    userId: ignored,
    imageUrl: ignored,
    accountId1: ignored,
    accountId2: ignored,
  })
  .check(
    z.refine(({ message, imageId }) => message !== '' || imageId != null, {
      path: ['message'],
      message: 'Please write something.',
    }),
  );

export const receipts = calls('/api/plan', {
  createConversationReceipt: post('/createConversationReceipt', {
    whileSuspended: true,
    summary: 'Opens the chat of a paid request, once; for either party.',
    body: z.strictObject({
      interactionId: Id,
      convoId: ignored,
      creatorAccountId: ignored,
      clientAccountId: ignored,
    }),
    reply: Receipt,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  receipt: get('/receipt/:id', {
    summary: 'A per-plan chat with its request and its newest messages.',
    params: ReceiptId,
    query: z.pick(MessagesQuery, { pages: true }),
    reply: z.object({ receipt: Receipt, interaction: Interaction, messages: MessagesPage }),
    errors: ['receipt_not_found'],
  }),
  messages: get('/receipt/:id/messages', {
    summary: 'Older (`before`) or newer (`after`) messages of a per-plan chat.',
    params: ReceiptId,
    query: MessagesQuery,
    reply: MessagesPage,
    errors: ['receipt_not_found'],
  }),
  sendMessage: post('/sendMessage', {
    summary: 'Sends a message to a per-plan chat; replies with the stored message.',
    body: SendReceiptMessage,
    reply: ReceiptMessage,
    errors: ['receipt_not_found', 'receipt_closed', 'receipt_read_only', 'storage_file_not_found'],
  }),
});
