import { setTimeout as pause } from 'node:timers/promises';
import { nowDate } from '@tara/contract/clock';
import { messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { tasks } from '../../platform/tasks.ts';
import { messageOf } from '../../testing/features/chats.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertChat, insertRequest } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { interactions } from '../interactions/index.ts';
import { chats, messageRoutes } from '../messages/index.ts';
import { receiptRoutes } from './routes.ts';

const test = serverTest((app, platform) => {
  receiptRoutes(app, platform);
  messageRoutes(app, platform);
});

const open = receipts.createConversationReceipt;
const message = (conversation: string, words: string, clientKey = newId()) => ({
  conversation,
  message: words,
  clientKey,
});

describe('no place in a chat that its column cannot hold reaches the database', () => {
  const values = ['2147483648', '99999999999', '9'.repeat(400), '1e3', '0x7', '-1', '1.5', ''];
  test.for(values.flatMap((value) => [`before=${value}`, `after=${value}`, `pages=${value}`]))(
    '%s',
    async (query, { database, server }) => {
      const { client } = await insertChat(database);
      const url = `${messages.list.path.replace(':chatId', 'any')}?${query}`;
      const answer = await server.request(client, { method: 'GET', url });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ type: 'general_argument_invalid' });
    },
  );

  test('the largest it holds is an empty page', async ({ database, server }) => {
    const { client, chatId } = await insertChat(database);
    const query = { after: 2147483647 };
    const { reply } = await server.call(client, messages.list, { params: { chatId }, query });
    expect(reply).toEqual({ items: [], hasMore: false });
  });
});

describe('opening a chat', () => {
  test('each of the two opens it once the request is paid (§4-interaction-receipt, §7-api-create-receipt, §3-conversation-receipt-id)', async ({
    database,
    platform,
    server,
  }) => {
    for (const party of ['creator', 'client'] as const) {
      const request = await insertRequest(database);
      const { interactionId, creator, client, referenceNumber } = request;
      const { reply } = await server.call(request[party], open, { body: { interactionId } });
      expect(reply).toMatchObject({
        id: creator.profileId.slice(0, 5) + client.profileId.slice(0, 5) + referenceNumber,
        interactionId,
        creatorAccountId: creator.accountId,
        clientAccountId: client.accountId,
      });
      const events = platform.announced.filter(({ id }) => id === reply.id || id === interactionId);
      expect(events.map(({ collection }) => collection).sort()).toEqual([
        'conversationReceipts',
        'planInteractions',
        'planInteractions',
      ]);
      expect(await platform.jobs(tasks.writePlanChatLines.name)).toContainEqual({ interactionId });
    }
  });

  test('of many tries at once one opens it, the others learn that it is open (§4-interaction-receipt)', async ({
    database,
    server,
  }) => {
    const { client, creator, interactionId } = await insertRequest(database);
    const tries = await Promise.all(
      [client, creator, client, creator].map((who) => server.call(who, open, { body: { interactionId } })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const refused = tries.find(({ status }) => status === 409);
    expect(refused?.problem).toMatchObject({
      type: 'interaction_not_allowed',
      text: 'The chat is already open.',
    });
  });

  test('while one of the two blocks the other, nobody can write into it, and it is announced to nobody', async ({
    connection,
    database,
    platform,
    server,
  }) => {
    const { creator, client, interactionId } = await insertRequest(database);
    const { opening } = await connection.sql.begin(async (blocking) => {
      await blocking`insert into blocks (blocker_id, blocked_id, blocker_name, blocked_name)
        values (${client.profileId}, ${creator.profileId}, 'Ana', 'Ben')`;
      const opening = server.call(creator, open, { body: { interactionId } });
      await Promise.race([opening, pause(300)]);
      return { opening };
    });
    const { status, reply } = await opening;
    expect(status).toBe(200);
    expect(platform.announced.filter(({ id }) => id === reply.id)).toEqual([]);
    const rows = await database.select().from(chats).where(eq(chats.firstId, creator.profileId));
    expect(rows).toMatchObject([{ blocked: true }]);
  });

  test('an unpaid request has no chat (§4-interaction-receipt)', async ({ database, server }) => {
    const { client, interactionId } = await insertRequest(database, {});
    const { problem } = await server.call(client, open, { body: { interactionId } });
    expect(problem).toMatchObject({ text: 'The chat opens once the request is paid.' });
  });

  test('nobody but its two parties learns of a plan chat’s request', async ({ database, server }) => {
    const { interactionId } = await insertRequest(database);
    const stranger = await insertMember(database);
    for (const id of [interactionId, newId()]) {
      const { problem } = await server.call(stranger, open, { body: { interactionId: id } });
      expect(problem.type).toBe('interaction_not_found');
    }
  });
});

describe('who is not a member of the chat', () => {
  test('gets the answer of a chat that does not exist, by every call (threat-guessed-ids)', async ({
    database,
    server,
  }) => {
    const { chatId, creator, client } = await insertChat(database);
    // The id begins like a member's: the check of the page would let them in (decisions §2).
    const twin = await insertMember(database, {
      id: creator.profileId.slice(0, 5) + newId().slice(0, 15),
    });
    const admin = await insertMember(database, { admin: true });
    await server.call(client, receipts.sendMessage, { body: message(chatId, 'hi') });
    for (const who of [twin, admin]) {
      for (const id of [chatId, 'unknown']) {
        const params = { id };
        const answers = await Promise.all([
          server.call(who, receipts.receipt, { params }),
          server.call(who, messages.list, { params: { chatId }, query: { after: 0 } }),
          server.call(who, receipts.sendMessage, { body: message(id, 'let me in') }),
        ]);
        expect(answers.map(({ problem }) => problem.type)).toEqual([
          'receipt_not_found',
          'chat_not_found',
          'chat_not_found',
        ]);
      }
    }
  });
});

describe('reading a chat', () => {
  test('a plan chat opens with its request and its newest messages; older and newer ones are asked for (§7-list-chat-receipts)', async ({
    database,
    server,
  }) => {
    const { chatId, creator, client, interactionId } = await insertChat(database);
    for (let count = 1; count <= 25; count++) {
      await server.call(count % 2 ? client : creator, receipts.sendMessage, {
        body: message(chatId, `${count}`),
      });
    }
    const params = { id: chatId };
    const { reply } = await server.call(client, receipts.receipt, { params });
    expect(reply.interaction).toMatchObject({ id: interactionId, conversationReceipt: chatId });
    const sequences = (page: { items: { sequence: number }[] }) => page.items.map(({ sequence }) => sequence);
    expect(sequences(reply.messages)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(reply.messages.hasMore).toBe(true);
    const older = await server.call(client, messages.list, {
      params: { chatId },
      query: { before: 16, pages: 2 },
    });
    expect(sequences(older.reply)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(older.reply.hasMore).toBe(false);
    // A page that is full ends there as well.
    const oldest = await server.call(client, messages.list, { params: { chatId }, query: { before: 11 } });
    expect(sequences(oldest.reply)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(oldest.reply.hasMore).toBe(false);
    const newer = await server.call(creator, messages.list, { params: { chatId }, query: { after: 22 } });
    expect(sequences(newer.reply)).toEqual([23, 24, 25]);
  });
});

describe('a closed chat', () => {
  const when = nowDate();
  test.for([
    ['completed', { acceptedAt: when, userSetDoneAt: when, adminSetDoneAt: when, completedAt: when }],
    ['cancelled', { cancelledAt: when, cancelReason: 'withdrawn' }],
  ] as const)(
    'takes no message once the request is %s, and is still read',
    async ([_, state], { database, server }) => {
      const { chatId, client, interactionId } = await insertChat(database);
      const first = message(chatId, 'before');
      const sent = await server.call(client, receipts.sendMessage, { body: first });
      await database.update(interactions).set(state).where(eq(interactions.id, interactionId));
      const late = await server.call(client, receipts.sendMessage, { body: message(chatId, 'late') });
      expect(late.problem).toMatchObject({
        type: 'chat_closed',
        title: 'This chat is closed',
        text: 'its plan was completed or cancelled',
      });
      const { reply } = await server.call(client, messages.list, { params: { chatId } });
      expect(reply.items).toEqual([messageOf(sent.reply)]);
      // What was stored before stays acknowledged.
      expect((await server.call(client, receipts.sendMessage, { body: first })).reply).toEqual(sent.reply);
    },
  );
});
