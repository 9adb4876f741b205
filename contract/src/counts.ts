import * as z from 'zod/mini';
import { calls, get } from './calls.ts';
import { Time } from './fields.ts';
import { ChatId } from './messages/messages.ts';

/** A number of things, `countLimit` at most. */
const Count = z.int();

/** How much waits for a member. */
export const Counts = z.object({
  /** Open requests whose next step is the member's, and unread messages of the chats of open requests. */
  plans: Count,
  /** The same by the lists that have these requests; history has those that are fulfilled or disputed. */
  planLists: z.object({
    friendRequest: Count,
    yourRequest: Count,
    earn: Count,
    expense: Count,
    history: Count,
  }),
  /** Conversations with unread messages, without message requests. */
  conversations: Count,
  /** Message requests with unread messages, which stand in their own tab alone. */
  messageRequests: Count,
  /** What one was notified of and has not read. It is no work, and in no total. */
  notifications: Count,
  /** The chats of open requests that have unread messages, the newest first, `countLimit` at most. */
  planChats: z.array(z.object({ id: ChatId, unread: z.int() })),
  /** When a request next begins to wait without anybody doing something; null: none does. */
  changesAt: z.nullable(Time),
});
export type Counts = z.infer<typeof Counts>;

export const counts = calls('/api/counts', {
  own: get('/own', {
    summary:
      'How much waits for the member: requests, unread messages of plan chats, unread conversations and notifications.',
    reply: Counts,
  }),
});
