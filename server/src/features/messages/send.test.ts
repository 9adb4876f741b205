import { receipts } from '@tara/contract/messages/receipts';
import { channel } from '@tara/contract/wire/realtime';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { openBus } from '../../platform/bus.ts';
import type { Topics } from '../../platform/documents.ts';
import { newId } from '../../platform/ids.ts';
import { messageOf } from '../../testing/features/chats.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { testServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { receiptRoutes } from '../receipts/index.ts';
import { chatEntries, messages } from './tables.ts';

const test = serverTest((app, platform) => receiptRoutes(app, platform));

const send = receipts.sendMessage;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a message is answered as stored and announced to both members (§7-api-send-receipt-message, §7-realtime-receipt, §5-chat-messages)', async ({
  database,
  platform,
  server,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const clientKey = newId();
  const { reply } = await server.call(client, send, {
    body: { conversation: chatId, message: '  Kumusta? 😎  ', clientKey, name: 'Someone else', userId: 'x' },
  });
  expect(reply).toMatchObject({
    chatId,
    sequence: 1,
    userId: client.profileId,
    name: client.name,
    body: 'Kumusta? 😎',
    picture: null,
    clientKey,
  });
  expect(platform.announced.filter(({ id }) => id === reply.id)).toEqual([
    {
      collection: 'chatReceipts',
      id: reply.id,
      change: 'create',
      document: { ...messageOf(reply), conversationReceiptId: chatId },
      audience: [creator.accountId, client.accountId],
      owners: { profileIds: [], authorId: null },
      alsoOn: [channel.document('conversationReceipts', chatId)],
    },
  ]);
});

test('a message may reply to an earlier one of its chat; what is none before it is left out', async ({
  database,
  server,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const reply = async (who: Member, replyTo: number | null) => {
    const body = { conversation: chatId, message: 'Hello', replyTo, clientKey: newId() };
    return (await server.call(who, send, { body })).reply;
  };
  const sent = [
    await reply(client, null),
    await reply(creator, 1),
    await reply(client, 3),
    await reply(client, 9),
    await reply(creator, 3),
  ];
  const expected = [null, 1, null, null, 3];
  expect(sent.map(({ replyTo }) => replyTo)).toEqual(expected);
  const stored = await database
    .select({ replyTo: messages.replyTo })
    .from(messages)
    .where(eq(messages.chatId, chatId))
    .orderBy(messages.sequence);
  expect(stored.map(({ replyTo }) => replyTo)).toEqual(expected);
});

test('a message without a key is stored once more each time it is sent', async ({ database, server }) => {
  const { chatId, client } = await insertChat(database);
  const body = { conversation: chatId, message: 'Hello' };
  const sent = await Promise.all([1, 2, 3].map(() => server.call(client, send, { body })));
  expect(sent.map(({ reply }) => reply.sequence).sort()).toEqual([1, 2, 3]);
  expect(new Set(sent.map(({ reply }) => reply.clientKey)).size).toBe(3);
});

test('fifty members who write at once leave no hole in any sequence', async ({ database, server }) => {
  const chats = await Promise.all(numbers(25).map(() => insertChat(database)));
  const sends = chats.flatMap(({ chatId, client, creator }) =>
    [client, creator].flatMap((who) =>
      numbers(4).map((number) =>
        server.call(who, send, { body: { conversation: chatId, message: `${number}`, clientKey: newId() } }),
      ),
    ),
  );
  const crowded = await insertChat(database);
  for (const number of numbers(50)) {
    const who = number % 2 ? crowded.client : crowded.creator;
    sends.push(
      server.call(who, send, {
        body: { conversation: crowded.chatId, message: `${number}`, clientKey: newId() },
      }),
    );
  }
  const stored = (await Promise.all(sends)).map(({ reply }) => reply);
  for (const { chatId } of [...chats, crowded]) {
    const own = stored.filter((message) => message.chatId === chatId);
    const sequences = own.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(numbers(chatId === crowded.chatId ? 50 : 8));
  }
});

test('two nodes that write at once leave no hole either', async ({ database, platform, server }) => {
  const second = await testServer(platform, (app) => receiptRoutes(app, platform));
  const { chatId, client, creator } = await insertChat(database);
  const shared = newId();
  const sends = numbers(40).map((number) => {
    const node = number % 2 ? server : second;
    const body = { conversation: chatId, message: 'x', clientKey: number > 36 ? shared : newId() };
    return node.call(number % 3 && number <= 36 ? creator : client, send, { body });
  });
  const stored = (await Promise.all(sends)).map(({ reply }) => reply);
  const sequences = new Set(stored.map(({ sequence }) => sequence));
  expect([...sequences].sort((a, b) => a - b)).toEqual(numbers(37));
  expect(new Set(stored.slice(36).map(({ id }) => id)).size).toBe(1);
  await second.close();
});

test('what a node stored that died before it announced it is announced by the one that is asked again (threat-lost-data)', async ({
  database,
  platform,
  server,
}) => {
  const bus = openBus<Topics>(platform.log);
  const announced: string[] = [];
  bus.subscribe('document', ({ collection, id }) => void announced.push(`${collection} ${id}`));
  const nodes = { areMany: true, hearsAll: () => true };
  const next = { ...platform, bus, nodes };
  const other = await testServer(next, (app) => receiptRoutes(app, next));
  const { chatId, client } = await insertChat(database);
  const body = { conversation: chatId, message: 'hello', clientKey: newId() };
  const { reply } = await server.call(client, send, { body });
  await database.delete(chatEntries).where(eq(chatEntries.chatId, chatId));
  expect((await other.call(client, send, { body })).reply).toEqual(reply);
  await expect.poll(() => announced).toContain(`chatReceipts ${reply.id}`);
  await expect.poll(() => database.$count(chatEntries, eq(chatEntries.chatId, chatId))).toBe(2);
  await other.close();
});

test('sending again with the same key answers the stored message and announces nothing', async ({
  database,
  platform,
  server,
}) => {
  const { chatId, client, creator } = await insertChat(database);
  const body = { conversation: chatId, message: 'once', clientKey: newId() };
  const answers = await Promise.all(numbers(5).map(() => server.call(client, send, { body })));
  answers.push(await server.call(client, send, { body: { ...body, message: 'other words' } }));
  const [first, ...again] = answers.map(({ reply }) => reply);
  for (const reply of again) expect(reply).toEqual(first);
  // The key is each writer's own.
  const other = await server.call(creator, send, { body });
  expect(other.reply.sequence).toBe(2);
  expect(platform.announced.filter(({ id }) => id === first?.id)).toHaveLength(1);
});

test('what is refused in a group leaves the others stored', async ({ database, server }) => {
  const [one, two] = [await insertChat(database), await insertChat(database)];
  const body = (conversation: string) => ({ conversation, message: 'hello', clientKey: newId() });
  const answers = await Promise.all([
    server.call(one.client, send, { body: body(one.chatId) }),
    server.call(one.client, send, { body: body(two.chatId) }),
    server.call(two.client, send, { body: body(two.chatId) }),
    server.call(one.creator, send, { body: body('unknown') }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 404]);
});

test.for([
  ['nothing but spaces', { message: '   ' }, 'message'],
  ['characters that show nothing', { message: '\u200b\u2060 \u3164' }, 'message'],
  ['too many characters', { message: 'x'.repeat(5001) }, 'message'],
  ['a field that is not of the call', { sequence: 7 }, 'sequence'],
  ['a zero character in the text', { message: 'a\u0000b' }, 'message'],
  ['a zero character in the key', { clientKey: 'a\u0000bcdefgh' }, 'clientKey'],
] as const)(
  '%s is refused with the field’s name, and nothing is stored',
  async ([_, wrong, field], { database, server }) => {
    const { chatId, client } = await insertChat(database);
    const before = await database.$count(messages);
    const body = { conversation: chatId, message: 'x', clientKey: newId(), ...wrong };
    const { status, problem } = await server.call(client, send, { body });
    expect(status).toBe(400);
    expect(problem.fields).toHaveProperty(field);
    expect(await database.$count(messages)).toBe(before);
  },
);
