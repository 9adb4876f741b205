import { conversations } from '@tara/contract/messages/conversations';
import { and, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { beginTest as test } from '../../testing/features/conversations.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import { interactions } from '../interactions/index.ts';
import { chats } from '../messages/index.ts';
import { conversations as rows } from './tables.ts';
import { conversationTasks } from './tasks.ts';

const dayMs = 86_400_000;

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
      await request(ana, ben, { paidAt: new Date() });
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
      const past = new Date(Date.now() - dayMs);
      await database.update(chats).set({ expiresAt: past }).where(eq(chats.id, id));
      expect((await write(ben, id, 'late')).problem.type).toBe('chat_expired');
      if (isFree) await request(ana, ben, { paidAt: new Date(), priceCentavos: 0 });
      else {
        const unpaid = await request(ana, ben);
        expect((await write(ben, id, 'late')).problem.type).toBe('chat_expired');
        await database.update(interactions).set({ paidAt: new Date() }).where(eq(interactions.id, unpaid));
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
    },
  );

  withPlan(
    'that was cancelled before the money came lifts nothing',
    async ({ database, pair, begin, request }) => {
      const { ana, ben } = await pair();
      const { id } = (await begin(ana, ben)).reply;
      const cancelled = await request(ana, ben, { cancelledAt: new Date() });
      await database.update(interactions).set({ paidAt: new Date() }).where(eq(interactions.id, cancelled));
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
          database.update(interactions).set({ paidAt: new Date() }).where(eq(interactions.id, unpaid)),
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
