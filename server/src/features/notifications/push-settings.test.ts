import { nowMs } from '@tara/contract/clock';
import { notifications as calls } from '@tara/contract/notifications/notifications';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { tasks } from '../../platform/tasks.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import type { Member } from '../../testing/features/members.ts';
import {
  clearNotifications,
  nowQuiet,
  settingsTest,
  subjects,
} from '../../testing/features/notification-settings.ts';
import { notifications } from './tables.ts';
import { hold } from './undelivered.ts';

const test = settingsTest
  /** Ben is notified of events of his request. */
  .extend(
    'sendBen',
    ({ send, interactionId }) =>
      async (...events: ('accepted' | 'creatorMet' | 'refunded' | 'upcoming')[]) => {
        for (const event of events) await send({ event, interactionId, to: ['client'], details: {} });
      },
  )
  /** Does what delivers at once, and returns the titles of the pushes that are then shown, by endpoint and tag. */
  .extend('pushed', ({ platform, work }) => async () => {
    await work(tasks.deliverNotifications.name, tasks.pushNotification.name);
    return shown(platform.pushes.splice(0));
  })
  /** Ends the quiet hours and the pause of a member. */
  .extend('endQuiet', ({ change }) => async (who: Member) => {
    await change.update(who, { quietHours: null });
    await change.pause(who, 0);
  })
  /** Delivers what was held up: what is shown of it, and the emails of then. */
  .extend('deliverHeld', ({ platform, work }) => async () => {
    const mails = await work(tasks.deliverHeld.name, tasks.pushHeld.name);
    return { pushed: shown(platform.pushes.splice(0)), mails: subjects(mails) };
  })
  /** Lets the time pass that an email leaves to a push, and returns the emails. */
  .extend('mailLater', ({ database, work }) => async () => {
    await database
      .update(notifications)
      .set({ mailHeldUntil: new Date(0) })
      .where(sql`${notifications.mailHeldUntil} is not null`);
    return subjects(await work(tasks.deliverHeld.name));
  });

interface Push {
  endpoint: string;
  message: { title: string; tag?: string | undefined };
}
/** A push takes the place of an earlier one with its tag. */
const shown = (pushes: readonly Push[]) =>
  [
    ...new Map(pushes.map(({ endpoint, message }) => [`${endpoint} ${message.tag}`, message.title])).values(),
  ].sort();

test.beforeEach(({ database, platform }) => clearNotifications({ database, platform }));

const accepted = 'Ana accepted your request';
const met = 'Ana says that you met';
const refunded = 'Your money for Coffee is on its way back';
const soon = 'You meet Ana soon';

test('of a group whose pushes are switched off a device hears nothing, and its email goes', async ({
  database,
  ben,
  change,
  sendBen,
  pushed,
  mails,
}) => {
  await insertDevice(database, ben);
  await change.choose(ben, 'plans', 'push', false);
  await sendBen('accepted', 'refunded');
  // What is about money stays on.
  expect(await pushed()).toEqual([refunded]);
  expect(subjects(await mails())).toEqual([`${ben.email}: ${accepted}`]);
});

test('one that is in no list is pushed all the same, and stays on the screen', async ({
  database,
  server,
  platform,
  ben,
  change,
  sendBen,
  pushed,
  mails,
  work,
}) => {
  await insertDevice(database, ben);
  await change.choose(ben, 'plans', 'inApp', false);
  await sendBen('accepted');
  // It counts as read once it was mailed.
  await mails();
  expect(await pushed()).toEqual([accepted]);
  const [row] = await database.select().from(notifications);
  expect(row?.readAt).toEqual(expect.any(Date));
  const tags = [`notification-${row?.id}`];
  expect((await server.call(ben, calls.findRead, { body: { tags } })).reply.read).toEqual([]);
  await sendBen('creatorMet');
  await work(tasks.deliverNotifications.name, tasks.pushNotification.name);
  expect(platform.pushes.at(-1)?.message).toMatchObject({ title: met, closes: [] });
});

test('quiet hours hold pushes up, but security and the reminder of the next plan, and end with one on each device', async ({
  database,
  ben,
  change,
  send,
  sendBen,
  pushed,
  endQuiet,
  deliverHeld,
  mails,
  mailLater,
}) => {
  await insertDevice(database, ben);
  await insertDevice(database, ben);
  await change.update(ben, nowQuiet());
  await sendBen('accepted', 'creatorMet', 'refunded', 'upcoming');
  await send({ event: 'signedIn', to: { accountId: ben.accountId } });
  const signedIn = 'A new device signed in to your account';
  expect(await pushed()).toEqual([signedIn, signedIn, soon, soon]);
  expect(subjects(await mails())).toEqual([`${ben.email}: ${signedIn}`]);
  await endQuiet(ben);
  const { pushed: summaries, mails: atOnce } = await deliverHeld();
  expect(summaries).toEqual([expect.stringMatching(/, and 2 more$/), expect.stringMatching(/, and 2 more$/)]);
  // The devices have it.
  expect([...atOnce, ...(await mailLater())]).toEqual([]);
  expect(await database.$count(notifications, sql`${notifications.deliveredAt} is null`)).toBe(0);
  expect(await deliverHeld()).toEqual({ pushed: [], mails: [] });
});

test('what is held up of one member is delivered to that member alone', async ({
  database,
  ana,
  ben,
  interactionId,
  change,
  send,
  sendBen,
  pushed,
  endQuiet,
  deliverHeld,
  mails,
}) => {
  for (const who of [ana, ben]) {
    await insertDevice(database, who);
    await change.update(who, nowQuiet());
  }
  await sendBen('accepted');
  await send({ event: 'paid', interactionId, to: ['creator'] });
  expect([...(await pushed()), ...(await mails())]).toEqual([]);
  await database.update(notifications).set({ mailHeldUntil: new Date(0), pushHeldUntil: new Date(0) });
  for (const [who, title] of [
    [ben, accepted],
    [ana, 'Ben paid for Coffee'],
  ] as const) {
    await endQuiet(who);
    expect(await deliverHeld()).toEqual({ pushed: [title], mails: [] });
  }
});

test('what no device takes at the end of the quiet hours is mailed, after the time that an email leaves to a push', async ({
  database,
  platform,
  ben,
  change,
  sendBen,
  pushed,
  mails,
  endQuiet,
  deliverHeld,
  mailLater,
}) => {
  await insertDevice(database, ben);
  await change.update(ben, nowQuiet());
  await sendBen('accepted', 'creatorMet');
  expect([...(await pushed()), ...(await mails())]).toEqual([]);
  platform.pushOutcome.current = { kind: 'refused', reason: 'It answered 403' };
  await endQuiet(ben);
  expect((await deliverHeld()).mails).toEqual([]);
  expect(await mailLater()).toEqual([expect.stringMatching(/, and 1 more$/)]);
});

test('a pause holds up pushes that can be switched off, which come alone as they are, without what was seen or switched off since', async ({
  database,
  ben,
  change,
  send,
  sendBen,
  pushed,
  endQuiet,
  deliverHeld,
  interactionId,
}) => {
  await insertDevice(database, ben);
  await change.pause(ben, 24);
  await sendBen('accepted', 'creatorMet', 'refunded');
  expect(await pushed()).toEqual([refunded]);
  await database.update(notifications).set({ readAt: sql`now()` }).where(eq(notifications.event, 'accepted'));
  await endQuiet(ben);
  expect((await deliverHeld()).pushed).toEqual([met]);
  await change.pause(ben, 24);
  await send({ event: 'creatorMet', interactionId, to: ['client'], occasion: 'again' });
  expect(await pushed()).toEqual([]);
  await change.choose(ben, 'plans', 'push', false);
  await endQuiet(ben);
  expect((await deliverHeld()).pushed).toEqual([]);
});

test('what is held up waits on where it is quiet again when its time comes', async ({
  database,
  ben,
  change,
  sendBen,
  pushed,
  endQuiet,
  deliverHeld,
  dueTimes,
}) => {
  await insertDevice(database, ben);
  await change.update(ben, nowQuiet());
  await sendBen('accepted', 'refunded');
  expect(await pushed()).toEqual([]);
  const [until] = await dueTimes(tasks.deliverHeld.name);
  const { pausedUntil } = await change.pause(ben, 168);
  expect(await deliverHeld()).toEqual({ pushed: [], mails: [] });
  // Of both the first: the money waits for the end of the quiet hours alone.
  expect(await dueTimes(tasks.deliverHeld.name)).toEqual([until]);
  await change.update(ben, { quietHours: null });
  expect((await deliverHeld()).pushed).toEqual([refunded]);
  expect(await dueTimes(tasks.deliverHeld.name)).toEqual([pausedUntil?.replace(/\.\d+Z/, 'Z')]);
  await endQuiet(ben);
  expect((await deliverHeld()).pushed).toEqual([accepted]);
});

test('of two that hold something up at once, the second knows what the first holds up', async ({
  database,
  connection,
  ben,
  change,
  sendBen,
  dueTimes,
}) => {
  await change.update(ben, nowQuiet());
  await sendBen('accepted', 'refunded');
  const rows = await database.select({ id: notifications.id }).from(notifications);
  const [first, second] = rows.map(({ id }) => id);
  if (first === undefined || second === undefined) expect.fail('two were sent');
  const { profileId } = ben;
  const [soonAt, lateAt] = [1, 8].map(
    (hours) => new Date(Math.trunc(nowMs() / 1_000 + hours * 3_600) * 1_000),
  );
  if (soonAt === undefined || lateAt === undefined) expect.fail('two times');
  let late: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    await hold(transaction, { profileId, way: 'email', items: [{ id: first, until: soonAt }] });
    late = hold(database, { profileId, way: 'push', items: [{ id: second, until: lateAt }] });
    const waits = async () =>
      (
        await connection.sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    await expect.poll(waits, { timeout: 10_000, interval: 10 }).toBe(1);
  });
  await late;
  expect(await dueTimes(tasks.deliverHeld.name)).toEqual([soonAt.toISOString().replace('.000Z', 'Z')]);
});

test('what a device has is not held up for another one that is tried again in quiet hours', async ({
  database,
  ben,
  change,
  sendBen,
  pushed,
  work,
  platform,
  endQuiet,
  deliverHeld,
}) => {
  await insertDevice(database, ben);
  await sendBen('accepted');
  expect(await pushed()).toEqual([accepted]);
  const laptop = await insertDevice(database, ben);
  await change.update(ben, nowQuiet());
  const [row] = await database.select().from(notifications).where(eq(notifications.profileId, ben.profileId));
  await tasks.pushNotification.enqueue(database, { id: row?.id ?? '', deviceId: laptop.id });
  await work(tasks.pushNotification.name);
  expect(platform.pushes).toEqual([]);
  await endQuiet(ben);
  expect(await deliverHeld()).toEqual({ pushed: [], mails: [] });
});

test('an email of money does not wait for a pause that holds up other pushes of the same member', async ({
  database,
  platform,
  ben,
  change,
  sendBen,
  pushed,
  mails,
  deliverHeld,
  mailLater,
  dueTimes,
}) => {
  await insertDevice(database, ben);
  await change.update(ben, nowQuiet());
  const { pausedUntil } = await change.pause(ben, 168);
  await sendBen('accepted', 'refunded');
  expect([...(await pushed()), ...(await mails())]).toEqual([]);
  platform.pushOutcome.current = { kind: 'refused', reason: 'It answered 403' };
  await change.update(ben, { quietHours: null });
  expect(await deliverHeld()).toEqual({ pushed: [refunded], mails: [] });
  expect(await mailLater()).toEqual([`${ben.email}: ${refunded}`]);
  // The rest waits for the end of the pause, and nothing looks again before.
  expect(await dueTimes(tasks.deliverHeld.name)).toEqual([pausedUntil?.replace(/\.\d+Z/, 'Z')]);
});
