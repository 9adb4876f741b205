import { interactions as calls } from '@tara/contract/interactions';
import { messages } from '@tara/contract/messages';
import { receipts } from '@tara/contract/receipts';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { insertRequest } from '../../testing/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { interactionRoutes, interactions } from '../interactions/index.ts';
import { chats, messageRoutes } from '../messages/index.ts';
import { confirmPlan } from '../payments/confirm.ts';
import { receiptTasks } from './lines.ts';
import { receiptRoutes } from './routes.ts';

const test = serverTest((app, platform) => {
  interactionRoutes(app, platform);
  receiptRoutes(app, platform);
  messageRoutes(app, platform);
})
  .extend('open', ({ server }) => async (who: Member, interactionId: string) => {
    const { reply } = await server.call(who, receipts.createConversationReceipt, { body: { interactionId } });
    return reply.id;
  })
  .extend('lines', ({ server }) => async (who: Member, chatId: string) => {
    const { reply } = await server.call(who, messages.list, {
      params: { chatId },
      query: { after: 0, pages: 5 },
    });
    return reply.items.filter(({ admin }) => admin).map(({ sequence, body }) => `${sequence} ${body}`);
  })
  /** Does the jobs that wait, twice: each may run more than once. */
  .extend('work', ({ platform }) => async () => {
    const tasks: Record<string, (payload: unknown, helpers: never) => Promise<void>> = receiptTasks(platform);
    const jobs = await platform.takeJobs();
    for (const { task, payload } of [...jobs, ...jobs]) await tasks[task]?.(payload, {} as never);
  });

const paid = '1 The client paid ₱100.00. Tara holds the money until an admin confirms the plan.';

test('a plan chat begins with the payment, and says each step of its request once (§3-chat-message)', async ({
  database,
  platform,
  server,
  open,
  lines,
  work,
}) => {
  const { creator, client, interactionId } = await insertRequest(database);
  const chatId = await open(client, interactionId);
  expect(await lines(creator, chatId)).toEqual([paid]);
  const body = { conversation: chatId, message: 'Hi', clientKey: newId() };
  expect((await server.call(client, receipts.sendMessage, { body })).reply.sequence).toBe(2);

  await server.call(creator, calls.acceptRequest, { body: { interactionId } });
  await work();
  const accepted = '3 The creator accepted the request.';
  expect(await lines(client, chatId)).toEqual([paid, accepted]);
  expect(platform.announced.filter(({ collection }) => collection === 'chatReceipts').at(-1)).toMatchObject({
    change: 'create',
    document: { chatId, sequence: 3, admin: true, userId: '', name: 'Tara' },
    audience: [creator.accountId, client.accountId],
  });

  await server.call(client, calls.markDone, { body: { interactionId } });
  await work();
  await confirmPlan(platform, await insertMember(database, { admin: true }), interactionId);
  await work();
  const [chat] = await database.select().from(chats).where(eq(chats.id, chatId));
  // Also in a chat that is closed by then.
  expect(chat?.closedAt).not.toBeNull();
  expect(await lines(client, chatId)).toEqual([
    ...[paid, accepted],
    '4 The client says that the plan is fulfilled. An admin confirms it next.',
    '5 An admin confirmed the plan. ₱100.00 goes to the creator.',
  ]);
});

test('what happened before the chat opens stands at its begin, also of a free plan', async ({
  database,
  open,
  lines,
  work,
}) => {
  const state = { paidAt: new Date(), acceptedAt: new Date(), priceCentavos: 0 };
  const { creator, client, interactionId } = await insertRequest(database, state);
  const chatId = await open(creator, interactionId);
  await work();
  expect(await lines(client, chatId)).toEqual([
    '1 This plan is free. You can agree here on when and where to meet.',
    '2 The creator accepted the request.',
  ]);
});

test('money that goes back is said, and a request without a chat has no line', async ({
  database,
  platform,
  open,
  lines,
  work,
}) => {
  const { client, interactionId } = await insertRequest(database);
  const writeLines = receiptTasks(platform)['receipts.lines'];
  await writeLines({ interactionId }, {} as never);
  const chatId = await open(client, interactionId);
  await database
    .update(interactions)
    .set({ cancelledAt: sql`now()`, refundedAt: sql`now()` })
    .where(eq(interactions.id, interactionId));
  await work();
  await writeLines({ interactionId }, {} as never);
  expect(await lines(client, chatId)).toEqual([
    paid,
    '2 The request is cancelled. ₱100.00 goes back to the client.',
    '3 The client has ₱100.00 back.',
  ]);
});

test('a chat from before such lines gets those of later steps alone', async ({
  database,
  platform,
  open,
  lines,
}) => {
  const long = new Date(Date.now() - 86_400_000);
  const { client, interactionId } = await insertRequest(database, { paidAt: long, acceptedAt: long });
  const chatId = await open(client, interactionId);
  await database.execute(sql`delete from messages where chat_id = ${chatId}`);
  await database
    .update(interactions)
    .set({ userSetDoneAt: sql`now()` })
    .where(eq(interactions.id, interactionId));
  await receiptTasks(platform)['receipts.lines']({ interactionId }, {} as never);
  expect((await lines(client, chatId)).map((line) => line.slice(2))).toEqual([
    'The client says that the plan is fulfilled. An admin confirms it next.',
  ]);
});
