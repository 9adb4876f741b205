import { blocks } from '@tara/contract/members/blocks';
import { conversations } from '@tara/contract/messages/conversations';
import { messages } from '@tara/contract/messages/messages';
import { channel } from '@tara/contract/wire/realtime';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { messageOf } from '../../testing/features/chats.ts';
import { insertConversation, conversationTest as test } from '../../testing/features/conversations.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { chats, messages as rows } from '../messages/index.ts';

describe('a message of a conversation', () => {
  test('is not taken for a plan chat', async ({ database, write }) => {
    const { chatId, client } = await insertChat(database);
    expect((await write(client, chatId, 'in the wrong chat')).problem.type).toBe('chat_not_found');
  });

  test('is answered as stored and announced to both (§7-api-send-message, §7-send-message, §7-realtime-conversation, §1-chat)', async ({
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
        document: { ...messageOf(reply), convoId: id, creator: ben.profileId, mixId },
        audience: [ana.accountId, ben.accountId],
        owners: { profileIds: [ana.profileId, ben.profileId], authorId: null },
        alsoOn: [
          channel.document('conversations', id),
          channel.document('conversationOwners', ana.profileId),
          channel.document('conversationOwners', ben.profileId),
        ],
      },
    ]);
  });

  test('may have a picture instead of words (§7-api-send-message, §7-send-message, §1-chat)', async ({
    database,
    server,
    member,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id, mixId } = await insertConversation(database, ana, ben);
    const imageId = await insertPicture(database, { ownerAccountId: ana.accountId, bucket: 'messageFiles' });
    const body = { convoId: id, body: '', mixId, imageId, clientKey: newId() };
    const { reply } = await server.call(ana, conversations.sendMessage, { body });
    expect(reply).toMatchObject({ body: '', picture: { imageId } });
    const read = await server.call(ben, messages.list, { params: { chatId: id } });
    expect(read.reply.items).toEqual([messageOf(reply)]);
    // The key is each chat's own.
    const other = await insertConversation(database, ana, await member('Cora'));
    const another = await insertPicture(database, { ownerAccountId: ana.accountId, bucket: 'messageFiles' });
    const sent = await server.call(ana, conversations.sendMessage, {
      body: { ...body, convoId: other.id, mixId: other.mixId, imageId: another },
    });
    expect(sent.reply).toMatchObject({ chatId: other.id, sequence: 1, picture: { imageId: another } });
  });

  test('sent by both fifty times at once, each twice, is stored once and in order', async ({
    database,
    member,
    write,
  }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    const keys = Array.from({ length: 50 }, () => newId());
    /** As apps do: what a busy server refuses is sent again. */
    const send = async (...message: Parameters<typeof write>): ReturnType<typeof write> => {
      const sent = await write(...message);
      return sent.status === 503 ? send(...message) : sent;
    };
    const sends = keys.flatMap((key, index) =>
      [0, 1].map(() => send(index % 2 ? ana : ben, id, `${index}`, key)),
    );
    const stored = (await Promise.all(sends)).map(({ reply }) => reply);
    expect(new Set(stored.map((message) => message.id)).size).toBe(50);
    const numbers = [...new Set(stored.map(({ sequence }) => sequence))].sort((a, b) => a - b);
    expect(numbers).toEqual(keys.map((_, index) => index + 1));
    expect(await database.$count(rows, eq(rows.chatId, id))).toBe(50);
  });

  test('is refused for people who are not members, whatever ids they send (threat-unwanted-messages)', async ({
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
    expect(problem).toMatchObject({ type: 'chat_not_found', title: 'There is no such chat.' });
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

  test('a message after the reply to a block is not stored, however many are under way (threat-blocked-members)', async ({
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

  test('is stored when it waited for the end of a block', async ({ database, member, write }) => {
    const [ana, ben] = [await member('Ana'), await member('Ben')];
    const { id } = await insertConversation(database, ana, ben);
    const change = (isBlocked: boolean) => sql`update ${chats} set blocked = ${isBlocked} where id = ${id}`;
    await database.execute(change(true));
    expect((await write(ana, id, 'early')).problem.type).toBe('chat_read_only');
    const waiting = await database.transaction(async (transaction) => {
      await transaction.execute(change(false));
      const written = write(ana, id, 'in time');
      await expect
        .poll(async () => {
          const [row] = await database.execute(
            sql`select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return row?.waiting;
        })
        .toBe(1);
      return { written };
    });
    expect((await waiting.written).reply).toMatchObject({ body: 'in time' });
  });
});
