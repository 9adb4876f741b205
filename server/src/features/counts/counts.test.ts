import { nowDate, nowMs } from '@tara/contract/clock';
import { counts as calls } from '@tara/contract/counts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { chatActions, chatRoutes } from '../../testing/features/chats.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { interactions, meetingProposals } from '../interactions/index.ts';
import { chatEntries, writeLine } from '../messages/index.ts';
import { countsStatement } from './read.ts';

const test = serverTest(chatRoutes)
  .extend('chat', { scope: 'file' }, ({ server }) => chatActions(server))
  .extend('count', { scope: 'file' }, ({ server }) => async (who: Member) => {
    const { status, reply } = await server.call(who, calls.own, {});
    expect(status).toBe(200);
    return reply;
  })
  .extend('pair', async ({ database }) => ({
    creator: await insertMember(database, { verified: true }),
    client: await insertMember(database),
  }))
  .extend(
    'insert',
    ({ database, pair }) =>
      async (state: Partial<typeof interactions.$inferInsert>) =>
        insertInteraction(database, { ...pair, planId: await insertPlan(database, pair.creator) }, state),
  )
  /** The lists are written after the messages. */
  .extend(
    'listed',
    ({ database }) =>
      (chatId: string, lastSequence: number) =>
        vi.waitFor(async () => {
          const rows = await database.select().from(chatEntries).where(eq(chatEntries.chatId, chatId));
          expect(rows.map((row) => row.lastSequence)).toEqual([lastSequence, lastSequence]);
        }),
  );

const nothing = {
  plans: 0,
  planLists: { friendRequest: 0, yourRequest: 0, earn: 0, expense: 0, history: 0 },
  conversations: 0,
  messageRequests: 0,
  notifications: 0,
  planChats: [],
  changesAt: null,
};
const hours = (count: number) => new Date(nowMs() + count * 3_600_000);
const day = (from: number) => ({ meetsAt: hours(from), meetsUntil: hours(from + 1) });
const past = hours(-1);

test('of a new member are nothing', async ({ count, pair }) => {
  expect(await count(pair.client)).toEqual(nothing);
});

describe('a request waits for', () => {
  const paid = { paidAt: past };
  const accepted = { acceptedAt: past };
  const ready = { ...paid, ...accepted };
  test.for<[string, Partial<typeof interactions.$inferInsert>, { creator?: string; client?: string }]>([
    ['both while it is neither paid nor accepted', {}, { creator: 'friendRequest', client: 'yourRequest' }],
    ['the creator once it is paid', { ...paid, ...day(24) }, { creator: 'friendRequest' }],
    [
      'both when the day of a paid one has passed',
      { ...paid, ...day(-24) },
      { creator: 'friendRequest', client: 'yourRequest' },
    ],
    ['the client who has to pay what is accepted', accepted, { client: 'expense' }],
    ['nobody until the day', { ...ready, dayStartsAt: hours(24) }, {}],
    ['both on the day', { ...ready, dayStartsAt: past }, { creator: 'earn', client: 'expense' }],
    [
      'the client once the creator said that they met',
      { ...ready, dayStartsAt: past, creatorMetAt: past },
      { client: 'expense' },
    ],
    ['nobody once it is fulfilled', { ...ready, userSetDoneAt: past }, {}],
    [
      'nobody once it is over',
      { ...ready, userSetDoneAt: past, adminSetDoneAt: past, completedAt: past },
      {},
    ],
    ['nobody once it is withdrawn', { ...paid, cancelledAt: past }, {}],
  ])('%s', async ([, state, lists], { count, pair, insert }) => {
    await insert(state);
    for (const side of ['creator', 'client'] as const) {
      const list = lists[side];
      const { plans, planLists } = await count(pair[side]);
      expect({ plans, planLists }, side).toEqual({
        plans: list ? 1 : 0,
        planLists: { ...nothing.planLists, ...(list && { [list]: 1 }) },
      });
    }
  });

  test('the creator whose answer to a dispute is missing', async ({ database, count, pair, insert }) => {
    const id = await insert({ ...ready, disputedAt: past });
    await database.execute(
      sql`insert into disputes (interaction_id, reason, story) values (${id}, 'absent', 'Nobody came.')`,
    );
    expect((await count(pair.creator)).planLists.history).toBe(1);
    expect((await count(pair.client)).plans).toBe(0);
    await database.execute(
      sql`update disputes set answer = 'I waited.', answered_at = now() where interaction_id = ${id}`,
    );
    expect((await count(pair.creator)).plans).toBe(0);
  });

  test('who answers a proposal, and for nobody else', async ({ database, count, pair, insert }) => {
    const interactionId = await insert({ ...accepted, ...day(24) });
    const proposal = { interactionId, ...day(48), place: 'Luneta' };
    const propose = (who: Member) =>
      database.insert(meetingProposals).values({ id: newId(), proposedBy: who.profileId, ...proposal });
    const plans = async () => [(await count(pair.creator)).plans, (await count(pair.client)).plans];
    expect(await plans()).toEqual([0, 1]);
    await propose(pair.client);
    expect(await plans()).toEqual([1, 0]);
    await database.update(meetingProposals).set({ answer: 'declined', answeredAt: nowDate() });
    await propose(pair.creator);
    expect(await plans()).toEqual([0, 1]);
    // One that was left open when the plan was fulfilled waits for nobody.
    const fulfilled = { paidAt: past, userSetDoneAt: past };
    await database.update(interactions).set(fulfilled).where(eq(interactions.id, interactionId));
    expect(await plans()).toEqual([0, 0]);
  });
});

test('the time at which the next request begins to wait is named', async ({ count, pair, insert }) => {
  const dayStartsAt = hours(48);
  await insert({ paidAt: past, acceptedAt: past, dayStartsAt });
  // One that waits already.
  await insert({ paidAt: past, acceptedAt: past, dayStartsAt: hours(-48) });
  const next = day(24);
  await insert({ paidAt: past, priceCentavos: 0, ...next });
  expect((await count(pair.creator)).changesAt).toBe(dayStartsAt.toISOString());
  expect((await count(pair.client)).changesAt).toBe(next.meetsAt.toISOString());
});

describe('unread messages', () => {
  test('of an open request are counted until they are read', async ({ database, chat, count, listed }) => {
    const { chatId, client, creator } = await insertChat(database);
    for (const text of ['hello', 'Are you there?']) await chat.send(creator, chatId, text);
    await listed(chatId, 2);
    const planLists = { ...nothing.planLists, yourRequest: 2 };
    expect(await count(client)).toEqual({
      ...nothing,
      ...{ plans: 2, planLists, planChats: [{ id: chatId, unread: 2 }] },
    });
    await chat.mark(client, chatId, { read: 1 });
    expect(await count(client)).toMatchObject({ plans: 1, planChats: [{ id: chatId, unread: 1 }] });
    await chat.mark(client, chatId, { read: 2 });
    expect(await count(client)).toEqual(nothing);
    // Paid: it waits for the creator.
    expect(await count(creator)).toMatchObject({ plans: 1, planChats: [] });
  });

  test.for([
    ['fulfilled', { acceptedAt: past, userSetDoneAt: past }, 1],
    ['completed', { acceptedAt: past, userSetDoneAt: past, adminSetDoneAt: past, completedAt: past }, 0],
    ['cancelled', { cancelledAt: past, cancelReason: 'withdrawn' }, 0],
  ] as const)(
    'of a request that is %s are %o: %i',
    async ([, state, expected], { database, platform, count, listed }) => {
      const { chatId, client, interactionId } = await insertChat(database);
      await database.update(interactions).set(state).where(eq(interactions.id, interactionId));
      await writeLine(platform, { chatId, body: 'The plan is confirmed.', clientKey: newId() });
      await listed(chatId, 1);
      expect(await count(client)).toMatchObject({
        plans: expected,
        planLists: { history: expected },
        planChats: expected ? [{ id: chatId, unread: 1 }] : [],
      });
    },
  );

  test('of a member who is hidden by a block are counted for neither', async ({
    database,
    chat,
    count,
    listed,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    for (const who of [client, creator]) await chat.send(who, chatId, 'hello');
    await listed(chatId, 2);
    await insertBlock(database, creator, client);
    for (const who of [client, creator]) expect((await count(who)).planChats).toEqual([]);
  });

  test('of conversations are counted as one each, and of message requests apart', async ({
    database,
    count,
    pair,
  }) => {
    const other = await insertMember(database);
    const { id } = await insertConversation(database, pair.creator, pair.client);
    const request = await insertConversation(database, other, pair.client, {
      awaitsId: pair.client.profileId,
    });
    for (const chatId of [id, request.id])
      await database
        .update(chatEntries)
        .set({ lastSequence: 3, incoming: 3 })
        .where(eq(chatEntries.chatId, chatId));
    expect(await count(pair.client)).toEqual({ ...nothing, conversations: 1, messageRequests: 1 });
  });
});

interface Requests {
  first: number;
  last: number;
  isOver: boolean;
}

/** Gives a creator numbered requests, open ones to accept or ones that are over, and as many conversations: all with an unread message. */
const insertUnread = (creator: Member, client: Member, { first, last, isOver }: Requests) => sql`
  with requests as (
    insert into interactions (id, plan_id, plan_title, client_id, creator_id, price_centavos, paid_at, accepted_at,
      user_set_done_at, admin_set_done_at, completed_at)
    select ${creator.profileId} || n, ${creator.profileId} || case when over.at is null then n else 1 end, 'Walk',
      ${client.profileId}, ${creator.profileId}, 0, now(), over.at, over.at, over.at, over.at
    from generate_series(${first}::int, ${last}::int) as n
    cross join (select case when ${isOver} then now() end as at) as over
    returning *
  ), chats as (
    insert into receipts (id, interaction_id, creator_id, client_id, creator_account_id, client_account_id)
    select 'r' || id, id, creator_id, client_id, ${creator.accountId}, ${client.accountId} from requests
  )
  insert into chat_entries (member_id, chat_id, kind, other_id, last_sequence, incoming, preview, updated_at)
  select ${creator.profileId}, 'r' || id, 'receipt', client_id, 1, 1, 'hello', now() from requests
  union all
  select ${creator.profileId}, 'c' || n, 'conversation', 'other' || n, 1, 1, 'hello', now()
  from generate_series(${first}::int, ${last}::int) as n`;

test('stop at 100, and read as much however many requests are over and chats unread', async ({
  database,
  count,
  pair,
}) => {
  const { creator, client } = pair;
  const open = 150;
  const plan = await insertPlan(database, creator);
  const insertPlans = ({ profileId }: Member, last: number) =>
    database.execute(sql`
      insert into plans (id, creator_id, title, price_centavos, image_id, terms)
      select ${profileId} || n, ${profileId}, title, 0, image_id, terms
      from plans cross join generate_series(1, ${last}::int) as n where plans.id = ${plan}`);
  await insertPlans(creator, open);
  const countBuffers = async () => {
    await database.execute(sql`analyze interactions, receipts, chat_entries`);
    const [row] = await database.execute<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      sql`explain (analyze, buffers, format json) ${countsStatement(creator)}`,
    );
    const { Plan } = row?.['QUERY PLAN'][0] ?? expect.fail('nothing was explained');
    return (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
  };
  await database.execute(insertUnread(creator, client, { first: 1, last: open, isOver: false }));
  await database.execute(insertUnread(creator, client, { first: 1_000, last: 3_000, isOver: true }));
  const before = await countBuffers();
  await database.execute(insertUnread(creator, client, { first: 10_000, last: 40_000, isOver: true }));
  const others = [await insertMember(database), await insertMember(database)] as const;
  await insertPlans(others[0], 5_000);
  await database.execute(insertUnread(...others, { first: 1, last: 5_000, isOver: false }));
  const reply = await count(creator);
  expect(reply).toMatchObject({ plans: 100, conversations: 100 });
  expect(reply.planLists.friendRequest).toBe(100);
  expect(reply.planChats).toHaveLength(100);
  const after = await countBuffers();
  // Of sixteen times as many: an index is a level higher, and by its sample the planner may choose another one.
  expect(after).toBeLessThan(3 * before);
});
