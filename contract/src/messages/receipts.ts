import * as z from 'zod/mini';
import { calls, get, post, withSuccess } from '../calls.ts';
import { Id, Time, text } from '../fields.ts';
import { Interaction } from '../interactions/interactions.ts';
import { messageLength } from '../limits.ts';
import {
  Chat,
  ChatId,
  hasContent,
  Message,
  MessagesPage,
  MessagesQuery,
  messageFields,
  sendProblems,
} from './messages.ts';

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

const ReceiptId = z.object({ id: ChatId });
/** The form of the chat's input. The text is trimmed, and may be empty only with a picture (§5). */
export const SendReceiptMessage = z
  .strictObject({
    conversation: ChatId,
    message: text(messageLength),
    ...messageFields,
  })
  .check(hasContent('message', ({ message }) => message));

export const receipts = calls('/api/plan', {
  createConversationReceipt: post('/createConversationReceipt', {
    whileSuspended: true,
    summary: 'Opens the chat of a paid request, once; for either party.',
    body: z.strictObject({ interactionId: Id }),
    reply: Receipt,
    errors: ['interaction_not_found', 'interaction_not_allowed'],
  }),
  receipt: get('/receipt/:id', {
    summary: 'A per-plan chat with its request and its newest messages.',
    params: ReceiptId,
    query: z.pick(MessagesQuery, { pages: true }),
    reply: z.object({ receipt: Receipt, chat: Chat, interaction: Interaction, messages: MessagesPage }),
    errors: ['receipt_not_found'],
  }),
  sendMessage: post('/sendMessage', {
    summary: 'Sends a message to a per-plan chat; replies with the stored message.',
    body: SendReceiptMessage,
    reply: withSuccess(Message),
    errors: [...sendProblems],
  }),
});
