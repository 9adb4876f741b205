import { conversations } from '@tara/contract/conversations';
import { messageRequests } from '@tara/contract/limits';
import { messages } from '@tara/contract/messages';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertConversation } from '../../testing/conversations.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { serverTest } from '../../testing/test.ts';
import { chats, messageRoutes } from '../messages/index.ts';
import { befriend } from '../profiles/index.ts';
import { conversationRoutes } from './routes.ts';
import { conversations as rows } from './tables.ts';

const test = serverTest((app, platform) => {
  conversationRoutes(app, platform);
  messageRoutes(app, platform);
})
  .extend('pair', ({ database }) => async () => ({
    ana: await insertMember(database),
    ben: await insertMember(database),
  }))
  .extend(
    'begin',
    ({ server }) =>
      (who: Member, other: Member) =>
        server.call(who, conversations.createConversation, {
          body: { creator1: who.profileId, creator2: other.profileId },
        }),
  )
  .extend(
    'write',
    ({ server }) =>
      (who: Member, convoId: string, body: string, clientKey = newId()) =>
        server.call(who, conversations.sendMessage, { body: { convoId, body, clientKey } }),
  );

describe('the messages of a message request', () => {
  test('are 3 at most until it is accepted, also at once', async ({ server, pair, begin, write }) => {
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

  test('are not limited for who answers, whose first message accepts it: both learn of it', async ({
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
    for (const body of ['four', 'five']) await write(ben, id, body);
    expect(changes()).toMatchObject([{ audience: [ana.accountId, ben.accountId] }]);
    expect((await write(ana, id, 'six')).reply.sequence).toBe(6);
  });
});

describe('beginning conversations', () => {
  test('with people one does not know is limited to 20 an hour, also at once', async ({
    database,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    const others = await Promise.all(
      Array.from({ length: messageRequests.perHour + 3 }, () => insertMember(database)),
    );
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

  test('with people one does not know needs answers: 50 requests wait at most', async ({
    database,
    pair,
    begin,
    write,
  }) => {
    const { ana, ben } = await pair();
    const others: Member[] = [];
    for (let number = 0; number < messageRequests.waiting; number++) {
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
    const [first, second] = others as [Member, Member];
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
  });
});
