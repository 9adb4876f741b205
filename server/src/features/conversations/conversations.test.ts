import { nowMs } from '@tara/contract/clock';
import { counts } from '@tara/contract/counts';
import { blocks } from '@tara/contract/members/blocks';
import { conversations } from '@tara/contract/messages/conversations';
import { messages } from '@tara/contract/messages/messages';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertConversation, conversationTest as test } from '../../testing/features/conversations.ts';
import { insertBlock, type Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { chatEntries, chats } from '../messages/index.ts';

const past = () => new Date(nowMs() - 1000);
const sequences = ({ items }: { items: { sequence: number }[] }) => items.map(({ sequence }) => sequence);

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
    const unread = async () => (await server.call(ben, counts.own)).reply.conversations;
    // A conversation, with two messages.
    expect(await unread()).toBe(1);
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

  test('a conversation after a block is read by the member who blocked, by name only, and is gone for the other (threat-blocked-members)', async ({
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
    // Other blocks, of the one who is blocked and by another member, open nothing.
    const eve = await member('Eve');
    await insertBlock(database, ben, eve);
    await insertBlock(database, eve, ana);
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
      expect((await server.call(who, counts.own)).reply.conversations).toBe(0);
      expect((await write(who, id, 'again')).problem.type).toBe('chat_read_only');
    }
    await server.call(ana, blocks.unblock, { body: { profileId: ben.profileId } });
    expect((await list(ben)).items).toHaveLength(1);
    expect((await write(ben, id, 'sorry')).status).toBe(200);
  });
});

describe('the list of conversations', () => {
  test('has the newest first, 10 a page, with preview and unread messages (§7-list-conversations, §2-chats)', async ({
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

  test('shows an empty conversation only to the member who began it', async ({ database, member, list }) => {
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
    const other = await insertConversation(database, ana, await member('Cora'));
    const remove = (who: Member) => server.call(who, conversations.deleteChat, { body: { convoId: id } });
    expect((await remove(eve)).problem.type).toBe('conversation_not_found');
    expect((await remove(ana)).status).toBe(200);
    expect(platform.announced.at(-1)).toMatchObject({
      ...{ collection: 'conversationOwners', id: ana.profileId, audience: [ana.accountId] },
      document: { chatId: id },
    });
    expect((await list(ana)).items).toMatchObject([{ id: other.id }]);
    expect((await server.call(ana, counts.own)).reply.conversations).toBe(0);
    expect((await list(ben)).items).toHaveLength(1);
    await write(ben, id, 'Are you there?');
    await listed(id, 2);
    expect((await list(ana)).items).toMatchObject([{ id, preview: 'Are you there?' }, { id: other.id }]);
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
