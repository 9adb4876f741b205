import { nowDate, nowMs } from '@tara/contract/clock';
import { conversations as calls } from '@tara/contract/messages/conversations';
import { messages as messageCalls } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { deadSocketMs } from '../../platform/realtime/hub.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertBlock, insertMember, type Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { type FixturesOf, serverTest } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { conversationRoutes } from '../conversations/index.ts';
import { entryWriter, openEntryWriter } from '../messages/entries.ts';
import { chatEntries, chats, messageRoutes, messages, rebuildEntries, writeLine } from '../messages/index.ts';
import { receiptRoutes } from '../receipts/index.ts';
import { mutes } from '../visibility/index.ts';
import { notify } from './notify.ts';
import { deliverHeld } from './summary.ts';
import { notificationSettings, notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

const test = serverTest((app, platform) => {
  conversationRoutes(app, platform);
  receiptRoutes(app, platform);
  messageRoutes(app, platform);
})
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  /** A conversation that Ana began. */
  .extend('chat', ({ database, ana, ben }) => insertConversation(database, ana, ben))
  .extend('write', ({ server, chat }) => async (who: Member, body: string) => {
    const sent = { convoId: chat.id, body, clientKey: newId() };
    return (await server.call(who, calls.sendMessage, { body: sent })).reply;
  })
  /** Writes the lists, does all waiting jobs but what is held up, as if it was their time, and returns what was pushed. */
  .extend('work', ({ platform }) => async () => {
    await entryWriter(platform).close();
    const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
      notificationTasks(platform);
    const helpers = { attempt: 1, maxAttempts: 6 };
    for (let jobs = await platform.takeJobs(); jobs.length > 0; jobs = await platform.takeJobs())
      for (const { task, payload } of jobs)
        if (task !== tasks.deliverHeld.name) await handlers[task]?.(payload, helpers as never);
    return platform.pushes.splice(0);
  });

test.beforeEach(async ({ platform }) => {
  await entryWriter(platform).close();
  await platform.takeJobs();
  platform.pushes.length = 0;
  platform.onlineAccounts.clear();
});

test('a reader who is not here hears once of all messages of a moment, but not what they say', async ({
  database,
  platform,
  ana,
  ben,
  chat,
  write,
  work,
}) => {
  const { endpoint } = await insertDevice(database, ben);
  await insertDevice(database, ana);
  const dueAt = async () => {
    await entryWriter(platform).close();
    return database.execute<{ at: string; seconds: number }>(
      sql`select run_at as at, extract(epoch from run_at - now())::int as seconds from graphile_worker._private_jobs`,
    );
  };
  await write(ana, 'Meet me at the pier');
  const [first, ...others] = await dueAt();
  expect(others).toEqual([]);
  expect(first?.seconds).toBeGreaterThan(5);
  await write(ana, 'At noon');
  // What follows is said with it, and does not put it off.
  expect(await dueAt()).toMatchObject([{ at: first?.at }]);
  expect(await platform.jobs(tasks.pushChat.name)).toEqual([{ chatId: chat.id, profileId: ben.profileId }]);
  const tag = `chat-${chat.id}`;
  expect(await work()).toMatchObject([
    {
      endpoint,
      message: {
        ...{ title: 'Ana wrote 2 messages', tag, topic: tag, closes: [], urgency: 'high' },
        url: `/chats/${ana.accountId}?id=${chat.id}&mixId=${chat.mixId}`,
      },
    },
  ]);
});

test('what was written is shown where the reader switched that on', async ({
  database,
  ana,
  ben,
  write,
  work,
}) => {
  await insertDevice(database, ben);
  await insertDevice(database, ben, { showsText: true });
  await write(ana, 'Meet me at the pier');
  const pushes = await work();
  expect(pushes.map(({ message }) => message.title)).toEqual(['Ana wrote to you', 'Ana wrote to you']);
  expect(pushes.map(({ message }) => message.text).sort()).toEqual(['Meet me at the pier', undefined]);
});

test('of very many messages a push says that there are more than 99', async ({
  database,
  ana,
  ben,
  write,
  work,
}) => {
  await insertDevice(database, ben);
  // Whom others mute is pushed all the same.
  const cora = await insertMember(database);
  await database.insert(mutes).values({ muterId: cora.profileId, mutedId: ana.profileId });
  await Promise.all(Array.from({ length: 99 }, () => write(ana, 'Hello')));
  expect(await work()).toMatchObject([{ message: { title: 'Ana wrote 99 messages' } }]);
  await write(ana, 'Hello');
  expect(await work()).toMatchObject([{ message: { title: 'Ana wrote more than 99 messages' } }]);
});

test('nothing is queued for readers without a device', async ({ platform, ana, write }) => {
  await write(ana, 'Hello');
  await entryWriter(platform).close();
  expect(await platform.jobs(tasks.pushChat.name)).toEqual([]);
});

test('the readers of many chats are queued by one statement', async ({
  database,
  connection,
  platform,
  ana,
  ben,
}) => {
  await insertDevice(database, ben);
  const statements = vi.spyOn(connection.sql, 'unsafe');
  const list = async (count: number) => {
    const others = await Promise.all(Array.from({ length: count }, () => insertMember(database)));
    const conversations = await Promise.all(others.map((other) => insertConversation(database, other, ben)));
    const written = { lastSequence: 1, newestAt: nowDate(), version: 1 };
    const own = inArray(
      chats.id,
      conversations.map(({ id }) => id),
    );
    const rows = await database
      .update(chats)
      .set({ ...written, previewBy: ana.profileId })
      .where(own)
      .returning();
    statements.mockClear();
    const writer = openEntryWriter(platform);
    for (const row of rows) writer.add(row);
    await writer.close();
    return statements.mock.calls.filter(([text]) => !text.includes('chat_entry_progress')).length;
  };
  // The first of them begins a round by itself.
  expect(await list(2)).toBe(await list(8));
  const queued = (await platform.jobs(tasks.pushChat.name)).filter(
    ({ profileId }) => profileId === ben.profileId,
  );
  expect(queued).toHaveLength(10);
});

type Fixtures = Pick<FixturesOf<typeof test>, 'database' | 'platform' | 'server' | 'ana' | 'ben' | 'chat'>;

/** What happens between a message and its push, after which there is none. */
const meanwhile: Record<string, (fixtures: Fixtures, messageId: string) => unknown> = {
  'the reader came': ({ platform, ben }) => platform.onlineAccounts.add(ben.accountId),
  'the reader read it elsewhere': ({ server, ben, chat }) =>
    server.call(ben, messageCalls.mark, { body: { chatId: chat.id, read: 1 } }),
  'the reader read it elsewhere and answered': async ({ server, ben, chat }) => {
    await server.call(ben, messageCalls.mark, { body: { chatId: chat.id, read: 1 } });
    const body = { convoId: chat.id, body: 'On my way', clientKey: newId() };
    await server.call(ben, calls.sendMessage, { body });
  },
  'the reader read it elsewhere, but not what another wrote earlier': async ({
    database,
    platform,
    server,
    ben,
    chat,
  }) => {
    const cora = await insertMember(database, { name: 'Cora' });
    const { id: convoId } = await insertConversation(database, cora, ben);
    await server.call(cora, calls.sendMessage, { body: { convoId, body: 'Hi', clientKey: newId() } });
    await entryWriter(platform).close();
    // It was pushed then.
    await tasks.pushChat.cancel(database, { chatId: convoId, profileId: ben.profileId });
    await server.call(ben, messageCalls.mark, { body: { chatId: chat.id, read: 1 } });
  },
  'it was taken back': ({ server, ana, chat }, messageId) =>
    server.call(ana, messageCalls.unsend, { body: { chatId: chat.id, messageId } }),
  'the reader blocked its author': ({ database, ana, ben }) => insertBlock(database, ben, ana),
  'the reader muted its author': ({ database, ana, ben }) =>
    database.insert(mutes).values({ muterId: ben.profileId, mutedId: ana.profileId }),
  'its author was suspended': ({ database, ana }) => suspend(database, ana),
  'the reader was suspended': ({ database, ben }) => suspend(database, ben),
  'the reader’s account was deleted': ({ database, ben }) =>
    database.update(accounts).set({ deletedAt: nowDate() }).where(eq(accounts.id, ben.accountId)),
  'the reader deleted the chat': ({ server, ben, chat }) =>
    server.call(ben, calls.deleteChat, { body: { convoId: chat.id } }),
  'the reader switched these pushes off': ({ database, ben }) =>
    database
      .insert(notificationSettings)
      .values({ profileId: ben.profileId, switchedOff: ['messages push'] }),
  'the chat expired': ({ database, chat }) =>
    database
      .update(chatEntries)
      .set({ expiresAt: new Date(0) })
      .where(eq(chatEntries.chatId, chat.id)),
};

const suspend = (database: Fixtures['database'], { accountId }: Member) =>
  database
    .update(accounts)
    .set({ suspendedUntil: new Date(nowMs() + 3_600_000) })
    .where(eq(accounts.id, accountId));

test.for(Object.keys(meanwhile))(
  'a message is not pushed when %s meanwhile',
  async (name, { database, platform, server, ana, ben, chat, write, work }) => {
    const fixtures = { database, platform, server, ana, ben, chat };
    await insertDevice(database, ben);
    const { id } = await write(ana, 'Hello');
    await entryWriter(platform).close();
    expect(await platform.jobs(tasks.pushChat.name)).toHaveLength(1);
    await meanwhile[name]?.(fixtures, id);
    expect(await work()).toEqual([]);
  },
);

/** Does what waits of a task now. */
const runNow = async (platform: Fixtures['platform'], name: string) => {
  const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
    notificationTasks(platform);
  for (const { task, payload } of await platform.takeJobs())
    if (task === name) await handlers[task]?.(payload, { attempt: 1, maxAttempts: 6 } as never);
};

test('a reader whose socket is dead, which is noticed later, hears of all messages once then', async ({
  database,
  platform,
  ana,
  ben,
  write,
  work,
}) => {
  const { endpoint } = await insertDevice(database, ben);
  platform.onlineAccounts.add(ben.accountId);
  await write(ana, 'Meet me at the pier');
  await entryWriter(platform).close();
  await runNow(platform, tasks.pushChat.name);
  const waiting = () =>
    database.execute(
      sql`select extract(epoch from run_at - now())::int as seconds from graphile_worker._private_jobs`,
    );
  const [{ seconds } = { seconds: 0 }, ...others] = await waiting();
  expect(others).toEqual([]);
  expect(Number(seconds) * 1_000).toBeGreaterThan(deadSocketMs - 5_000);
  // What follows meanwhile is looked at in its own time, and puts the second look off.
  await write(ana, 'At noon');
  await entryWriter(platform).close();
  expect(await platform.jobs(tasks.pushChat.name)).toHaveLength(2);
  const jobs = await platform.takeJobs();
  const first = jobs.filter(({ payload }) => !payload.isSecond);
  expect(first).toHaveLength(1);
  for (const { payload } of [...first, ...first])
    await notificationTasks(platform)['notifications.pushChat'](payload, {} as never);
  expect(await waiting()).toHaveLength(1);
  platform.onlineAccounts.clear();
  const message = { title: 'Ana wrote 2 messages' };
  expect(await work()).toMatchObject([{ endpoint, message }]);
});

test('a reader who is here and has read is not looked for again, nor one who was pushed meanwhile', async ({
  database,
  platform,
  server,
  ana,
  ben,
  chat,
  write,
  work,
}) => {
  await insertDevice(database, ben);
  platform.onlineAccounts.add(ben.accountId);
  await write(ana, 'Hello');
  await server.call(ben, messageCalls.mark, { body: { chatId: chat.id, read: 1 } });
  await entryWriter(platform).close();
  await runNow(platform, tasks.pushChat.name);
  expect(await platform.jobs(tasks.pushChat.name)).toEqual([]);
  await write(ana, 'Are you there?');
  await entryWriter(platform).close();
  platform.onlineAccounts.clear();
  const [first] = await platform.takeJobs();
  const second = { chatId: chat.id, profileId: ben.profileId, isSecond: true };
  await tasks.pushChat.enqueue(database, second, { runAt: new Date(nowMs() + 60_000) });
  await notificationTasks(platform)['notifications.pushChat'](first?.payload, {} as never);
  expect(await platform.jobs(tasks.pushChat.name)).toEqual([]);
  expect(await work()).toHaveLength(1);
});

test('messages of a pause are pushed at its end, as one with what else was held up', async ({
  database,
  platform,
  ana,
  ben,
  chat,
  write,
  work,
}) => {
  const { endpoint } = await insertDevice(database, ben);
  const pausedUntil = new Date(nowMs() + 3_600_000);
  await database.insert(notificationSettings).values({ profileId: ben.profileId, pausedUntil });
  await write(ana, 'Hello');
  expect(await work()).toEqual([]);
  await write(ana, 'Are you there?');
  await database.transaction((transaction) =>
    notify(transaction, {
      ...{ event: 'verificationAccepted', to: { profileId: ben.profileId } },
    }),
  );
  // What cannot be switched off goes on.
  expect(await work()).toMatchObject([{ endpoint, message: { title: expect.stringContaining('verified') } }]);
  // Its time has not come.
  await deliverHeld(platform, ben.profileId);
  expect(await work()).toEqual([]);
  await database.update(notificationSettings).set({ pausedUntil: null });
  const other = await insertConversation(database, await insertMember(database, { name: 'Cora' }), ben);
  const { heldChats } = notificationSettings;
  await database
    .update(notificationSettings)
    .set({ heldChats: sql`array_append(${heldChats}, ${other.id})` });
  await deliverHeld(platform, ben.profileId);
  // Nothing is unread in the other chat.
  const tag = `chat-${chat.id}`;
  expect(await work()).toMatchObject([
    { endpoint, message: { title: 'Ana wrote 2 messages', tag, topic: tag } },
  ]);
  await deliverHeld(platform, ben.profileId);
  expect(await work()).toEqual([]);
  // What comes later is pushed at its moment.
  await write(ana, 'Good');
  expect(await work()).toMatchObject([{ message: { title: 'Ana wrote 3 messages' } }]);
});

test('what a pause held up of several chats is one push, which opens their list', async ({
  database,
  platform,
  server,
  ana,
  ben,
  write,
  work,
}) => {
  await insertDevice(database, ben);
  const pausedUntil = new Date(nowMs() + 3_600_000);
  await database.insert(notificationSettings).values({ profileId: ben.profileId, pausedUntil });
  const cora = await insertMember(database, { name: 'Cora' });
  const { id: convoId } = await insertConversation(database, cora, ben);
  await write(ana, 'Hello');
  await server.call(cora, calls.sendMessage, { body: { convoId, body: 'Hi', clientKey: newId() } });
  expect(await work()).toEqual([]);
  const end = async () => {
    await database.update(notificationSettings).set({ pausedUntil: null });
    await database
      .update(notifications)
      .set({ pushHeldUntil: sql`now()` })
      .where(isNotNull(notifications.pushHeldUntil));
    await deliverHeld(platform, ben.profileId);
    return work();
  };
  const both = { title: expect.stringMatching(/^(Ana|Cora) wrote to you, and 1 more$/), url: '/chats' };
  expect(await end()).toMatchObject([{ message: both }]);

  // With a notification these are all in one.
  await database.update(notificationSettings).set({ pausedUntil });
  const planId = await insertPlan(database, cora);
  const interactionId = await insertInteraction(database, { creator: cora, client: ben, planId });
  await database.transaction((transaction) =>
    notify(transaction, { event: 'accepted', interactionId, to: ['client'] }),
  );
  await write(ana, 'Are you there?');
  expect(await work()).toEqual([]);
  const all = { title: expect.stringMatching(/accepted your request, and 1 more$/), url: '/notifications' };
  expect(await end()).toMatchObject([{ message: all }]);
});

test('many chats are read by as many statements as two at the end of a pause, and only those that are due are counted', async ({
  database,
  connection,
  platform,
  server,
  ben,
  work,
}) => {
  const { id: deviceId } = await insertDevice(database, ben);
  const { profileId } = ben;
  const chatIds: string[] = [];
  const begin = async (name: string) => {
    const other = await insertMember(database, { name });
    const { id: convoId } = await insertConversation(database, other, ben);
    const sent = { convoId, body: 'Hi', clientKey: newId() };
    const { reply } = await server.call(other, calls.sendMessage, { body: sent });
    await entryWriter(platform).close();
    chatIds.unshift(convoId);
    return { other, convoId, messageId: reply.id };
  };
  const statements = vi.spyOn(connection.sql, 'unsafe');
  const push = async () => {
    await platform.takeJobs();
    statements.mockClear();
    await notificationTasks(platform)['notifications.pushHeld']({ profileId, ids: [], chatIds, deviceId }, {
      attempt: 1,
      maxAttempts: 6,
    } as never);
    return { count: statements.mock.calls.length, pushes: await work() };
  };
  await begin('Cora');
  await begin('Dana');
  const two = await push();
  expect(two.pushes).toMatchObject([{ message: { title: 'Dana wrote to you, and 1 more', url: '/chats' } }]);
  const muted = await begin('Elsa');
  await database.insert(mutes).values({ muterId: profileId, mutedId: muted.other.profileId });
  const { other, convoId, messageId } = await begin('Fay');
  await server.call(other, messageCalls.unsend, { body: { chatId: convoId, messageId } });
  await begin('Gina');
  const five = await push();
  expect(five.pushes).toMatchObject([{ message: { title: 'Gina wrote to you, and 2 more' } }]);
  expect(five.count).toBe(two.count);
});

test('messages that a pause held up are not pushed to somebody who is here when it ends', async ({
  database,
  platform,
  ana,
  ben,
  write,
  work,
}) => {
  await insertDevice(database, ben);
  const pausedUntil = new Date(nowMs() + 3_600_000);
  await database.insert(notificationSettings).values({ profileId: ben.profileId, pausedUntil });
  await write(ana, 'Hello');
  expect(await work()).toEqual([]);
  await database.update(notificationSettings).set({ pausedUntil: null });
  platform.onlineAccounts.add(ben.accountId);
  await deliverHeld(platform, ben.profileId);
  expect(await platform.jobs(tasks.pushHeld.name)).toHaveLength(1);
  await runNow(platform, tasks.pushHeld.name);
  // Unless the socket was dead.
  expect(await platform.jobs(tasks.pushHeld.name)).toMatchObject([{ isSecond: true }]);
  const again = { ...(await platform.jobs(tasks.pushHeld.name))[0] };
  expect(await work()).toEqual([]);
  platform.onlineAccounts.clear();
  await tasks.pushHeld.enqueue(database, again as never);
  expect(await work()).toMatchObject([{ message: { title: 'Ana wrote to you' } }]);
});

test('messages of a pause stay held up when settings change meanwhile, also of somebody who is here then', async ({
  database,
  platform,
  ana,
  ben,
  write,
  work,
}) => {
  await insertDevice(database, ben);
  const pausedUntil = new Date(nowMs() + 3_600_000);
  await database.insert(notificationSettings).values({ profileId: ben.profileId, pausedUntil });
  await write(ana, 'Hello');
  expect(await work()).toEqual([]);
  platform.onlineAccounts.add(ben.accountId);
  await deliverHeld(platform, ben.profileId);
  expect(await work()).toEqual([]);
  platform.onlineAccounts.clear();
  await database.update(notificationSettings).set({ pausedUntil: null });
  await deliverHeld(platform, ben.profileId);
  expect(await work()).toMatchObject([{ message: { title: 'Ana wrote to you' } }]);
});

test('what a pause held up of plan chats alone opens the list of plans', async ({
  database,
  platform,
  server,
  ana,
  ben,
  work,
}) => {
  await insertDevice(database, ben);
  const pausedUntil = new Date(nowMs() + 3_600_000);
  await database.insert(notificationSettings).values({ profileId: ben.profileId, pausedUntil });
  for (const title of ['Walk', 'Coffee']) {
    const state = { planTitle: title, paidAt: nowDate() };
    const planId = await insertPlan(database, ana);
    const interactionId = await insertInteraction(database, { creator: ana, client: ben, planId }, state);
    const { reply } = await server.call(ana, receipts.createConversationReceipt, { body: { interactionId } });
    await server.call(ana, receipts.sendMessage, {
      body: { conversation: reply.id, message: 'Hi', clientKey: newId() },
    });
    expect(await work()).toEqual([]);
  }
  await database.update(notificationSettings).set({ pausedUntil: null });
  await deliverHeld(platform, ben.profileId);
  // The newest first.
  const message = { title: 'Ana wrote about Coffee, and 1 more', url: '/manage-plans' };
  expect(await work()).toMatchObject([{ message }]);
});

test('a message request is never pushed, what follows once it is accepted is', async ({
  database,
  platform,
  server,
  ana,
  ben,
  work,
}) => {
  await insertDevice(database, ben);
  const { id: convoId } = await insertConversation(database, ana, ben, { awaitsId: ben.profileId });
  const send = (body: string) =>
    server.call(ana, calls.sendMessage, { body: { convoId, body, clientKey: newId() } });
  await send('Hello');
  await entryWriter(platform).close();
  expect(await platform.jobs(tasks.pushChat.name)).toEqual([]);
  // Nor by a job that was queued before.
  await tasks.pushChat.enqueue(database, { chatId: convoId, profileId: ben.profileId });
  expect(await work()).toEqual([]);
  await server.call(ben, calls.answerRequest, { body: { convoId, answer: 'accept' } });
  await server.call(ben, messageCalls.mark, { body: { chatId: convoId, read: 1 } });
  await work();
  await send('Thank you');
  expect(await work()).toMatchObject([{ message: { title: 'Ana wrote to you' } }]);
});

test('in a plan chat the push names the plan, and a line of Tara is not pushed', async ({
  database,
  platform,
  server,
  work,
}) => {
  const { creator, client, interactionId, chatId } = await insertChat(database);
  await insertDevice(database, creator);
  await writeLine(platform, { chatId, body: 'The client paid.', clientKey: newId() });
  expect(await work()).toEqual([]);
  const body = { conversation: chatId, message: 'See you', clientKey: newId() };
  await server.call(client, receipts.sendMessage, { body });
  // A line that follows at once does not take the message's push.
  await writeLine(platform, { chatId, body: 'The creator accepted.', clientKey: newId() });
  expect(await work()).toMatchObject([
    {
      message: {
        title: `${client.name} wrote about Walk`,
        url: `/manage-plans/conversation-receipt/${chatId}?interactionId=${interactionId}`,
      },
    },
  ]);
});

test('lists that are written again push nothing old', async ({
  database,
  platform,
  ana,
  ben,
  chat,
  write,
}) => {
  await write(ana, 'Hello');
  await entryWriter(platform).close();
  await insertDevice(database, ben);
  const queued = async () =>
    (await platform.jobs(tasks.pushChat.name)).filter(({ chatId }) => chatId === chat.id);
  await rebuildEntries(database);
  expect(await queued()).toHaveLength(1);
  await platform.takeJobs();
  const hourAgo = new Date(nowMs() - 3_600_000);
  await database.update(messages).set({ createdAt: hourAgo }).where(eq(messages.chatId, chat.id));
  await rebuildEntries(database);
  expect(await queued()).toEqual([]);
});
