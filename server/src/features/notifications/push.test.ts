import { nowDate, nowMs } from '@tara/contract/clock';
import { notifications as calls } from '@tara/contract/notifications/notifications';
import { and, eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { RetryLater } from '../../platform/jobs/task.ts';
import { insertConversation } from '../../testing/features/conversations.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import { insertMember } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { devices } from '../devices/index.ts';
import { chatEntries } from '../messages/index.ts';
import { type NotifyArgs, notify } from './notify.ts';
import { notificationRoutes } from './routes.ts';
import { notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

const test = serverTest(notificationRoutes)
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana' }))
  /** Notifies Ana and returns the notification's id. */
  .extend('notifyAna', ({ database, ana }) => async (part: Partial<NotifyArgs> = {}) => {
    const to = { profileId: ana.profileId };
    await database.transaction((transaction) =>
      notify(transaction, { event: 'verificationDeclined', to, ...part } as NotifyArgs),
    );
    const [row] = await database
      .select()
      .from(notifications)
      .where(
        and(eq(notifications.profileId, ana.profileId), eq(notifications.occasion, part.occasion ?? '')),
      );
    return row?.id ?? expect.fail();
  })
  /** Tries a push. */
  .extend('push', ({ platform }) => (id: string, deviceId: string, attempt = 1) => {
    const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
      notificationTasks(platform);
    const push = handlers['notifications.push'] ?? expect.fail();
    return push({ id, deviceId }, { attempt, maxAttempts: 6 } as never);
  })
  .extend(
    'pushedAt',
    ({ database }) =>
      async (id: string) =>
        (await database.select().from(notifications).where(eq(notifications.id, id)))[0]?.pushedAt,
  );

test.beforeEach(({ platform }) => {
  platform.pushes.length = 0;
  platform.pushOutcome.current = { kind: 'accepted' };
});

const note = { details: { reason: 'other', note: 'The photo is dark.' } };

test('its text is pushed where the member switched that on, and nowhere else', async ({
  database,
  platform,
  ana,
  notifyAna,
  push,
}) => {
  const id = await notifyAna(note);
  for (const showsText of [false, true]) {
    const { id: deviceId } = await insertDevice(database, ana, { showsText });
    await push(id, deviceId);
  }
  const [silent, open] = platform.pushes.map(({ message }) => message);
  expect(JSON.stringify(silent)).not.toContain('dark');
  expect(silent).toMatchObject({ title: 'Your verification on Tara needs another try', urgency: 'high' });
  expect(open?.text).toContain('The photo is dark.');
});

test('what was read meanwhile is not pushed, nor what may not be delivered any more', async ({
  database,
  platform,
  ana,
  notifyAna,
  push,
  pushedAt,
}) => {
  const { id: deviceId } = await insertDevice(database, ana);
  const read = await notifyAna({ occasion: 'read' });
  await database.update(notifications).set({ readAt: sql`now()` }).where(eq(notifications.id, read));
  await push(read, deviceId);
  const other = await notifyAna({ occasion: 'deleted' });
  await database.update(accounts).set({ deletedAt: nowDate() }).where(eq(accounts.id, ana.accountId));
  await push(other, deviceId);
  await push('gone', deviceId);
  expect(platform.pushes).toEqual([]);
  expect(await pushedAt(other)).toBeNull();
});

test('each device is tried for itself, and one that accepted it is enough', async ({
  database,
  platform,
  ana,
  notifyAna,
  push,
  pushedAt,
}) => {
  const [phone, laptop] = [await insertDevice(database, ana), await insertDevice(database, ana)];
  const id = await notifyAna();
  const until = new Date(nowMs() + 60_000);
  platform.pushOutcome.current = { kind: 'later', until, reason: 'It answered 429' };
  await expect(push(id, phone.id)).rejects.toBeInstanceOf(RetryLater);
  expect(await pushedAt(id)).toBeNull();
  platform.pushOutcome.current = { kind: 'gone' };
  await push(id, phone.id);
  expect(await pushedAt(id)).toBeNull();
  platform.pushOutcome.current = { kind: 'accepted' };
  await push(id, laptop.id);
  expect(await pushedAt(id)).toEqual(expect.any(Date));
  expect(await database.$count(devices, eq(devices.accountId, ana.accountId))).toBe(1);
});

test('the next push closes what was pushed and read since, of notifications and chats', async ({
  database,
  platform,
  ana,
  notifyAna,
  push,
}) => {
  const { id: deviceId } = await insertDevice(database, ana);
  const [read, unread, old] = [
    await notifyAna({ occasion: 'read' }),
    await notifyAna({ occasion: 'unread' }),
    await notifyAna({ occasion: 'old' }),
  ];
  for (const id of [read, unread, old]) await push(id, deviceId);
  const notPushed = await notifyAna({ occasion: 'not pushed' });
  const setRead = (id: string, at: Date) =>
    database.update(notifications).set({ readAt: at }).where(eq(notifications.id, id));
  for (const id of [read, notPushed]) await setRead(id, nowDate());
  await setRead(old, new Date(nowMs() - 2 * 86_400_000));
  const chatIds: string[] = [];
  for (const incomingRead of [3, 2]) {
    const { id } = await insertConversation(database, await insertMember(database), ana);
    await database
      .update(chatEntries)
      .set({ lastSequence: 3, incoming: 3, incomingRead })
      .where(eq(chatEntries.chatId, id));
    chatIds.push(id);
  }
  await push(await notifyAna({ occasion: 'next' }), deviceId);
  expect(platform.pushes.at(-1)?.message.closes).toEqual([`notification-${read}`, `chat-${chatIds[0]}`]);
});

test('a device asks which of those that it shows were read: they are one’s own alone', async ({
  database,
  server,
  ana,
  notifyAna,
}) => {
  const ben = await insertMember(database);
  const [read, unread] = [await notifyAna({ occasion: 'read' }), await notifyAna({ occasion: 'unread' })];
  await database.update(notifications).set({ readAt: sql`now()` }).where(eq(notifications.id, read));
  const { id: chatId } = await insertConversation(database, ben, ana);
  const tags = [`notification-${read}`, `notification-${unread}`, `chat-${chatId}`, 'test'];
  const ask = async (who: typeof ana) =>
    (await server.call(who, calls.findRead, { body: { tags } })).reply.read;
  expect(await ask(ana)).toEqual([`notification-${read}`, `chat-${chatId}`]);
  // What is another member's is none of theirs: it does not stay on their device.
  expect(await ask(ben)).toEqual([`notification-${read}`, `notification-${unread}`, `chat-${chatId}`]);
  await database
    .update(chatEntries)
    .set({ lastSequence: 1, incoming: 1 })
    .where(eq(chatEntries.memberId, ana.profileId));
  expect(await ask(ana)).toEqual([`notification-${read}`]);
  expect(await ask(ben)).toContain(`chat-${chatId}`);
  // One that the member deleted is in no list.
  await database.update(chatEntries).set({ hiddenThrough: 1 }).where(eq(chatEntries.memberId, ana.profileId));
  expect(await ask(ana)).toEqual([`notification-${read}`, `chat-${chatId}`]);
});
