import { Id, largestInteger } from '@tara/contract/fields';
import { picturePreview } from '@tara/contract/notices';
import { and, eq, getTableName, or, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import {
  createConversation,
  deleteChat,
  findPair,
  conversations as table,
} from '../../../features/conversations/index.ts';
import { interactions, isOpen } from '../../../features/interactions/index.ts';
import { chatEntries, chatMarks, chats, markChat, readableChats } from '../../../features/messages/index.ts';
import { profiles } from '../../../features/profiles/index.ts';
import { createReceipt, receiptIdOf, receipts } from '../../../features/receipts/index.ts';
import { hiddenMembers, visibleTo } from '../../../features/visibility/index.ts';
import { isAmong } from '../../../platform/database/among.ts';
import type { StoredRow } from '../../../platform/database/columns.ts';
import type { Database } from '../../../platform/database/connect.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import {
  type Attribute,
  attribute,
  type Change,
  type Collection,
  change,
  creation,
  derivedByServer,
  existing,
  grants,
  type Reader,
  recordOf,
  type Spread,
} from '../collection.ts';

/** The chat of a conversation or receipt, and how far its two members read it. */
const chat = alias(chats, 'chat');
const firstMark = alias(chatMarks, 'first_mark');
const secondMark = alias(chatMarks, 'second_mark');

const joinsOf = (id: PgColumn) => [
  { table: chat, on: eq(chat.id, id) },
  ...(
    [
      [firstMark, chat.firstId],
      [secondMark, chat.secondId],
    ] as const
  ).map(([mark, member]) => ({
    table: mark,
    on: sql`${mark.chatId} = ${chat.id} and ${mark.memberId} = ${member}`,
  })),
];

/** The rows of a table of chats by one of its columns. */
const readChatRows = async (database: Database, table: PgTable, column: PgColumn, ids: string[]) => {
  const rows = await database.execute<{ row: StoredRow }>(
    sql`select to_jsonb(${table}) as row from ${table} where ${isAmong(column, ids)}`,
  );
  return rows.map(({ row }) => row);
};

/** Chats are spread by their ids, those of conversations and receipts. A viewer's own are found by the two members. */
const chatsOf = (table: PgTable & { id: PgColumn }, members: readonly PgColumn[]): Spread => ({
  records: 'coordinator',
  readRows: async (database, { profileId }, id) => {
    const own = or(...members.map((column) => eq(column, profileId)));
    const records = id === null ? await database.select({ id: table.id }).from(table).where(own) : [{ id }];
    const ids = records.map((record) => String(record.id));
    const [chatRows, markRows] = await Promise.all([
      readChatRows(database, chats, chats.id, ids),
      readChatRows(database, chatMarks, chatMarks.chatId, ids),
    ]);
    return { [getTableName(chats)]: chatRows, [getTableName(chatMarks)]: markRows };
  },
});

const isHiddenAccount = ({ viewer }: Reader, accountId: unknown) =>
  viewer?.hiddenAccountIds.some((id) => id === accountId) === true;
const isHiddenMember = ({ viewer }: Reader, profileId: unknown) =>
  viewer?.hiddenProfileIds.some((id) => id === profileId) === true;

/** What both kinds of chat show of their own: for the reader's mark the two members' are read. */
const chatAttributes: Record<string, Attribute> = {
  lastSequence: attribute('integer', chat.lastSequence, { indexed: true }),
  read: {
    type: 'integer',
    column: null,
    cells: [chat.firstAccountId, firstMark.read, secondMark.read],
    present: ([firstAccountId, first, second], { viewer }) =>
      viewer === null ? 0 : Number((viewer.accountId === firstAccountId ? first : second) ?? 0),
  },
  preview: {
    ...attribute('string', chat.preview),
    cells: [chat.preview, chat.lastSequence],
    present: ([preview, lastSequence]) => (Number(lastSequence) > 0 ? preview || picturePreview : ''),
  },
};

/** Marks a chat as read, as far as `read` says: no further than its newest message. */
const marking: Change = change({
  fields: z.strictObject({ read: z.int().min(0).max(largestInteger).optional() }),
  perMinute: 240,
  whileSuspended: ['read'],
  run: async (context, viewer, { data: { read }, document: { $id } }) => {
    if (read !== undefined) await markChat(context, viewer, $id, { read });
  },
});

/** A pair of ids, of which the hidden member's is empty. */
const pair = (
  [first, second]: readonly [PgColumn, PgColumn],
  isHidden: (reader: Reader, id: unknown) => boolean,
): Attribute => ({
  type: 'strings',
  column: sql`array[${first}, ${second}]`,
  indexed: true,
  cells: [first, second],
  present: (ids, reader) => ids.map((id) => (isHidden(reader, id) ? '' : id)),
});

/** One-to-one chats (§3). */
export const conversations: Collection = {
  source: {
    collectionId: 'conversations',
    ...recordOf(table),
    joins: joinsOf(table.id),
    updatedAt: sql`coalesce(${chat.newestAt}, ${table.createdAt})`,
    parties: [table.firstAccountId, table.secondAccountId],
    permissions: (members) =>
      [grants.readBy, grants.updateBy, grants.deleteBy].flatMap((by) => members.map(by)),
    attributes: {
      mixId: attribute('string', table.mixId, { indexed: true }),
      creators: pair([table.firstId, table.secondId], isHiddenMember),
      accountIds: pair([table.firstAccountId, table.secondAccountId], isHiddenAccount),
      expiration: attribute('time', chat.expiresAt, { indexed: true }),
      removeExpired: attribute('boolean', table.removeExpired, { indexed: true }),
      request: {
        ...attribute('string', chat.awaitsId),
        cells: [chat.awaitsId, chat.firstId, chat.firstAccountId],
        present: ([awaitsId, firstId, firstAccountId], { viewer }) => {
          if (awaitsId === null || viewer === null) return null;
          const isFirst = viewer.accountId === firstAccountId;
          return (awaitsId === firstId) === isFirst ? 'received' : 'sent';
        },
      },
      ...chatAttributes,
    },
  },
  spread: chatsOf(table, [table.firstId, table.secondId]),
  readable: {
    list: (viewer) => and(readableChats(viewer, chat), visibleTo(viewer, table.firstId, table.secondId)),
    one: (viewer) => readableChats(viewer, chat),
  },
  announced: false,
  create: creation({
    fields: z.strictObject({ creators: z.array(Id).length(2), expiration: derivedByServer }),
    sets: () => ({ removeExpired: false, preview: '' }),
    perMinute: 30,
    relatedSets: async ({ creators }, read) => {
      const ids = Array.isArray(creators) ? creators.slice(0, 2) : [];
      const members = await Promise.all(ids.map((id) => read('users', id)));
      const accountIds = members.map(({ accountId }) => accountId);
      return { accountIds, mixId: accountIds.join('') };
    },
    findExisting: async ({ database }, { profileId }, { creators }) => {
      const otherId = Array.isArray(creators) ? creators.find((id) => id !== profileId) : undefined;
      return typeof otherId === 'string' ? findPair(database, profileId, otherId) : undefined;
    },
    run: async (context, viewer, { data: { creators } }) => {
      const [creator1 = '', creator2 = ''] = creators;
      return (await createConversation(context, viewer, { creator1, creator2 })).id;
    },
  }),
  update: marking,
  // Out of the viewer's list until a new message comes; the other's stays, and so does the record.
  delete: {
    perMinute: 60,
    whileSuspended: true,
    run: (context, viewer, { $id }) => deleteChat(context, viewer, $id),
  },
};

const isOwnReceipt = ({ profileId }: Viewer) =>
  or(eq(receipts.creatorId, profileId), eq(receipts.clientId, profileId));

/** Between members of whom one is hidden the chat stays readable until its request is over (§6). */
const readableReceipts = (viewer: Viewer): SQL | undefined => {
  const isVisible = visibleTo(viewer, receipts.creatorId, receipts.clientId);
  return and(isOwnReceipt(viewer), isVisible && or(isVisible, isOpen()));
};

const accountId = (column: PgColumn): Attribute => ({
  ...attribute('string', column, { indexed: true }),
  present: ([id], reader) => (isHiddenAccount(reader, id) ? '' : id),
});

/** Plan chats (§3): the id is made of the beginnings of both members' ids and the reference number. */
export const conversationReceipts: Collection = {
  source: {
    collectionId: 'conversationReceipts',
    ...recordOf(receipts),
    joins: [
      ...joinsOf(receipts.id),
      { table: interactions, on: eq(interactions.id, receipts.interactionId) },
    ],
    updatedAt: sql`coalesce(${chat.newestAt}, ${receipts.createdAt})`,
    parties: [receipts.creatorAccountId, receipts.clientAccountId],
    permissions: (members) => [grants.readBy, grants.updateBy].flatMap((by) => members.map(by)),
    attributes: {
      convoId: attribute('string', receipts.id, { indexed: true }),
      interactionId: attribute('string', receipts.interactionId, { indexed: true }),
      creatorAccountId: accountId(receipts.creatorAccountId),
      clientAccountId: accountId(receipts.clientAccountId),
      ...chatAttributes,
    },
  },
  spread: chatsOf(receipts, [receipts.creatorId, receipts.clientId]),
  readable: { list: readableReceipts, one: readableReceipts },
  announced: false,
  create: creation({
    fields: z.strictObject({ interactionId: Id }),
    perMinute: 30,
    relatedSets: async ({ interactionId }, read) => {
      const request = await read('planInteractions', interactionId);
      const { creator, whoSentReq, referenceNumber, creatorAccountId, clientAccountId } = request;
      const [creatorId, clientId] = [creator, whoSentReq].map((member) => Object(member).$id);
      // Of a free request it is not known before.
      const isKnown = [creatorId, clientId, referenceNumber].every((part) => typeof part === 'string');
      const convoId = isKnown ? receiptIdOf(creatorId, clientId, String(referenceNumber)) : null;
      return { convoId, creatorAccountId, clientAccountId };
    },
    whileSuspended: true,
    run: async (context, viewer, { data: { interactionId } }) =>
      (await createReceipt(context, viewer, interactionId)).id,
  }),
  update: marking,
};

/** The list of chats of a member, as their own screens have it: without requests, and chats that they removed. */
const isListed = sql`${chatEntries.memberId} = ${profiles.id} and ${chatEntries.listedIn} = 'conversations'
  and not exists (select 1 from ${hiddenMembers}
    where ${hiddenMembers.viewerId} = ${profiles.id} and ${hiddenMembers.profileId} = ${chatEntries.otherId})`;

/** Each member's own record of their chats (§3): the list follows from the chats and is written by them alone. */
export const conversationOwners: Collection = {
  source: {
    collectionId: 'conversationOwners',
    table: profiles,
    id: profiles.id,
    createdAt: profiles.createdAt,
    // Of all entries: a chat that leaves the list does not make it older.
    updatedAt: sql`coalesce((select max(${chatEntries.updatedAt}) from ${chatEntries} where ${chatEntries.memberId} = ${profiles.id}), ${profiles.createdAt})`,
    parties: [profiles.accountId],
    permissions: ([owner = '']) => [grants.readBy(owner), grants.updateBy(owner)],
    attributes: {
      owner: attribute('string', profiles.id, { indexed: true }),
      accountId: attribute('string', profiles.accountId, { indexed: true }),
      /** Ids of the newest 100. */
      conversations: {
        type: 'strings',
        column: null,
        cells: [
          sql`(select json_agg(listed.chat_id) from (select ${chatEntries.chatId} from ${chatEntries}
            where ${isListed} order by ${chatEntries.updatedAt} desc, ${chatEntries.chatId} desc limit 100) as listed)`,
        ],
        present: ([ids]) => (typeof ids === 'string' ? JSON.parse(ids) : (ids ?? [])),
      },
      unread: attribute(
        'integer',
        sql`(select count(*)::int from ${chatEntries} where ${isListed} and ${chatEntries.incoming} > ${chatEntries.incomingRead})`,
      ),
    },
  },
  spread: {
    records: 'coordinator',
    readRows: async (database, { profileId }) => ({
      [getTableName(chatEntries)]: await readChatRows(database, chatEntries, chatEntries.memberId, [
        profileId,
      ]),
    }),
  },
  readable: {
    list: ({ profileId }) => eq(profiles.id, profileId),
    one: ({ profileId }) => eq(profiles.id, profileId),
  },
  announced: false,
  whileUnconfirmed: true,
  create: existing(({ profileId, accountId }) => ({ owner: profileId, accountId, conversations: [] })),
  // Its owner may send it as it is (§6).
  update: change({ fields: z.strictObject({}), perMinute: 60, run: async () => undefined }),
};
