import { nowDate } from '@tara/contract/clock';
import { interactions as calls } from '@tara/contract/interactions/interactions';
import { messages } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { type RequestFacts, shareDetails } from '@tara/contract/notifications/facts';
import { meetingEvents } from '@tara/contract/notifications/meeting-events';
import { moneyEvents } from '@tara/contract/notifications/money-events';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertCapture } from '../../testing/features/captures.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertRequest } from '../../testing/features/receipts.ts';
import { serverTest } from '../../testing/test.ts';
import { accounts, accountTasks } from '../accounts/index.ts';
import { interactionRoutes, interactions } from '../interactions/index.ts';
import { chats, messageRoutes } from '../messages/index.ts';
import { confirmPlan } from '../payments/confirm.ts';
import { receiptRoutes, receiptTasks } from '../receipts/index.ts';
import { notify } from './notify.ts';
import { notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

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
  /** Does the jobs that wait, but for daily mails, twice each, for each may run more than once, but for mails; returns these as `to: subject`. */
  .extend('work', ({ platform }) => async () => {
    const sent: string[] = [];
    const mailer = { send: async ({ to, subject }: Mail) => void sent.push(`${to}: ${subject}`) };
    const { [tasks.mailDaily.name]: _, ...notifying } = notificationTasks(platform);
    const delivering: Tasks = { ...notifying, ...receiptTasks(platform) };
    const mailing: Tasks = accountTasks(platform, mailer);
    for (let jobs = await platform.takeJobs(); jobs.length > 0; jobs = await platform.takeJobs()) {
      for (const { task, payload } of [...jobs, ...jobs]) await delivering[task]?.(payload, {} as never);
      for (const { task, payload } of jobs) await mailing[task]?.(payload, {} as never);
    }
    return sent;
  });

type Mail = { to: string; subject: string };
type Tasks = Record<string, (payload: unknown, helpers: never) => Promise<void>>;

const paid = '1 The client paid ₱100.00. Tara holds the money until an admin confirms the plan.';

test('a plan chat begins with the payment, and says each step of its request once', async ({
  database,
  platform,
  server,
  open,
  lines,
  work,
}) => {
  const { creator, client, interactionId } = await insertRequest(database);
  await insertCapture(database, interactionId, 100_00);
  const chatId = await open(client, interactionId);
  expect(await lines(creator, chatId)).toEqual([paid]);
  const body = { conversation: chatId, message: 'Hi', clientKey: newId() };
  expect((await server.call(client, receipts.sendMessage, { body })).reply.sequence).toBe(2);

  await server.call(creator, calls.acceptRequest, { body: { interactionId } });
  expect(await work()).toEqual([`${client.email}: ${creator.name} accepted your request`]);
  const accepted = '3 The creator accepted the request.';
  expect(await lines(client, chatId)).toEqual([paid, accepted]);
  expect(platform.announced.filter(({ collection }) => collection === 'chatReceipts').at(-1)).toMatchObject({
    change: 'create',
    document: { chatId, sequence: 3, admin: true, userId: '', name: 'Tara' },
    audience: [creator.accountId, client.accountId],
  });

  await server.call(client, calls.markDone, { body: { interactionId } });
  expect(await work()).toEqual([`${creator.email}: ${client.name} says that you met`]);
  await confirmPlan(platform, await insertMember(database, { admin: true }), interactionId);
  expect((await work()).sort()).toEqual(
    [`${client.email}: Walk is confirmed`, `${creator.email}: Walk is confirmed`].sort(),
  );
  const [chat] = await database.select().from(chats).where(eq(chats.id, chatId));
  // Also in a chat that is closed by then.
  expect(chat?.closedAt).not.toBeNull();
  expect(await lines(client, chatId)).toEqual([
    ...[paid, accepted],
    '4 The client says that the plan is fulfilled. An admin confirms it next.',
    '5 An admin confirmed the plan. ₱100.00 goes to the creator.',
  ]);
});

test('what happened before the chat opens is at its start, also of a free plan', async ({
  database,
  open,
  lines,
  work,
}) => {
  const state = { paidAt: nowDate(), acceptedAt: nowDate(), priceCentavos: 0 };
  const { creator, client, interactionId } = await insertRequest(database, state);
  const chatId = await open(creator, interactionId);
  await work();
  expect(await lines(client, chatId)).toEqual([
    '1 This plan is free. You can agree here on when and where to meet.',
    '2 The creator accepted the request.',
  ]);
});

test('what happens without a chat is mailed at once, and is in the chat that opens later', async ({
  database,
  open,
  lines,
  work,
}) => {
  const { client, interactionId } = await insertRequest(database);
  await database.transaction((transaction) =>
    notify(transaction, { event: 'refunded', interactionId, to: ['client'] }),
  );
  expect(await work()).toEqual([`${client.email}: Your money for Walk is on its way back`]);
  const chatId = await open(client, interactionId);
  expect(await work()).toEqual([]);
  expect(await lines(client, chatId)).toEqual([paid, '2 The client has ₱100.00 back.']);
});

test('what a transaction at the same time has not shown yet is in the chat that opens, too', async ({
  database,
  platform,
  open,
  lines,
}) => {
  const { client, interactionId } = await insertRequest(database);
  await platform.takeJobs();
  const chatId = await open(client, interactionId);
  expect(await lines(client, chatId)).toEqual([paid]);
  // Its own job ran before the chat was open.
  await database.insert(notifications).values({
    ...{ profileId: client.profileId, event: 'reminder', groupName: 'plans', inApp: true },
    ...{ interactionId, occasion: 'day-1' },
  });
  const writing: Tasks = receiptTasks(platform);
  for (const { task, payload } of await platform.takeJobs()) await writing[task]?.(payload, {} as never);
  expect(await lines(client, chatId)).toEqual([paid, expect.stringMatching(/^2 How was it\?/)]);
});

test.for([
  ['requested', { paidAt: null, acceptedAt: null }, { acceptedAt: nowDate() }],
  ['requested', { paidAt: null, acceptedAt: null }, { cancelledAt: nowDate(), cancelReason: 'withdrawn' }],
  ['creatorMet', { paidAt: nowDate(), acceptedAt: nowDate() }, { userSetDoneAt: nowDate() }],
] as const)(
  'what asks for something that was done meanwhile is not mailed: %s',
  async ([event, before, after], { database, work }) => {
    const about = async () => {
      const { interactionId } = await insertRequest(database, before);
      const to = [event === 'requested' ? ('creator' as const) : ('client' as const)];
      await database.transaction((transaction) => notify(transaction, { event, interactionId, to }));
      return interactionId;
    };
    await about();
    expect(await work()).toHaveLength(1);
    const interactionId = await about();
    await database.update(interactions).set(after).where(eq(interactions.id, interactionId));
    expect(await work()).toEqual([]);
  },
);

test('an event reaches each person once, also when it is stored twice at once, and another occasion again', async ({
  database,
  work,
}) => {
  const { client, creator, interactionId } = await insertRequest(database, {});
  const notifyAccepted = (occasion: string) =>
    database.transaction((transaction) =>
      notify(transaction, { event: 'accepted', interactionId, to: ['client'], occasion }),
    );
  const stored = await Promise.all([1, 2, 3].map(() => notifyAccepted('first')));
  expect(stored.filter(Boolean)).toEqual([true]);
  expect(await work()).toHaveLength(1);
  expect(await notifyAccepted('first')).toBe(false);
  expect(await notifyAccepted('second')).toBe(true);
  expect(await work()).toEqual([`${client.email}: ${creator.name} accepted your request`]);
});

test('nobody is notified of what was rolled back', async ({ database, work }) => {
  const { interactionId } = await insertRequest(database, {});
  const cause = database.transaction(async (transaction) => {
    await notify(transaction, { event: 'accepted', interactionId, to: ['client'] });
    throw new Error('the cause failed');
  });
  await expect(cause).rejects.toThrow('the cause failed');
  expect(await database.$count(notifications, eq(notifications.interactionId, interactionId))).toBe(0);
  expect(await work()).toEqual([]);
});

test('a title cannot write into the header of an email, nor a name into its page', async ({
  database,
  platform,
}) => {
  const { client, creator, interactionId } = await insertRequest(database, {
    planTitle: 'Walk\r\nBcc: all@example.com',
  });
  await database.execute(
    sql`update profiles set name = '<b>Eve</b>' where profiles.id = ${creator.profileId}`,
  );
  await database.transaction((transaction) =>
    notify(transaction, { event: 'cancelled', interactionId, to: ['client'] }),
  );
  const delivering: Tasks = notificationTasks(platform);
  for (let round = 0; round < 2; round++)
    for (const { task, payload } of await platform.takeJobs()) await delivering[task]?.(payload, {} as never);
  const sent: (Mail & { text: string; html: string })[] = [];
  const mailing: Tasks = accountTasks(platform, { send: async (mail) => void sent.push(mail) });
  for (const { task, payload } of await platform.takeJobs()) await mailing[task]?.(payload, {} as never);
  expect(sent).toMatchObject([
    { to: client.email, subject: 'Your request for Walk Bcc: all@example.com is cancelled' },
  ]);
  expect(sent[0]?.html).toContain('&lt;b&gt;Eve&lt;/b&gt;');
  expect(sent[0]?.text).toContain('Nothing was paid.');
});

test('what is about security is mailed to the address of its time, all else to the one of now, and nothing to one that is not confirmed', async ({
  database,
  work,
}) => {
  const { client, creator, interactionId } = await insertRequest(database, {});
  const isClient = eq(accounts.id, client.accountId);
  await database.transaction(async (transaction) => {
    await notify(transaction, { event: 'signedIn', to: { profileId: client.profileId } });
    await notify(transaction, { event: 'accepted', interactionId, to: ['client'] });
  });
  const email = `new-${client.email}`;
  await database.update(accounts).set({ email }).where(isClient);
  expect((await work()).sort()).toEqual(
    [
      `${client.email}: A new device signed in to your account`,
      `${email}: ${creator.name} accepted your request`,
    ].sort(),
  );
  await database.update(accounts).set({ emailVerifiedAt: null }).where(isClient);
  await database.transaction((transaction) =>
    notify(transaction, { event: 'accepted', interactionId, to: ['client'], occasion: 'again' }),
  );
  expect(await work()).toEqual([]);
});

test('texts name what the creator gets: after the fee, of a split, and of what an issuer left', () => {
  const facts = { ...{ title: 'Coffee', price: '₱250.00', isPaid: true, client: 'Ben', creator: 'Ana' } };
  const say = (details: RequestFacts['details']): RequestFacts => ({ ...facts, details });
  const fee = say(shareDetails(250_00, 500));
  expect(moneyEvents.confirmed.line(fee)).toBe(
    'An admin confirmed the plan. ₱237.50, after Tara’s fee of ₱12.50, goes to the creator.',
  );
  expect(moneyEvents.confirmed.line(say(shareDetails(250_00, 0)))).toBe(
    'An admin confirmed the plan. ₱250.00 goes to the creator.',
  );
  expect(meetingEvents.fulfilled.creator(fee).text).toContain(
    'then ₱237.50, after Tara’s fee of ₱12.50, goes to you.',
  );
  expect(moneyEvents.decided.line(say({ ...shareDetails(100_00, 0), refunded: '15000' }))).toBe(
    'An admin decided: ₱100.00 goes to the creator and ₱150.00 goes back to the client.',
  );
  expect(moneyEvents.payoutNumber.creator(say({ amount: '10000' })).title).toBe(
    '₱100.00 for Coffee waits for your GCash number',
  );
  const taken = say({ amount: '10000', rest: '0', earned: '15000', taken: '9000' });
  expect(moneyEvents.chargedBack.creator(taken).text).toContain(
    "took back ₱100.00 for 'Coffee'. ₱90.00 of it was taken from your payout. You keep ₱150.00.",
  );
  expect(
    moneyEvents.chargedBack.creator(say({ amount: '15000', earned: '15000', taken: '0' })).text,
  ).toContain('Your payout of ₱150.00 stays yours: Tara bears the loss.');
  expect(moneyEvents.chargedBack.client(say({ amount: '10000', rest: '15000' })).text).toContain(
    'We refund the rest, ₱150.00.',
  );
  expect(
    moneyEvents.chargedBack.client(say({ amount: '10000', rest: '0', underWay: '25000' })).text,
  ).toContain('A refund of ₱250.00 was on its way before.');
  expect(moneyEvents.refundCovered.client(say({ amount: '10000', rest: '15000' })).text).toContain(
    "Your card issuer gave you ₱100.00 of your refund for 'Coffee' back. We refund the rest, ₱150.00.",
  );
  const corrected = say({ covered: '5000', rest: '15000', taken: '10000', earned: '14000' });
  expect(moneyEvents.chargebackCorrected.line(corrected)).toBeNull();
  expect(moneyEvents.chargebackCorrected.client(corrected).text).toBe(
    "We had booked another card dispute for your payment of 'Coffee' by mistake. Without it, ₱50.00 of what your card issuer gave you back was your refund. We refund the rest, ₱150.00.",
  );
  expect(moneyEvents.chargebackCorrected.creator(corrected).text).toBe(
    "We had booked another card dispute for 'Coffee' by mistake. Without it, what the card issuer of Ben took back was ₱100.00 of your payout. You keep ₱140.00.",
  );
  const ended = say({ covered: '5000', rest: '15000', hasEnded: 'yes' });
  expect(moneyEvents.chargebackCorrected.client(ended).text).toContain(
    'what your card issuer gave you back ends the plan. We refund the rest, ₱150.00.',
  );
  expect(moneyEvents.chargebackCorrected.creator(ended).text).toContain(
    'took back ends the plan. Nothing of it can be paid out.',
  );
  const second = { paymentId: 'pay_2', amount: '25000' };
  expect(moneyEvents.chargebackCorrected.client(say({ ...second, covered: '5000' }))).toMatchObject({
    text: expect.stringContaining("for your second payment of 'Coffee'"),
    page: 'payment',
  });
  expect(moneyEvents.chargedBack.client(say(second))).toEqual({
    title: 'Your card issuer took back your second payment for Coffee',
    text: "Your card issuer gave you ₱250.00 of your second payment for 'Coffee' back. Nothing more is refunded for it. Your request stays as it is.",
    ...{ button: 'See the confirmation', page: 'payment' },
  });
  expect(moneyEvents.chargedBack.line(say(second))).toBeNull();
  expect(moneyEvents.paidTooLate.client(say({ amount: '25000', taken: 'yes' })).text).toContain(
    'after its time was given to somebody else. It goes back to you.',
  );
  const free = { ...say({}), price: null };
  expect(meetingEvents.reminder.line(free)).toBe('How was it? The client can mark the plan as fulfilled.');
});
