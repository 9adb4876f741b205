import type { Conversation, ConversationRow } from '@tara/contract/conversations';
import type { Chat, Message } from '@tara/contract/messages';
import { samplePerson, sampleTime } from './samples.ts';

/** A message of Ben in the chat `AnaBen`. */
export const sampleMessage = (part: Partial<Message> = {}): Message => ({
  id: 'message',
  chatId: 'AnaBen',
  sequence: 1,
  userId: 'Ben',
  name: 'Ben',
  body: 'See you at six.',
  picture: null,
  replyTo: null,
  admin: false,
  unsent: false,
  clientKey: 'message-key',
  createdAt: sampleTime,
  ...part,
});

/** The chat `AnaBen` with one message, read by both. */
export const sampleChat = (part: Partial<Chat> = {}): Chat => ({
  id: 'AnaBen',
  kind: 'conversation',
  lastSequence: 1,
  unread: 0,
  own: { delivered: 1, read: 1 },
  other: { delivered: 1, read: 1 },
  readOnly: null,
  expiresAt: '2026-01-09T03:04:05.000+00:00',
  request: null,
  ...part,
});

/** A row of Ana's list: her chat with Ben, who wrote last. */
export const sampleConversationRow = (part: Partial<ConversationRow> = {}): ConversationRow => ({
  id: 'conversation',
  mixId: 'AnaBen',
  person: samplePerson('Ben'),
  preview: 'See you at six.',
  previewOwn: false,
  lastSequence: 1,
  unread: 0,
  expired: false,
  request: null,
  updatedAt: sampleTime,
  ...part,
});

/** The conversation of Ana and Ben as Ana sees it, with Ben online. */
export const sampleConversation = (part: Partial<Conversation> = {}): Conversation => ({
  id: 'AnaBen',
  mixId: 'AnaBen',
  person: samplePerson('Ben'),
  chat: sampleChat(),
  lastSeenAt: null,
  online: true,
  removeExpired: false,
  createdAt: sampleTime,
  ...part,
});
