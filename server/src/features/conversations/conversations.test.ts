import { blocks } from '@tara/contract/blocks';
import { conversations } from '@tara/contract/conversations';
import { messages } from '@tara/contract/messages';
import { channel } from '@tara/contract/realtime';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertConversation } from '../../testing/conversations.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { insertChat } from '../../testing/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { blockRoutes } from '../blocks/index.ts';
import { chatEntries, chats, messageRoutes, messages as rows } from '../messages/index.ts';
import { conversationRoutes } from './routes.ts';

const test = serverTest((app, platform) => {
  conversationRoutes(app, platform);
  messageRoutes(app, platform);
  blockRoutes(app, platform);
})
  .extend(
    'member',
    ({ database }) =>
      (name: string) =>
        insertMember(database, { name }),
  )
  .extend(
    'write',
    ({ server }) =>
      (who: Member, convoId: string, body: string, clientKey = newId()) =>
        server.call(who, conversations.sendMessage, { body: { convoId, body, clientKey } }),
  )
  .extend(
    'read',
    ({ server }) =>
      (who: Member, mixId: string) =>
        server.call(who, conversations.conversation, { params: { mixId } }),
  )
  .extend(
    'list',
    ({ server }) =>
      async (who: Member, query: object = {}) =>
        (await server.call(who, conversations.list, { query })).reply,
  )
  /** The lists are written after the messages. */
  .extend(
    'listed',
    ({ database }) =>
      (chatId: string, sequence: number) =>
        expect
          .poll(() =>
            database
              .select({ sequence: chatEntries.lastSequence })
              .from(chatEntries)
              .where(eq(chatEntries.chatId, chatId)),
          )
          .toEqual([{ sequence }, { sequence }]),
  );

const past = () => new Date(Date.now() - 1000);
const sequences = ({ items }: { items: { sequence: number }[] }) => items.map(({ sequence }) => sequence);

describe('a message of a conversation', () => {
  test('is not taken for a plan chat', async ({ database, write }) => {
    const { chatId, client } = await insertChat(database);
    expect((await write(client, chatId, 'in the wrong chat')).problem.type).toBe('chat_not_found');
  });

  test('is answered as stored and told to both (§7-api-send-message, §7-send-message, §3-chat-message, §7-realtime-conversation, §1-chat)', async ({
    database,
    platform,
    member,
    write,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    const { reply } = await write(ben, id, '  Kumusta? 😎  ');
    expect(reply).toMatchObject({
      chatId: id,
      sequence: 1,
      userId: ben.profileId,
      name: 'Ben',
      body: 'Kumusta? 😎',
    });
    expect(platform.announced.filter((event) => event.id === reply.id)).toEqual([
      {
        ...{ collection: 'chats', id: reply.id, change: 'create' },
        document: { ...reply, convoId: id, creator: ben.profileId, mixId },
        audience: [ana.accountId, ben.accountId],
        owners: { profileIds: [], authorId: null },
        alsoOn: [
          channel.document('conversations', id),
          channel.document('conversationOwners', ana.profileId),
          channel.document('conversationOwners', ben.profileId),
        ],
      },
    ]);
  });

  test('sent by both fifty times at once, each twice, is stored once and in order', async ({
    database,
    member,
    write,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    const keys = Array.from({ length: 50 }, () => newId());
    const sends = keys.flatMap((key, index) =>
      [0, 1].map(() => write(index % 2 ? ana : ben, id, `${index}`, key)),
    );
    const stored = (await Promise.all(sends)).map(({ reply }) => reply);
    expect(new Set(stored.map((message) => message.id)).size).toBe(50);
    const numbers = [...new Set(stored.map(({ sequence }) => sequence))].sort((a, b) => a - b);
    expect(numbers).toEqual(keys.map((_, index) => index + 1));
    expect(await database.$count(rows, eq(rows.chatId, id))).toBe(50);
  });

  test('is refused for who is not a member, whatever ids they name', async ({
    database,
    server,
    member,
    write,
  }) => {
    const [ana, ben, eve] = [await member('Ana'), await member('Ben'), await member('Eve')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    const body = { convoId: id, body: 'let me in', clientKey: newId(), mixId, creator: ana.profileId };
    const forged = { ...body, accountId1: ana.accountId, accountId2: ben.accountId };
    const { problem } = await server.call(eve, conversations.sendMessage, { body: forged });
    expect(problem.type).toBe('chat_not_found');
    expect((await write(eve, 'unknown', 'x')).problem.type).toBe('chat_not_found');
  });

  test.for([
    ['nothing but spaces', { body: '   ' }, 'body'],
    ['too long', { body: 'x'.repeat(5001) }, 'body'],
    ['without a conversation', { convoId: '' }, 'convoId'],
    ['without a key', { clientKey: '' }, 'clientKey'],
  ] as const)('is refused %s', async ([, change, field], { database, server, member }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    const body = { convoId: id, body: 'x', clientKey: newId(), ...change };
    const { problem } = await server.call(ana, conversations.sendMessage, { body });
    expect(problem).toMatchObject({ code: 400, fields: { [field]: expect.any(String) } });
  });

  test('is taken back for both, with its preview (§7-delete-message)', async ({
    database,
    server,
    member,
    write,
    list,
    listed,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    const sent = (await write(ana, id, 'a secret')).reply;
    await listed(id, 1);
    const unsend = (who: Member) =>
      server.call(who, messages.unsend, { body: { chatId: id, messageId: sent.id } });
    expect((await unsend(ben)).problem.type).toBe('message_not_found');
    expect((await unsend(ana)).reply).toMatchObject({ body: 'message unsent', unsent: true });
    expect((await list(ben)).items[0]).toMatchObject({ id, preview: 'message unsent' });
  });

  test('after the reply to a block is not stored, however many are under way', async ({
    database,
    server,
    member,
    write,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    const first = Array.from({ length: 40 }, (_, index) => write(ana, id, `${index}`));
    const blocked = server.call(ben, blocks.block, { body: { profileId: ana.profileId } });
    const more = Array.from({ length: 40 }, (_, index) => write(ana, id, `more ${index}`));
    expect((await blocked).status).toBe(200);
    const count = await database.$count(rows, eq(rows.chatId, id));
    const answers = await Promise.all([...first, ...more]);
    const stored = answers.filter(({ status }) => status === 200);
    expect((await write(ana, id, 'late')).problem.type).toBe('chat_read_only');
    expect(await database.$count(rows, eq(rows.chatId, id))).toBe(count);
    expect(stored).toHaveLength(count);
  });
});

describe('a conversation', () => {
  test('is found by its pair key in both orders, with its newest messages, 3 a page (§7-search-conversations, §7-list-chat-messages, §7-list-messages)', async ({
    database,
    server,
    member,
    write,
    read,
  }) => {
    const [ana, ben, eve] = [await member('Ana'), await member('Ben'), await member('Eve')];
    const { id } = await insertConversation(database, ana, ben);
    for (let count = 1; count <= 11; count++) await write(count % 2 ? ana : ben, id, `${count}`);
    for (const mixId of [ana.accountId + ben.accountId, ben.accountId + ana.accountId]) {
      const { reply } = await read(ben, mixId);
      expect(reply.conversation).toMatchObject({ id, person: { id: ana.profileId }, chat: { unread: 6 } });
      expect(sequences(reply.messages)).toEqual([11, 10, 9]);
      expect(reply.messages.hasMore).toBe(true);
      expect((await read(eve, mixId)).problem.type).toBe('conversation_not_found');
    }
    for (const mixId of [ana.accountId, `${ana.accountId}x`, 'x'.repeat(73)])
      expect((await read(ana, mixId)).problem.type).toBe('conversation_not_found');
    const older = await server.call(ana, messages.list, {
      params: { chatId: id },
      query: { before: 9, pages: 2 },
    });
    expect(sequences(older.reply)).toEqual([8, 7, 6, 5, 4, 3]);
    const newer = await server.call(ana, messages.list, { params: { chatId: id }, query: { after: 9 } });
    expect(sequences(newer.reply)).toEqual([10, 11]);
  });

  test('is marked as read by its pair key (§7-mark-read)', async ({
    database,
    server,
    member,
    write,
    read,
    listed,
  }) => {
    const [ana, ben, eve] = [await member('Ana'), await member('Ben'), await member('Eve')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    await write(ana, id, 'one');
    await write(ana, id, 'two');
    await listed(id, 2);
    const unread = async () => (await server.call(ben, messages.unread)).reply.conversations;
    expect(await unread()).toBe(2);
    const mark = (who: Member) => server.call(who, conversations.markRead, { body: { mixId } });
    expect((await mark(eve)).problem.type).toBe('conversation_not_found');
    expect((await mark(ben)).status).toBe(200);
    expect(await unread()).toBe(0);
    expect((await read(ana, mixId)).reply.conversation.chat.other).toEqual({ delivered: 2, read: 2 });
  });

  test('shows no read marks once one of the two hides them', async ({
    database,
    server,
    member,
    write,
    read,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    await write(ana, id, 'one');
    await server.call(ben, conversations.markRead, { body: { mixId } });
    const marks = async () => [
      (await read(ana, mixId)).reply.conversation.chat.other,
      (await read(ben, mixId)).reply.conversation.chat.other,
    ];
    const set = (showReadMarks: boolean) =>
      server.call(ben, conversations.updateSettings, { body: { showReadMarks } });
    await set(false);
    expect(await marks()).toEqual([null, null]);
    const cora = await member('Cora');
    const begun = await server.call(cora, conversations.createConversation, {
      body: { creator1: cora.profileId, creator2: ben.profileId },
    });
    await server.call(ben, conversations.answerRequest, {
      body: { convoId: begun.reply.id, answer: 'accept' },
    });
    expect((await read(cora, begun.reply.mixId)).reply.conversation.chat.other).toBeNull();
    await set(true);
    expect((await marks())[0]).toEqual({ delivered: 1, read: 1 });
  });

  test('that expired is read and not written (§4-conversation-expiry)', async ({
    database,
    member,
    write,
    read,
    list,
    listed,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    await write(ana, id, 'in time');
    await listed(id, 1);
    expect((await list(ben)).items[0]).toMatchObject({ id, expired: false });
    await database.update(chats).set({ expiresAt: past() }).where(eq(chats.id, id));
    await database.update(chatEntries).set({ expiresAt: past() }).where(eq(chatEntries.chatId, id));
    expect((await write(ana, id, 'late')).problem.type).toBe('chat_expired');
    expect((await list(ben)).items[0]).toMatchObject({ id, expired: true });
    const { reply } = await read(ben, mixId);
    expect(reply.conversation.chat.readOnly).toBe('expired');
    expect(reply.messages.items[0]?.body).toBe('in time');
  });

  test('after a block is read by who blocked, by name only, and is gone for the other', async ({
    database,
    server,
    member,
    write,
    read,
    list,
    listed,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    const threat = (await write(ben, id, 'a threat')).reply;
    await listed(id, 1);
    await server.call(ana, blocks.block, { body: { profileId: ben.profileId } });
    const { reply } = await read(ana, mixId);
    expect(reply.conversation).toMatchObject({
      person: { id: '', accountId: '', name: 'Ben', username: '' },
      chat: { readOnly: 'blocked', other: null },
    });
    expect(reply.messages.items[0]).toMatchObject({ body: 'a threat', userId: '' });
    const { items } = (await server.call(ana, blocks.blocked)).reply;
    expect(items[0]).toMatchObject({ name: 'Ben', mixId });
    expect((await read(ben, mixId)).problem.type).toBe('conversation_not_found');
    for (const body of [{ chatId: id, messageId: threat.id }])
      expect((await server.call(ben, messages.unsend, { body })).problem.type).toBe('chat_not_found');
    for (const who of [ana, ben]) {
      expect((await list(who)).items).toEqual([]);
      expect((await server.call(who, messages.unread)).reply.conversations).toBe(0);
      expect((await write(who, id, 'again')).problem.type).toBe('chat_read_only');
    }
    await server.call(ana, blocks.unblock, { body: { profileId: ben.profileId } });
    expect((await list(ben)).items).toHaveLength(1);
    expect((await write(ben, id, 'sorry')).status).toBe(200);
  });
});

describe('the list of conversations', () => {
  test('has the newest first, 10 a page, with preview and unread messages (§7-list-conversations, §9-page-sizes)', async ({
    database,
    member,
    write,
    list,
    listed,
  }) => {
    const ana = await member('Ana');
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) {
      const other = await member(`Friend ${count}`);
      const { id } = await insertConversation(database, other, ana);
      ids.unshift(id);
      await write(other, id, `message ${count}`);
      await listed(id, 1);
    }
    const first = await list(ana);
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(first.items[0]).toMatchObject({
      person: { name: 'Friend 11' },
      ...{ preview: 'message 11', previewOwn: false, lastSequence: 1, unread: 1, request: null },
    });
    const second = await list(ana, { cursor: first.next });
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(10));
    expect(second.next).toBeNull();
    const [oldest = ''] = ids.slice(-1);
    await write(ana, oldest, 'I moved up');
    await listed(oldest, 2);
    expect((await list(ana)).items[0]).toMatchObject({
      id: oldest,
      preview: 'I moved up',
      previewOwn: true,
      unread: 1,
    });
  });

  test('shows an empty conversation to who began it alone', async ({ database, member, list }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    expect((await list(ana)).items).toMatchObject([{ id, preview: '', lastSequence: 0, unread: 0 }]);
    expect((await list(ben)).items).toEqual([]);
  });

  test('hides a deleted one until a new message, for oneself alone (§7-delete-chat, §7-realtime-chats)', async ({
    database,
    platform,
    server,
    member,
    write,
    list,
    listed,
  }) => {
    const [ana, ben, eve] = [await member('Ana'), await member('Ben'), await member('Eve')];
    const { id } = await insertConversation(database, ana, ben);
    await write(ben, id, 'Hi');
    await listed(id, 1);
    const remove = (who: Member) => server.call(who, conversations.deleteChat, { body: { convoId: id } });
    expect((await remove(eve)).problem.type).toBe('conversation_not_found');
    expect((await remove(ana)).status).toBe(200);
    expect(platform.announced.at(-1)).toMatchObject({
      ...{ collection: 'conversationOwners', id: ana.profileId, audience: [ana.accountId] },
      document: { chatId: id },
    });
    expect((await list(ana)).items).toEqual([]);
    expect((await server.call(ana, messages.unread)).reply.conversations).toBe(0);
    expect((await list(ben)).items).toHaveLength(1);
    await write(ben, id, 'Are you there?');
    await listed(id, 2);
    expect((await list(ana)).items).toMatchObject([{ id, preview: 'Are you there?' }]);
  });

  test('has no plan chats: they are neither hidden nor answered as conversations', async ({
    database,
    server,
  }) => {
    const { chatId, client } = await insertChat(database);
    const deleted = await server.call(client, conversations.deleteChat, { body: { convoId: chatId } });
    const answer = { convoId: chatId, answer: 'ignore' } as const;
    const ignored = await server.call(client, conversations.answerRequest, { body: answer });
    for (const { problem } of [deleted, ignored]) expect(problem.type).toBe('conversation_not_found');
  });
});

describe('a message request', () => {
  const withRequest = test.extend('begin', ({ database, member, write, listed }) => async () => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const conversation = await insertConversation(database, ana, ben, { awaitsId: ben.profileId });
    await write(ana, conversation.id, 'Hello, stranger');
    await listed(conversation.id, 1);
    return { ana, ben, ...conversation };
  });
  const only = { requests: 'only' };

  withRequest(
    'waits in a list of its own, and is not counted as unread',
    async ({ server, begin, list, read }) => {
      const { ana, ben, id, mixId } = await begin();
      expect((await list(ben)).items).toEqual([]);
      expect((await list(ben, only)).items).toMatchObject([
        { id, request: 'received', preview: 'Hello, stranger' },
      ]);
      expect((await list(ana)).items).toMatchObject([{ id, request: 'sent' }]);
      expect((await server.call(ben, messages.unread)).reply).toEqual({
        conversations: 0,
        receipts: 0,
        requests: 1,
      });
      await server.call(ben, conversations.markRead, { body: { mixId } });
      expect((await read(ana, mixId)).reply.conversation.chat.other).toBeNull();
    },
  );

  withRequest('carries text alone until it is accepted', async ({ database, server, begin }) => {
    const { ana, ben, id } = await begin();
    const sendPicture = async () => {
      const imageId = await insertPicture(database, {
        ownerAccountId: ana.accountId,
        bucket: 'messageFiles',
      });
      return server.call(ana, conversations.sendMessage, {
        body: { convoId: id, body: '', imageId, clientKey: newId() },
      });
    };
    expect((await sendPicture()).problem.type).toBe('chat_request_text_only');
    await server.call(ben, conversations.answerRequest, { body: { convoId: id, answer: 'accept' } });
    expect((await sendPicture()).status).toBe(200);
  });

  withRequest('is accepted by a call, which both learn', async ({ platform, server, begin, list }) => {
    const { ana, ben, id } = await begin();
    const accept = (who: Member) =>
      server.call(who, conversations.answerRequest, { body: { convoId: id, answer: 'accept' } });
    // Who asked cannot accept for the other.
    await accept(ana);
    expect((await list(ben, only)).items).toHaveLength(1);
    await accept(ben);
    expect((await list(ben, only)).items).toEqual([]);
    expect((await list(ben)).items).toMatchObject([{ id, request: null }]);
    const events = platform.announced.filter(({ collection }) => collection === 'conversationOwners');
    expect(events.slice(-2).map((event) => event.id)).toEqual([ana.profileId, ben.profileId]);
    const before = platform.announced.length;
    expect((await accept(ben)).status).toBe(200);
    expect(platform.announced).toHaveLength(before);
  });

  withRequest('is accepted by writing back', async ({ begin, list, listed, write }) => {
    const { ben, id } = await begin();
    await write(ben, id, 'Hello');
    await listed(id, 2);
    expect((await list(ben)).items).toMatchObject([{ id, request: null, previewOwn: true }]);
  });

  withRequest(
    'that is ignored leaves every list, also when more arrives, and its sender is not told',
    async ({ platform, server, begin, list, listed, read, write }) => {
      const { ana, ben, id, mixId } = await begin();
      const before = (await read(ana, mixId)).reply;
      const from = platform.announced.length;
      await server.call(ben, conversations.answerRequest, { body: { convoId: id, answer: 'ignore' } });
      expect(platform.announced.slice(from).flatMap(({ audience }) => audience)).toEqual([ben.accountId]);
      expect((await write(ana, id, 'Hello?')).status).toBe(200);
      await listed(id, 2);
      expect((await list(ben, only)).items).toEqual([]);
      expect((await list(ben)).items).toEqual([]);
      expect((await server.call(ben, messages.unread)).reply).toEqual({
        conversations: 0,
        receipts: 0,
        requests: 0,
      });
      expect((await read(ana, mixId)).reply.conversation).toEqual({
        ...before.conversation,
        chat: { ...before.conversation.chat, lastSequence: 2 },
      });
      // Writing to them after all accepts it.
      await write(ben, id, 'Hello');
      await listed(id, 3);
      expect((await list(ben)).items).toMatchObject([{ id, request: null }]);
    },
  );
});
