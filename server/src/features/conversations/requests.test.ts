import { counts } from '@tara/contract/counts';
import { conversations } from '@tara/contract/messages/conversations';
import { messages } from '@tara/contract/messages/messages';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import {
  conversationTest,
  insertConversation,
  beginTest as test,
} from '../../testing/features/conversations.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { chats, rebuildEntries } from '../messages/index.ts';
import { notifications } from '../notifications/index.ts';
import { befriend } from '../profiles/index.ts';
import { sentRequests } from './create.ts';
import { conversations as rows } from './tables.ts';

test('a message request notifies its receiver once, with its first message; a conversation between acquaintances does not', async ({
  database,
  pair,
  begin,
  write,
}) => {
  const { ana, ben } = await pair();
  const cora = await insertMember(database);
  await database.transaction((transaction) => befriend(transaction, ana.profileId, cora.profileId));
  const [request, conversation] = [(await begin(ana, ben)).reply, (await begin(ana, cora)).reply];
  const events = async (who: Member) => {
    const rows = await database
      .select()
      .from(notifications)
      .where(eq(notifications.profileId, who.profileId));
    return rows.map(({ event, recordId, actorId }) => [event, recordId, actorId]);
  };
  // One without a message is none, also when all lists are written again.
  await rebuildEntries(database);
  expect(await events(ben)).toEqual([]);
  for (const body of ['one', 'two']) {
    await write(ana, request.id, body);
    await write(ana, conversation.id, body);
  }
  await expect.poll(() => events(ben)).toEqual([['messageRequest', request.id, ana.profileId]]);
  expect(await events(cora)).toEqual([]);
});

describe('the messages of a message request', () => {
  test('are 3 at most until it is accepted, also at once (threat-unwanted-messages)', async ({
    server,
    pair,
    begin,
    write,
  }) => {
    const { ana, ben } = await pair();
    const { id } = (await begin(ana, ben)).reply;
    const tries = await Promise.all(
      ['one', 'two', 'three', 'four', 'five'].map((body) => write(ana, id, body)),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409]);
    expect(await write(ana, id, 'six')).toMatchObject({
      problem: { type: 'chat_request_full', message: expect.stringContaining('you can send 3 messages') },
    });
    const sent = tries.find(({ status }) => status === 200)?.reply;
    if (!sent) throw new Error('Nothing was sent.');
    // What is stored is answered again, and taking it back makes no room.
    expect((await write(ana, id, sent.body, sent.clientKey)).reply).toEqual(sent);
    await server.call(ana, messages.unsend, { body: { chatId: id, messageId: sent.id } });
    expect((await write(ana, id, 'six')).problem.type).toBe('chat_request_full');
    await server.call(ben, conversations.answerRequest, { body: { convoId: id, answer: 'accept' } });
    expect((await write(ana, id, 'six')).reply.sequence).toBe(4);
  });

  test('are not limited for the receiver, whose first message accepts it: both are notified', async ({
    platform,
    pair,
    begin,
    write,
  }) => {
    const { ana, ben } = await pair();
    const { id } = (await begin(ana, ben)).reply;
    for (const body of ['one', 'two', 'three']) await write(ana, id, body);
    const changes = () =>
      platform.announced.filter(({ id: of, document }) => of === id && 'changed' in document);
    expect(changes()).toEqual([]);
    await write(ben, id, 'four');
    await write(ana, id, 'five');
    await write(ben, id, 'six');
    expect(changes()).toMatchObject([{ audience: [ana.accountId, ben.accountId] }]);
    expect((await write(ana, id, 'seven')).reply.sequence).toBe(7);
  });
});

describe('beginning conversations', () => {
  test('conversations with strangers are limited to 20 new ones an hour, also at once (threat-unwanted-messages)', async ({
    database,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    const cora = await insertMember(database);
    await database.transaction((transaction) => befriend(transaction, ana.profileId, cora.profileId));
    expect((await begin(ana, cora)).reply.chat.request).toBeNull();
    const others = await Promise.all(Array.from({ length: 23 }, () => insertMember(database)));
    const tries = await Promise.all(others.map((other) => begin(ana, other)));
    const refused = tries.filter(({ status }) => status !== 200);
    expect(refused.map(({ problem }) => problem.type)).toEqual(Array(3).fill('conversation_requests_hourly'));
    expect(refused[0]?.problem.code).toBe(429);
    // Somebody known is no matter of it, nor are those of others, nor what exists.
    await database.transaction((transaction) => befriend(transaction, ana.profileId, ben.profileId));
    expect((await begin(ana, ben)).reply.chat.request).toBeNull();
    const [known, unknown] = [
      tries.findIndex(({ status }) => status === 200),
      tries.indexOf(refused[0] as never),
    ];
    const at = (index: number) => others[index] as Member;
    expect((await begin(ana, at(known))).status).toBe(200);
    expect((await begin(at(unknown), ana)).status).toBe(200);
    await database.update(rows).set({ createdAt: sql`now() - interval '61 minutes'` });
    expect((await begin(ana, await insertMember(database))).status).toBe(200);
  });

  test('what is read for a request does not grow with those that others sent, nor with those that expired', async ({
    database,
    pair,
  }) => {
    const { ana } = await pair();
    await database.execute(sql`
      insert into chat_entries (member_id, chat_id, kind, other_id, last_sequence, incoming, preview, awaits_id, expires_at, updated_at)
      select ${ana.profileId}, 'request' || n, 'conversation', 'other' || n, 1, 1, 'Hi',
        case when n % 2 = 0 then 'other' || n else ${ana.profileId} end, now() + (n % 2 - 0.5) * interval '1 day', now()
      from generate_series(1, 10000) as n`);
    await database.execute(sql`analyze chat_entries`);
    const [row] = await database.execute<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      sql`explain (analyze, buffers, format json) ${sentRequests(database, ana.profileId)}`,
    );
    const { Plan } = row?.['QUERY PLAN'][0] ?? expect.fail('nothing was explained');
    expect((Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0)).toBeLessThan(10);
  });

  test('conversations with strangers need answers: 50 requests wait at most', async ({
    database,
    pair,
    begin,
    write,
  }) => {
    const { ana, ben } = await pair();
    const others: Member[] = [];
    for (let number = 0; number < 50; number++) {
      const other = await insertMember(database);
      const { id } = await insertConversation(database, ana, other, { awaitsId: other.profileId });
      const createdAt = sql`now() - interval '2 hours'`;
      await database.update(rows).set({ isRequest: true, createdAt }).where(eq(rows.id, id));
      others.push(other);
    }
    expect((await begin(ana, ben)).problem).toMatchObject({
      ...{ code: 409, type: 'conversation_requests_waiting' },
      message: expect.stringContaining('at most 50 can wait at once'),
    });
    const [first, second, third] = others as [Member, Member, Member];
    // One is answered, another expired: each makes room for one.
    await write(first, (await begin(ana, first)).reply.id, 'Hello');
    expect((await begin(ana, ben)).status).toBe(200);
    expect((await begin(ana, await insertMember(database))).problem.type).toBe(
      'conversation_requests_waiting',
    );
    const past = sql`now() - interval '1 second'`;
    const expired = (await begin(ana, second)).reply.id;
    await database.update(chats).set({ expiresAt: past }).where(eq(chats.id, expired));
    expect((await begin(ana, await insertMember(database))).status).toBe(200);
    // So does one that was accepted of which the lists do not know yet.
    const accepted = (await begin(ana, third)).reply.id;
    await database.update(chats).set({ awaitsId: null }).where(eq(chats.id, accepted));
    expect((await begin(ana, await insertMember(database))).status).toBe(200);
  });
});

describe('a message request', () => {
  const withRequest = conversationTest.extend('begin', ({ database, member, write, listed }) => async () => {
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
      expect((await server.call(ben, counts.own)).reply).toMatchObject({
        conversations: 0,
        messageRequests: 1,
      });
      await server.call(ben, conversations.markRead, { body: { mixId } });
      expect((await read(ana, mixId)).reply.conversation.chat.other).toBeNull();
    },
  );

  withRequest(
    'carries text alone until it is accepted (threat-unwanted-messages)',
    async ({ database, server, begin }) => {
      const { ana, ben, id } = await begin();
      const imageId = await insertPicture(database, {
        ownerAccountId: ana.accountId,
        bucket: 'messageFiles',
      });
      const sendPicture = () =>
        server.call(ana, conversations.sendMessage, {
          body: { convoId: id, body: '', imageId, clientKey: newId() },
        });
      expect((await sendPicture()).problem.type).toBe('chat_request_text_only');
      // The picture is not used by it.
      await server.call(ben, conversations.answerRequest, { body: { convoId: id, answer: 'accept' } });
      expect((await sendPicture()).status).toBe(200);
    },
  );

  withRequest(
    'is accepted by a call, which both learn, and no other is',
    async ({ database, platform, server, member, begin, list, listed, write }) => {
      const { ana, ben, id } = await begin();
      const accept = (who: Member) =>
        server.call(who, conversations.answerRequest, { body: { convoId: id, answer: 'accept' } });
      // The sender cannot accept for the other.
      await accept(ana);
      expect((await list(ben, only)).items).toHaveLength(1);
      const cora = await member('Cora');
      const other = await insertConversation(database, cora, ben, { awaitsId: ben.profileId });
      await write(cora, other.id, 'Hello, too');
      await listed(other.id, 1);
      const from = platform.announced.length;
      await accept(ben);
      expect((await list(ben, only)).items).toMatchObject([{ id: other.id }]);
      expect((await list(ben)).items).toMatchObject([{ id, request: null }]);
      const events = platform.announced.slice(from);
      expect(events.map((event) => [event.collection, event.id])).toEqual([
        ['conversations', id],
        ['conversationOwners', ana.profileId],
        ['conversationOwners', ben.profileId],
        ['conversations', id],
      ]);
      expect(events[3]).toMatchObject({
        ...{ document: { changed: true }, audience: [ana.accountId, ben.accountId] },
      });
      const before = platform.announced.length;
      expect((await accept(ben)).status).toBe(200);
      expect(platform.announced).toHaveLength(before);
    },
  );

  withRequest('is accepted by writing back', async ({ begin, list, listed, write }) => {
    const { ben, id } = await begin();
    await write(ben, id, 'Hello');
    await listed(id, 2);
    expect((await list(ben)).items).toMatchObject([{ id, request: null, previewOwn: true }]);
  });

  withRequest(
    'that is ignored leaves every list, also when more arrives, and its sender is not told (threat-unwanted-messages)',
    async ({ database, platform, server, member, begin, list, listed, read, write }) => {
      const { ana, ben, id, mixId } = await begin();
      const cora = await member('Cora');
      const other = await insertConversation(database, cora, ben, { awaitsId: ben.profileId });
      await write(cora, other.id, 'Hello, too');
      await listed(other.id, 1);
      const before = (await read(ana, mixId)).reply;
      const from = platform.announced.length;
      await server.call(ben, conversations.answerRequest, { body: { convoId: id, answer: 'ignore' } });
      expect(platform.announced.slice(from).flatMap(({ audience }) => audience)).toEqual([ben.accountId]);
      expect((await write(ana, id, 'Hello?')).status).toBe(200);
      await listed(id, 2);
      // Another request stays.
      expect((await list(ben, only)).items).toMatchObject([{ id: other.id }]);
      expect((await list(ben)).items).toEqual([]);
      expect((await server.call(ben, counts.own)).reply).toMatchObject({
        conversations: 0,
        messageRequests: 1,
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
