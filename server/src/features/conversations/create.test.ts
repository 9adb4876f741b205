import { nowDate } from '@tara/contract/clock';
import { blocks } from '@tara/contract/members/blocks';
import { type ChatSettings, conversations } from '@tara/contract/messages/conversations';
import { eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { beginTest as test } from '../../testing/features/conversations.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock, insertMember } from '../../testing/features/members.ts';
import { accounts } from '../accounts/index.ts';
import { chats } from '../messages/index.ts';
import { befriend, profiles } from '../profiles/index.ts';
import { blocks as blockRows } from '../visibility/index.ts';
import { createConversation } from './create.ts';
import { chatSettings, conversations as rows } from './tables.ts';

const dayMs = 86_400_000;

describe('beginning a conversation', () => {
  test('makes it once, for both (§7-api-create-conversation, §4-conversation-expiry)', async ({
    database,
    platform,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    const { reply } = await begin(ana, ben);
    expect(reply).toMatchObject({
      mixId: ana.accountId + ben.accountId,
      person: { id: ben.profileId, name: 'Ben' },
      removeExpired: false,
      chat: { id: reply.id, kind: 'conversation', lastSequence: 0, readOnly: null, request: 'sent' },
    });
    const days = (Date.parse(reply.chat.expiresAt ?? '') - Date.parse(reply.createdAt)) / dayMs;
    expect(Math.round(days)).toBe(7);
    const again = (await begin(ben, ana)).reply;
    expect(again).toMatchObject({ id: reply.id, mixId: reply.mixId, person: { name: 'Ana' } });
    expect(again.chat.request).toBe('received');
    const events = platform.announced.filter(({ id }) =>
      [reply.id, ana.profileId, ben.profileId].includes(id),
    );
    expect(events).toEqual([
      {
        ...{ collection: 'conversations', id: reply.id, change: 'create' },
        document: {
          ...{ id: reply.id, mixId: reply.mixId, removeExpired: false, expiration: reply.chat.expiresAt },
          creators: [ana.profileId, ben.profileId],
          accountIds: [ana.accountId, ben.accountId],
        },
        audience: [ana.accountId, ben.accountId],
        owners: { profileIds: [ana.profileId, ben.profileId], authorId: null },
      },
      expect.objectContaining({
        collection: 'conversationOwners',
        id: ana.profileId,
        audience: [ana.accountId],
      }),
      expect.objectContaining({
        collection: 'conversationOwners',
        id: ben.profileId,
        audience: [ben.accountId],
      }),
    ]);
    expect(await database.$count(rows, eq(rows.firstId, ana.profileId))).toBe(1);
  });

  test('by both at once makes one', async ({ database, pair, begin }) => {
    for (let round = 0; round < 5; round++) {
      const { ana, ben } = await pair();
      const tries = await Promise.all([ana, ben, ana, ben].map((who) => begin(who, who === ana ? ben : ana)));
      const ids = new Set(tries.map(({ reply }) => reply.id));
      expect(ids.size).toBe(1);
      const [id = ''] = ids;
      expect(await database.$count(chats, eq(chats.id, id))).toBe(1);
    }
  });

  test('a conversation with oneself, with nobody, or in the name of others is refused (threat-unwanted-messages)', async ({
    server,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    expect((await begin(ana, ana)).problem.type).toBe('conversation_own');
    const create = (creator1: string, creator2: string) =>
      server.call(ana, conversations.createConversation, { body: { creator1, creator2 } });
    expect((await create(ana.profileId, 'nobody')).problem.type).toBe('profile_not_found');
    expect((await create(ben.profileId, 'nobody')).problem).toMatchObject({
      type: 'general_argument_invalid',
      fields: { creator1: expect.any(String) },
    });
    // In either order, as long as one of the two is one’s own.
    expect((await create(ben.profileId, ana.profileId)).reply.person.id).toBe(ben.profileId);
  });

  test('a conversation with a member who is blocked or leaves is answered as one with nobody', async ({
    database,
    server,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    await server.call(ben, blocks.block, { body: { profileId: ana.profileId } });
    for (const [who, other] of [
      [ana, ben],
      [ben, ana],
    ] as const)
      expect((await begin(who, other)).problem.type).toBe('profile_not_found');
    const cora = await insertMember(database);
    await database.update(accounts).set({ deletesAt: nowDate() }).where(eq(accounts.id, cora.accountId));
    expect((await begin(ana, cora)).problem.type).toBe('profile_not_found');
    const dan = await insertMember(database);
    await database.update(profiles).set({ deletedAt: nowDate() }).where(eq(profiles.id, dan.profileId));
    expect((await begin(ana, dan)).problem.type).toBe('profile_not_found');
  });

  test('a conversation that exists is not answered to the member who blocks the other', async ({
    server,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    expect((await begin(ana, ben)).status).toBe(200);
    await server.call(ana, blocks.block, { body: { profileId: ben.profileId } });
    expect((await begin(ana, ben)).problem.type).toBe('profile_not_found');
  });

  test('a block that was stored after the call read its viewer refuses it', async ({
    database,
    platform,
    pair,
  }) => {
    for (const isByViewer of [true, false]) {
      const { ana, ben } = await pair();
      await (isByViewer ? insertBlock(database, ana, ben) : insertBlock(database, ben, ana));
      const members = { creator1: ana.profileId, creator2: ben.profileId };
      await expect(createConversation(platform, ana, members)).rejects.toMatchObject({
        type: 'profile_not_found',
      });
    }
  });

  test('blocks between either of the two and others refuse nothing', async ({ database, pair, begin }) => {
    const { ana, ben } = await pair();
    for (const member of [ana, ben]) {
      await insertBlock(database, member, await insertMember(database));
      await insertBlock(database, await insertMember(database), member);
    }
    expect((await begin(ana, ben)).status).toBe(200);
  });

  test('while the other blocks leaves no chat that can be written to', async ({
    server,
    pair,
    begin,
    write,
  }) => {
    for (let round = 0; round < 10; round++) {
      const { ana, ben } = await pair();
      const [begun] = await Promise.all([
        begin(ana, ben),
        server.call(ben, blocks.block, { body: { profileId: ana.profileId } }),
      ]);
      if (begun.status >= 400) continue;
      const { problem } = await write(ana, begun.reply.id, 'hello');
      expect(problem.type).toBe('chat_read_only');
    }
  });

  test('stays closed when a deletion is undone while one blocks the other', async ({
    database,
    pair,
    begin,
  }) => {
    const { ana, ben } = await pair();
    const { id } = (await begin(ana, ben)).reply;
    const deleteAt = (deletesAt: Date | null) =>
      database.update(accounts).set({ deletesAt }).where(eq(accounts.id, ana.accountId));
    const isBlocked = async () =>
      (await database.select().from(chats).where(eq(chats.id, id))).map(({ blocked }) => blocked);
    await deleteAt(nowDate());
    expect(await isBlocked()).toEqual([true]);
    let undone: PromiseLike<unknown> = Promise.resolve();
    await database.transaction(async (transaction) => {
      await transaction.insert(blockRows).values({
        ...{ blockerId: ben.profileId, blockedId: ana.profileId },
        ...{ blockerName: ben.name, blockedName: ana.name },
      });
      undone = deleteAt(null).then((rows) => rows);
      const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await database.execute(waiting)).length).toBe(1);
    });
    await undone;
    expect(await isBlocked()).toEqual([true]);
  });

  test('is closed while one of the two leaves, opens when they stay, and closes permanently when they are deleted', async ({
    database,
    pair,
    begin,
  }) => {
    for (const whoLeaves of ['ana', 'ben'] as const) {
      const members = await pair();
      const { id } = (await begin(members.ana, members.ben)).reply;
      const update = async (change: { deletesAt: Date | null; deletedAt?: Date }) => {
        await database.update(accounts).set(change).where(eq(accounts.id, members[whoLeaves].accountId));
        return (await database.select().from(chats).where(eq(chats.id, id))).map(({ blocked }) => blocked);
      };
      expect(await update({ deletesAt: nowDate() })).toEqual([true]);
      expect(await update({ deletesAt: null })).toEqual([false]);
      expect(await update({ deletesAt: nowDate() })).toEqual([true]);
      expect(await update({ deletesAt: null, deletedAt: nowDate() })).toEqual([true]);
    }
  });
});

describe('who may begin a conversation', () => {
  const relations = {
    stranger: null,
    verified: null,
    friend: null,
    'with an open request': {},
    'with an accepted request': { acceptedAt: nowDate() },
    'with a completed request': {
      ...{ paidAt: nowDate(), acceptedAt: nowDate(), userSetDoneAt: nowDate() },
      ...{ adminSetDoneAt: nowDate(), completedAt: nowDate() },
    },
    'with a cancelled request': { acceptedAt: nowDate(), cancelledAt: nowDate() },
  };
  const allowed: Record<ChatSettings['messagesFrom'], (keyof typeof relations)[]> = {
    everyone: [
      'stranger',
      'verified',
      'friend',
      'with an open request',
      'with an accepted request',
      'with a completed request',
      'with a cancelled request',
    ],
    verified: ['verified'],
    plans: ['with an accepted request', 'with a completed request'],
    nobody: [],
  };
  const cases = Object.entries(allowed).flatMap(([setting, names]) =>
    (Object.keys(relations) as (keyof typeof relations)[]).map(
      (name) =>
        [setting, name, names.includes(name)] as [
          ChatSettings['messagesFrom'],
          keyof typeof relations,
          boolean,
        ],
    ),
  );
  test.for(cases)(
    'of %s: %s, %s (threat-unwanted-messages)',
    async ([messagesFrom, name, isAllowed], { database, server, begin }) => {
      const ben = await insertMember(database, { verified: true });
      const ana = await insertMember(database, { verified: name === 'verified' });
      await server.call(ben, conversations.updateSettings, { body: { messagesFrom } });
      const state = relations[name];
      if (name === 'friend')
        await database.transaction((transaction) => befriend(transaction, ana.profileId, ben.profileId));
      if (state) {
        const planId = await insertPlan(database, ben);
        await insertInteraction(database, { creator: ben, client: ana, planId }, state);
      }
      const { status } = await begin(ana, ben);
      expect(status).toBe(isAllowed ? 200 : 403);
      // It is about new chats, and about those that others begin.
      expect((await begin(ben, ana)).status).toBe(200);
      expect((await begin(ana, ben)).status).toBe(200);
    },
  );

  test('a request for a plan or a friendship makes acceptance unnecessary', async ({
    database,
    pair,
    begin,
  }) => {
    const friends = await pair();
    await database.transaction((transaction) =>
      befriend(transaction, friends.ana.profileId, friends.ben.profileId),
    );
    expect((await begin(friends.ana, friends.ben)).reply.chat.request).toBeNull();
    const parties = await pair();
    const planId = await insertPlan(database, parties.ben);
    await insertInteraction(database, { creator: parties.ben, client: parties.ana, planId });
    // Ana asked for Ben's plan: he may answer. His own request would be no reason.
    expect((await begin(parties.ben, parties.ana)).reply.chat.request).toBeNull();
    const others = await pair();
    const otherPlan = await insertPlan(database, others.ben);
    await insertInteraction(database, { creator: others.ben, client: others.ana, planId: otherPlan });
    expect((await begin(others.ana, others.ben)).reply.chat.request).toBe('sent');
  });

  test('requests and friendships with others make no acquaintance', async ({ database, pair, begin }) => {
    const { ana, ben } = await pair();
    const cora = await insertMember(database, { verified: true });
    for (const member of [ana, ben]) {
      for (const [creator, client] of [
        [member, cora],
        [cora, member],
      ] as const) {
        const planId = await insertPlan(database, creator);
        await insertInteraction(database, { creator, client, planId }, { paidAt: nowDate() });
      }
      await database.transaction((transaction) => befriend(transaction, member.profileId, cora.profileId));
    }
    const { reply } = await begin(ana, ben);
    expect(reply).toMatchObject({ removeExpired: false, chat: { request: 'sent' } });
  });
});

test('settings are those that were chosen, and the defaults else', async ({ database, server, pair }) => {
  const { ana } = await pair();
  const read = async () => (await server.call(ana, conversations.settings)).reply;
  expect(await read()).toEqual({ messagesFrom: 'everyone', showReadMarks: true, showLastSeen: true });
  const { reply } = await server.call(ana, conversations.updateSettings, { body: { showLastSeen: false } });
  expect(reply).toEqual({ messagesFrom: 'everyone', showReadMarks: true, showLastSeen: false });
  await server.call(ana, conversations.updateSettings, { body: { messagesFrom: 'plans' } });
  expect(await read()).toEqual({ messagesFrom: 'plans', showReadMarks: true, showLastSeen: false });
  await server.call(ana, conversations.updateSettings, { body: {} });
  expect(await database.$count(chatSettings, eq(chatSettings.profileId, ana.profileId))).toBe(1);
  const refused = await server.call(ana, conversations.updateSettings, { body: { messagesFrom: 'me' } });
  expect(refused.problem).toMatchObject({
    type: 'general_argument_invalid',
    fields: { messagesFrom: expect.any(String) },
  });
});
