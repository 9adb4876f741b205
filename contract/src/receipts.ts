import * as z from 'zod';
import { calls, get, post } from './calls.ts';
import { Id, Picture, Time, text } from './fields.ts';
import { Interaction } from './interactions.ts';
import { messageLength, pagesAtOnce } from './limits.ts';

/** One message of a per-plan chat (§3 'chat receipt'). */
export const ReceiptMessage = z.object({
  id: z.string(),
  conversationReceiptId: z.string(),
  /** Counts from 1 within its chat, without holes: a client that reconnects asks for what is newer. */
  sequence: z.number().int(),
  /** Profile id of who wrote it. */
  userId: z.string(),
  name: z.string(),
  body: z.string(),
  picture: Picture.nullable(),
  /** Given by the sender: sending again with it changes nothing. */
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

const ReceiptId = z.object({ id: z.string().min(1).max(64) });
const MessagesQuery = z.object({
  /** Older than this sequence. */
  before: z.coerce.number().int().min(1).optional(),
  /** Newer than this sequence, oldest first. */
  after: z.coerce.number().int().min(0).optional(),
  /** How many pages of 10 at once. */
  pages: z.coerce.number().int().min(1).max(pagesAtOnce).optional(),
});
export const MessagesPage = z.object({ items: z.array(ReceiptMessage), hasMore: z.boolean() });

/** The form of the chat's input: text is trimmed, and is there unless a picture is (§5). */
export const SendReceiptMessage = z
  .strictObject({
    conversation: z.string().min(1).max(64),
    message: text(messageLength),
    imageId: Id.nullish(),
    clientKey: z.string().min(8).max(64),
    name: z.unknown().optional(),
    userId: z.unknown().optional(),
    imageUrl: z.unknown().optional(),
    accountId1: z.unknown().optional(),
    accountId2: z.unknown().optional(),
  })
  .refine((sent) => sent.message !== '' || sent.imageId != null, {
    path: ['message'],
    message: 'Please write something.',
  });

export const receipts = calls('/api/plan', {
  createConversationReceipt: post('/createConversationReceipt', {
    summary: 'Opens the chat of a paid request, once; either party.',
    body: z.strictObject({
      interactionId: Id,
      convoId: z.unknown().optional(),
      creatorAccountId: z.unknown().optional(),
      clientAccountId: z.unknown().optional(),
    }),
    reply: Receipt,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  receipt: get('/receipt/:id', {
    summary: 'A per-plan chat with its request and its newest messages.',
    params: ReceiptId,
    query: MessagesQuery.pick({ pages: true }),
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
    summary: 'Writes into a per-plan chat; the answer is the stored message.',
    body: SendReceiptMessage,
    reply: ReceiptMessage,
    errors: ['receipt_not_found', 'receipt_closed', 'storage_file_not_found'],
  }),
});
