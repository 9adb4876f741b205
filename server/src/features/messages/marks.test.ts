import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chatActions, chatRoutes } from '../../testing/features/chats.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { markChat } from './marks.ts';
import { chatEntries, chatMarks } from './tables.ts';

const test = serverTest(chatRoutes).extend('chat', { scope: 'file' }, ({ server }) => chatActions(server));

test('a mark rises to what was read, and never falls', async ({ database, chat }) => {
  const { chatId, client, creator } = await insertChat(database);
  for (const text of ['one', 'two', 'three']) await chat.send(creator, chatId, text);
  expect((await chat.read(client, chatId)).reply.chat).toMatchObject({
    unread: 3,
    own: { delivered: 0, read: 0 },
  });
  const steps = [
    [{ delivered: 2 }, { delivered: 2, read: 0, unread: 3 }],
    [{ read: 2 }, { delivered: 2, read: 2, unread: 1 }],
    [
      { read: 1, delivered: 1 },
      { delivered: 2, read: 2, unread: 1 },
    ],
    // There is nothing after the newest message.
    [{ read: 2_000_000_000 }, { delivered: 3, read: 3, unread: 0 }],
  ] as const;
  for (const [mark, reply] of steps) expect((await chat.mark(client, chatId, mark)).reply).toEqual(reply);
  // One's own messages are never unread.
  await chat.send(client, chatId, 'four');
  expect((await chat.read(client, chatId)).reply.chat).toMatchObject({ unread: 0, other: { read: 0 } });
  expect((await chat.read(creator, chatId)).reply.chat).toMatchObject({ unread: 1, other: { read: 3 } });
});

test('marks at once end at the highest, and the list has the same', async ({ database, chat }) => {
  const { chatId, client, creator } = await insertChat(database);
  const { id: conversationId } = await insertConversation(database, creator, client);
  for (let count = 0; count < 10; count++) await chat.send(creator, chatId, `${count}`);
  const marks = [3, 9, 1, 7, 5].map((read) => chat.mark(client, chatId, { read }));
  await Promise.all(marks);
  const isOwn = and(eq(chatMarks.chatId, chatId), eq(chatMarks.memberId, client.profileId));
  const [mark] = await database.select().from(chatMarks).where(isOwn);
  expect(mark).toMatchObject({ read: 9, delivered: 9, incomingRead: 9 });
  const entries = await database
    .select()
    .from(chatEntries)
    .where(inArray(chatEntries.memberId, [client.profileId, creator.profileId]));
  const isMarked = (entry: typeof chatEntries.$inferSelect) =>
    entry.memberId === client.profileId && entry.chatId === chatId;
  expect(entries.filter(isMarked)).toMatchObject([{ read: 9, incomingRead: 9 }]);
  // Neither the list of the other nor other chats.
  const others = entries.filter((entry) => !isMarked(entry));
  expect(others.map((entry) => entry.chatId).sort()).toEqual([chatId, conversationId, conversationId].sort());
  for (const entry of others) expect(entry).toMatchObject({ read: 0, incomingRead: 0 });
});

test('the other learns of a mark, unless one of the two hides marks', async ({
  database,
  platform,
  chat,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const marksTold = () =>
    platform.announced.filter(({ id, document }) => id === chatId && 'mark' in document);
  await chat.send(creator, chatId, 'hi');
  await chat.mark(client, chatId, { read: 1 });
  const event = { mark: { memberId: client.profileId, delivered: 1, read: 1 } };
  expect(marksTold()).toMatchObject([{ document: event, audience: [creator.accountId] }]);
  await chat.mark(client, chatId, { read: 1 });
  expect(marksTold()).toHaveLength(1);

  await database.update(chatMarks).set({ showsRead: false }).where(eq(chatMarks.memberId, creator.profileId));
  await chat.send(creator, chatId, 'again');
  expect((await chat.mark(client, chatId, { read: 2 })).reply).toMatchObject({ read: 2 });
  expect(marksTold()).toHaveLength(1);
  for (const who of [client, creator]) expect((await chat.read(who, chatId)).reply.chat.other).toBeNull();
});

test.for([
  ['a mark below zero', { read: -1 }, 'read'],
  ['a mark no column holds', { delivered: 2_147_483_648 }, 'delivered'],
  ['half a message', { read: 0.5 }, 'read'],
] as const)('%s is refused with the field’s name', async ([_, mark, field], { database, chat }) => {
  const { chatId, client } = await insertChat(database);
  const { status, problem } = await chat.mark(client, chatId, mark);
  expect(status).toBe(400);
  expect(problem.fields).toHaveProperty(field);
});

test('nobody else marks a chat, or learns that it exists', async ({ database, chat }) => {
  const { chatId } = await insertChat(database);
  const stranger = await insertMember(database, { admin: true });
  for (const id of [chatId, newId()])
    expect((await chat.mark(stranger, id, { read: 1 })).problem.type).toBe('chat_not_found');
});

test('what arrives while a mark rises is counted', async ({ database, platform, chat }) => {
  const { chatId, client, creator } = await insertChat(database);
  await chat.send(creator, chatId, 'one');
  // Between the look at the chat and the mark two more arrive, of which one is marked.
  let arrived = false;
  const execute = async (query: SQL) => {
    if (!arrived) for (const text of ['two', 'three']) await chat.send(creator, chatId, text);
    arrived = true;
    return database.execute(query);
  };
  const slow = new Proxy(database, {
    get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
  });
  const marked = await markChat({ ...platform, database: slow }, client, chatId, { read: 2 });
  expect(marked).toEqual({ delivered: 2, read: 2, unread: 1 });
});
