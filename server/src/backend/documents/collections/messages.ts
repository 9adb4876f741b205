import { Id, OptionalId, text } from '@tara/contract/fields';
import { messageLength } from '@tara/contract/limits';
import { ChatId, type ChatKind, isBlank, ReplyTo } from '@tara/contract/messages/messages';
import { unsentBody } from '@tara/contract/notices';
import type { CollectionId, Document } from '@tara/contract/wire/documents';
import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import {
  chats as chatTable,
  messageSender,
  readableChats,
  messages as table,
  unsendMessage,
} from '../../../features/messages/index.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { newId } from '../../../platform/ids.ts';
import { Problem } from '../../../platform/problem.ts';
import {
  type Attribute,
  attribute,
  type Change,
  type Collection,
  change,
  creation,
  type DocumentSource,
  derivedByServer,
  grants,
  type Relation,
  type Removal,
  recordOf,
  type Spread,
  type WriteContext,
} from '../collection.ts';
import { person } from './people.ts';

/** The chat of a message. */
const chat = alias(chatTable, 'chat');

/** The author's account; null of a line of Tara or an admin. */
const authorAccountId = sql`(case ${table.userId} when ${chat.firstId} then ${chat.firstAccountId}
  when ${chat.secondId} then ${chat.secondAccountId} end)`;

/** The address of a message's picture. */
const imageUrl: Attribute = {
  ...attribute('string', table.imageId),
  present: ([imageId], { pictures }) =>
    typeof imageId === 'string' ? pictures.stored('messageFiles', imageId) : null,
};

/** A profile's id, and null of a member who is hidden from the reader. */
const memberId = (column: Attribute['cells'][number]): Attribute => ({
  ...attribute('string', column, { indexed: true }),
  present: ([id], { viewer }) =>
    typeof id === 'string' && !viewer?.hiddenProfileIds.includes(id) ? id : null,
});

/** What the messages of both kinds of chat have in common (§3). */
const messageSource = (
  collectionId: CollectionId,
  attributes: Record<string, Attribute | Relation>,
): DocumentSource => ({
  collectionId,
  ...recordOf(table),
  joins: [{ table: chat, on: eq(chat.id, table.chatId) }],
  updatedAt: sql`coalesce(${table.unsentAt}, ${table.createdAt})`,
  parties: [authorAccountId, chat.firstAccountId, chat.secondAccountId],
  permissions: ([author = '', ...members]) => [
    ...members.map(grants.readBy),
    grants.updateBy(author),
    grants.deleteBy(author),
  ],
  attributes: {
    ...attributes,
    name: attribute('string', table.name),
    body: attribute('string', table.body),
    imageId: attribute('string', table.imageId, { indexed: true }),
    imageUrl,
    sequence: attribute('integer', table.sequence, { indexed: true }),
    replyTo: attribute('integer', table.replyTo),
    /** A line of Tara or an admin (§3). */
    admin: attribute('boolean', sql`(${table.userId} is null)`, { indexed: true }),
    unsent: attribute('boolean', sql`(${table.unsentAt} is not null)`, { indexed: true }),
  },
});

/** Who reads a message: the members of its chat, as long as they read that. */
const readableMessages = (kind: ChatKind): Collection['readable'] => {
  const readable = (viewer: Viewer) => and(eq(chat.kind, kind), readableChats(viewer, chat));
  return { list: readable, one: readable };
};

/** Messages are spread by their chat, which their own ids do not say. */
const spread: Spread = { records: 'workers', key: table.chatId, keyOf: ({ chatId }) => chatId };

/** What a caller may set of a new message, beside its chat. */
const messageFields = {
  body: z.optional(text(messageLength)),
  /** Empty for none. */
  imageId: z.union([z.literal('').transform(() => null), OptionalId]),
  imageUrl: derivedByServer,
  replyTo: ReplyTo,
};

interface SentMessage {
  body?: string | undefined;
  imageId?: string | null | undefined;
  replyTo?: number | null | undefined;
}

/**
 * Sends a message by the product's own sender. The id that the caller chose makes a repetition harmless: it returns the
 * message that is stored.
 */
async function sendMessage(
  context: WriteContext,
  viewer: Viewer,
  kind: ChatKind,
  { chatId, documentId, ...message }: SentMessage & { chatId: string; documentId: string | null },
): Promise<string> {
  const { body = '', imageId = null, replyTo = null } = message;
  if (isBlank(body) && imageId === null)
    throw new Problem('document_invalid_structure', { fields: { body: 'Please write something.' } });
  const clientKey = `document-${documentId ?? newId()}`;
  const sent = await messageSender(context, kind).send(viewer, { chatId, body, imageId, replyTo, clientKey });
  return sent.id;
}

/** 'Message unsend: image cleared and body replaced by "message unsent"' (§4): nothing else of a message changes. */
function unsending(chatField: string): { update: Change; delete: Removal } {
  const run = async (context: WriteContext, viewer: Viewer, document: Document) => {
    await unsendMessage(context, viewer, { chatId: String(document[chatField]), messageId: document.$id });
  };
  return {
    update: change({
      fields: z.strictObject({
        body: z.literal(unsentBody, `A message can only be replaced by '${unsentBody}'`).optional(),
        imageId: z.union([z.null(), z.literal('')]).optional(),
        imageUrl: derivedByServer,
      }),
      perMinute: 60,
      run: async (context, viewer, { data, document }) => {
        if (data.body !== undefined) await run(context, viewer, document);
      },
    }),
    delete: { perMinute: 60, run },
  };
}

/** Messages of conversations (§3 'chat message'). */
export const chats: Collection = {
  source: messageSource('chats', {
    creator: person(table.userId, 'author', { indexed: true }),
    convoId: attribute('string', table.chatId, { indexed: true }),
    chatId: attribute('string', table.chatId, { indexed: true }),
    mixId: attribute('string', sql`(${chat.firstAccountId} || ${chat.secondAccountId})`, { indexed: true }),
  }),
  spread,
  readable: readableMessages('conversation'),
  announced: false,
  create: creation({
    fields: z.strictObject({ ...messageFields, convoId: Id }),
    sets: ({ profileId, name }, { convoId }) => ({ creator: profileId, name, chatId: convoId }),
    relatedSets: async ({ convoId }, read) => ({ mixId: (await read('conversations', convoId)).mixId }),
    perMinute: 240,
    run: (context, viewer, { data: { convoId: chatId, ...message }, documentId }) =>
      sendMessage(context, viewer, 'conversation', { ...message, chatId, documentId }),
  }),
  ...unsending('convoId'),
};

/** Messages of plan chats (§3 'chat receipt'). */
export const chatReceipts: Collection = {
  source: messageSource('chatReceipts', {
    conversationReceiptId: attribute('string', table.chatId, { indexed: true }),
    userId: memberId(table.userId),
  }),
  spread,
  readable: readableMessages('receipt'),
  announced: false,
  create: creation({
    fields: z.strictObject({ ...messageFields, conversationReceiptId: ChatId }),
    sets: ({ profileId, name }) => ({ userId: profileId, name }),
    perMinute: 240,
    run: (context, viewer, { data: { conversationReceiptId: chatId, ...message }, documentId }) =>
      sendMessage(context, viewer, 'receipt', { ...message, chatId, documentId }),
  }),
  ...unsending('conversationReceiptId'),
};
