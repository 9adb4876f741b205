import { nowDate, nowMs } from '@tara/contract/clock';
import { conversations } from '@tara/contract/messages/conversations';
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { insertConversation, beginTest as test } from '../../testing/features/conversations.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, insertMembers, type Member } from '../../testing/features/members.ts';
import { accounts } from '../accounts/index.ts';
import { interactions } from '../interactions/index.ts';
import { chats } from '../messages/index.ts';
import { notifications } from '../notifications/index.ts';
import { conversations as rows } from './tables.ts';
import { conversationTasks } from './tasks.ts';

const dayMs = 86_400_000;
const hoursAhead = (hours: number) => new Date(nowMs() + hours * 3_600_000);

describe('a paid request', () => {
  const withPlan = test.extend(
    'request',
    ({ database }) =>
      async (client: Member, creator: Member, state = {}) => {
        const planId = await insertPlan(database, creator);
        return insertInteraction(database, { creator, client, planId }, state);
      },
  );

  withPlan(
    'keeps a conversation that begins later open for good (§4-conversation-remove-expired)',
    async ({ pair, begin, request }) => {
      const { ana, ben } = await pair();
      await request(ana, ben, { paidAt: nowDate() });
      expect((await begin(ben, ana)).reply).toMatchObject({ removeExpired: true, chat: { expiresAt: null } });
    },
  );

  withPlan.for([
    ['paid later', false],
    ['free', true],
  ] as const)(
    'lifts the expiry of an earlier one and says so in the chat, once: %s',
    async ([, isFree], { database, platform, server, pair, begin, write, request }) => {
      const { ana, ben } = await pair();
      const { id, mixId } = (await begin(ana, ben)).reply;
      await write(ana, id, 'Hi');
      const past = new Date(nowMs() - dayMs);
      await database.update(chats).set({ expiresAt: past }).where(eq(chats.id, id));
      expect((await write(ben, id, 'late')).problem.type).toBe('chat_expired');
      if (isFree) await request(ana, ben, { paidAt: nowDate(), priceCentavos: 0 });
      else {
        const unpaid = await request(ana, ben);
        expect((await write(ben, id, 'late')).problem.type).toBe('chat_expired');
        await database.update(interactions).set({ paidAt: nowDate() }).where(eq(interactions.id, unpaid));
      }
      expect((await write(ben, id, 'in time')).status).toBe(200);
      const jobs = await platform.jobs('conversations.expiryLifted');
      expect(jobs.filter((job) => job.conversationId === id)).toHaveLength(1);
      const { 'conversations.expiryLifted': task } = conversationTasks(platform);
      const helpers = {
        log: platform.log,
        attempt: 1,
        maxAttempts: 25,
        signal: new AbortController().signal,
      };
      const isSaid = and(eq(notifications.recordId, id), eq(notifications.event, 'conversationExpiring'));
      await database.insert(notifications).values({
        ...{ profileId: ana.profileId, event: 'conversationExpiring', groupName: 'messages', inApp: true },
        ...{ recordId: id, actorId: ben.profileId },
      });
      // Neither another event of it, nor the same of another one.
      const others = [
        { event: 'messageRequest', recordId: id },
        { event: 'conversationExpiring', recordId: `other than ${id}` },
      ];
      await database
        .insert(notifications)
        .values(
          others.map((row) => ({ ...row, profileId: ana.profileId, groupName: 'messages', inApp: true })),
        );
      // It may run more than once.
      for (let run = 0; run < 2; run++) await task({ conversationId: id }, helpers);
      const { reply } = await server.call(ana, conversations.conversation, { params: { mixId } });
      expect(reply.conversation).toMatchObject({
        removeExpired: true,
        chat: { expiresAt: null, lastSequence: 3 },
      });
      expect(reply.messages.items[0]).toMatchObject({ admin: true, name: 'Tara', userId: '' });
      const lines = reply.messages.items.filter(({ admin }) => admin);
      expect(lines).toHaveLength(1);
      expect(platform.announced.filter((event) => event.id === id && event.change === 'update')).not.toEqual(
        [],
      );
      expect(await database.$count(notifications, isSaid)).toBe(0);
      const left = await database
        .select({ event: notifications.event, recordId: notifications.recordId })
        .from(notifications)
        .where(and(eq(notifications.profileId, ana.profileId), eq(notifications.groupName, 'messages')))
        .orderBy(notifications.event);
      expect(left).toEqual(others.toReversed());
    },
  );

  withPlan(
    'that was cancelled before the money came lifts nothing',
    async ({ database, pair, begin, request }) => {
      const { ana, ben } = await pair();
      const { id } = (await begin(ana, ben)).reply;
      const cancelled = await request(ana, ben, { cancelledAt: nowDate() });
      await database.update(interactions).set({ paidAt: nowDate() }).where(eq(interactions.id, cancelled));
      const [row] = await database.select().from(rows).where(eq(rows.id, id));
      expect(row?.removeExpired).toBe(false);
    },
  );

  withPlan(
    'at the same moment as the creation leaves none that expires',
    async ({ database, pair, begin, request }) => {
      for (let round = 0; round < 10; round++) {
        const { ana, ben } = await pair();
        const unpaid = await request(ana, ben);
        const [begun] = await Promise.all([
          begin(ana, ben),
          database.update(interactions).set({ paidAt: nowDate() }).where(eq(interactions.id, unpaid)),
        ]);
        const [chat] = await database
          .select()
          .from(chats)
          .where(and(eq(chats.id, begun.reply.id)));
        expect(chat?.expiresAt).toBeNull();
      }
    },
  );
});

test('members are notified only of a conversation that ends within a day, is a day old, has messages, is accepted and can be written to', async ({
  database,
  platform,
  pair,
}) => {
  const ending = { createdAt: hoursAhead(-25), expiresAt: hoursAhead(23), lastSequence: 1 };
  const states: Partial<typeof chats.$inferInsert>[] = [
    {},
    { expiresAt: hoursAhead(-1) },
    { expiresAt: hoursAhead(25) },
    { createdAt: hoursAhead(-23) },
    { lastSequence: 0 },
    { awaitsId: 'another' },
    { blocked: true },
  ];
  const ids: string[] = [];
  for (const state of states) {
    const { ana, ben } = await pair();
    const { id } = await insertConversation(database, ana, ben);
    await database
      .update(chats)
      .set({ ...ending, ...state })
      .where(eq(chats.id, id));
    ids.push(id);
  }
  const { ana, ben } = await pair();
  const { id: suspended } = await insertConversation(database, ana, ben);
  await database.update(chats).set(ending).where(eq(chats.id, suspended));
  await database
    .update(accounts)
    .set({ suspendedUntil: sql`now() + interval '2 days'` })
    .where(eq(accounts.id, ana.accountId));
  const { 'conversations.notifyExpiring': task } = conversationTasks(platform);
  const helpers = { log: platform.log, attempt: 1, maxAttempts: 25, signal: new AbortController().signal };
  await task({}, helpers);
  const notified = await database
    .select({ recordId: notifications.recordId })
    .from(notifications)
    .where(inArray(notifications.recordId, [...ids, suspended]));
  expect(notified.map(({ recordId }) => recordId)).toEqual([ids[0], ids[0]]);
});

test('members are notified of every conversation that ends within a day, but not where one of the two is suspended', async ({
  database,
  platform,
}) => {
  const [ana, ben] = await Promise.all([insertMember(database), insertMember(database)]);
  const state = { suspendedUntil: sql`now() + interval '2 days'` };
  await database.update(accounts).set(state).where(eq(accounts.id, ben.accountId));
  await insertMembers(database, 'other', 1_450);
  await database.execute(sql`
    insert into conversations (id, mix_id, first_id, second_id, first_account_id, second_account_id)
    select 'ending' || profiles.id, ${ana.accountId} || account_id, ${ana.profileId}, profiles.id, ${ana.accountId}, account_id
    from profiles where account_id like 'other%' or account_id = ${ben.accountId}`);
  await database.execute(sql`
    insert into chats (id, kind, first_id, second_id, first_account_id, second_account_id, expires_at, created_at, last_sequence)
    select id, 'conversation', first_id, second_id, first_account_id, second_account_id, now() + interval '5 hours',
      now() - interval '6 days', 1 from conversations where id like 'ending%'`);
  // Of more than are looked at by one statement its members are notified already.
  const first = await database
    .select({ recordId: rows.id, actorId: rows.secondId })
    .from(rows)
    .where(and(eq(rows.firstId, ana.profileId), ne(rows.secondId, ben.profileId)))
    .orderBy(asc(rows.id))
    .limit(1_000);
  await database.insert(notifications).values(
    first.map((row) => ({
      ...{ ...row, profileId: ana.profileId, event: 'conversationExpiring' },
      ...{ groupName: 'messages', inApp: true },
    })),
  );
  const { 'conversations.notifyExpiring': task } = conversationTasks(platform);
  const helpers = { log: platform.log, attempt: 1, maxAttempts: 25, signal: new AbortController().signal };
  await task({}, helpers);
  const isSaid = eq(notifications.event, 'conversationExpiring');
  expect(await database.$count(notifications, and(isSaid, eq(notifications.profileId, ana.profileId)))).toBe(
    1_450,
  );
  expect(await database.$count(notifications, and(isSaid, eq(notifications.actorId, ana.profileId)))).toBe(
    450,
  );
  // Of a node that leaves it ends, also where it only looks for those that are left.
  const stopping = { ...helpers, signal: AbortSignal.abort(new Error('the node leaves')) };
  await expect(task({}, stopping)).rejects.toThrow('the node leaves');
});
