import { nowDate, nowMs } from '@tara/contract/clock';
import { notificationPauseHours } from '@tara/contract/limits';
import { notifications as listCalls } from '@tara/contract/notifications/notifications';
import {
  notificationSettings as calls,
  type NotificationSettings,
} from '@tara/contract/notifications/settings';
import { eq, isNull, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { tasks } from '../../platform/tasks.ts';
import { insertDevice } from '../../testing/features/devices.ts';
import { insertMember } from '../../testing/features/members.ts';
import {
  clearNotifications,
  nowQuiet,
  subjects,
  settingsTest as test,
} from '../../testing/features/notification-settings.ts';
import { claimAccount } from '../accounts/claim.ts';
import { accounts, sessions } from '../accounts/index.ts';
import { mutes } from '../visibility/index.ts';
import { notifyGroup } from './grouped.ts';
import { notificationSettings, notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

test.beforeEach(({ database, platform }) => clearNotifications({ database, platform }));

const cells = ({ choices }: NotificationSettings) =>
  Object.fromEntries(
    choices.map(({ group, channel, isOn, canSwitchOff }) => [
      `${group} ${channel}`,
      canSwitchOff ? isOn : 'stays on',
    ]),
  );

test('a member has all ways on, no quiet hours and the zone of the product; only an admin has the work of admins, and alerts that stay on', async ({
  database,
  server,
  ana,
}) => {
  const { reply } = await server.call(ana, calls.get);
  expect(cells(reply)).toEqual({
    ...{ 'plans inApp': true, 'plans push': true, 'plans email': true },
    ...{ 'money inApp': 'stays on', 'money push': 'stays on', 'money email': 'stays on' },
    ...{ 'messages inApp': true, 'messages push': true, 'messages email': true },
    // Nothing of posts is pushed.
    ...{ 'posts inApp': true, 'posts email': true },
    ...{ 'account inApp': 'stays on', 'account push': 'stays on', 'account email': 'stays on' },
  });
  expect(reply).toMatchObject({
    ...{ quietHours: null, timeZone: 'Asia/Manila', dailyEmail: true, pausedUntil: null },
    getsPushes: false,
  });
  const admin = await insertMember(database, { admin: true });
  expect(cells((await server.call(admin, calls.get)).reply)).toMatchObject({
    'work email': true,
    'alerts email': 'stays on',
  });
});

test('ways of groups are switched one by one, for oneself alone, also several at once', async ({
  server,
  ana,
  ben,
  change,
}) => {
  await Promise.all([
    change.choose(ana, 'posts', 'email', false),
    change.choose(ana, 'messages', 'inApp', false),
    change.choose(ana, 'plans', 'email', false),
  ]);
  const off = { 'posts email': false, 'messages inApp': false, 'plans email': false, 'posts inApp': true };
  expect(cells((await server.call(ana, calls.get)).reply)).toMatchObject(off);
  expect(cells(await change.choose(ana, 'posts', 'email', false))).toMatchObject(off);
  expect(cells(await change.choose(ana, 'posts', 'email', true))).toMatchObject({
    ...{ ...off, 'posts email': true },
  });
  expect(Object.values(cells((await server.call(ben, calls.get)).reply))).not.toContain(false);
});

test.for(['money', 'account'] as const)('%s cannot be switched off', async (group, { server, ana }) => {
  for (const channel of ['inApp', 'push', 'email'] as const) {
    const body = { group, channel, isOn: false };
    expect((await server.call(ana, calls.choose, { body })).problem.type).toBe('notification_group_fixed');
    expect((await server.call(ana, calls.choose, { body: { ...body, isOn: true } })).status).toBe(200);
  }
});

test('what is stored by another version does not switch off what stays on', async ({
  database,
  ana,
  ben,
  interactionId,
  send,
  mails,
  titles,
}) => {
  await database
    .insert(notificationSettings)
    .values({ profileId: ana.profileId, switchedOff: ['money email', 'money inApp', 'account email'] });
  await send({ event: 'paidOut', interactionId, to: ['creator'] });
  await send({ event: 'signedIn', to: { accountId: ana.accountId } });
  expect(await mails()).toHaveLength(2);
  expect(await titles(ana)).toHaveLength(2);
  expect(await titles(ben)).toEqual([]);
});

test.for([
  ['no hour', { quietHours: { from: 7, until: 7 } }, 'until'],
  ['an hour that there is not', { quietHours: { from: 24, until: 7 } }, 'from'],
  ['a zone that there is not', { timeZone: 'Asia/Atlantis' }, 'timeZone'],
  ['an offset, which shows no full hour', { timeZone: '+08:01' }, 'timeZone'],
] as const)('quiet hours of %s are refused', async ([, body, field], { server, ana }) => {
  const { problem } = await server.call(ana, calls.update, { body });
  expect(problem.type).toBe('general_argument_invalid');
  expect(JSON.stringify(problem)).toContain(field);
});

test('a pause is at most a week', async ({ server, ana, change }) => {
  const { pausedUntil } = await change.pause(ana, 168);
  expect(new Date(pausedUntil ?? 0).getTime()).toBeGreaterThan(nowMs() + 167 * 3_600_000);
  const { problem } = await server.call(ana, calls.pause, { body: { hours: 169 } });
  expect(problem.type).toBe('general_argument_invalid');
  expect(JSON.stringify(problem)).toContain('hours');
});

test('settings are changed one by one, and a pause ends by itself or by hand', async ({ ana, change }) => {
  expect(await change.update(ana, { quietHours: { from: 22, until: 7 } })).toMatchObject({
    ...{ quietHours: { from: 22, until: 7 }, timeZone: 'Asia/Manila', dailyEmail: true },
  });
  expect(await change.update(ana, { timeZone: 'Asia/Tokyo', dailyEmail: false })).toMatchObject({
    ...{ quietHours: { from: 22, until: 7 }, timeZone: 'Asia/Tokyo', dailyEmail: false },
  });
  expect(await change.update(ana, { quietHours: null })).toMatchObject({ quietHours: null });
  const { pausedUntil } = await change.pause(ana, notificationPauseHours[0]);
  expect(new Date(pausedUntil ?? 0).getTime()).toBeGreaterThan(nowMs());
  expect(await change.pause(ana, 0)).toMatchObject({ pausedUntil: null, timeZone: 'Asia/Tokyo' });
});

test('a zone is stored in one spelling, and another choice leaves the daily email of today as it is', async ({
  database,
  ana,
  change,
  sendSocial,
  mails,
  dueTimes,
}) => {
  expect(await change.update(ana, { timeZone: 'aSIA/mANILA' })).toMatchObject({ timeZone: 'Asia/Manila' });
  await sendSocial('Coffee');
  await mails();
  const late = new Date(nowMs() - 60_000).toISOString();
  await database.execute(sql`update graphile_worker._private_jobs set run_at = ${late}
    where task_id in (select id from graphile_worker._private_tasks where identifier = ${tasks.mailDaily.name})`);
  await change.pause(ana, 1);
  await change.update(ana, { quietHours: null });
  expect(await dueTimes(tasks.mailDaily.name)).toEqual([late.replace(/\.\d+Z/, 'Z')]);
  await change.update(ana, { timeZone: 'Asia/Tokyo' });
  // At 18:00 there.
  expect(await dueTimes(tasks.mailDaily.name)).toEqual([expect.stringContaining('T09:00:00Z')]);
});

test('of a group without emails the list alone has what happens', async ({
  ana,
  ben,
  interactionId,
  change,
  send,
  mails,
  titles,
}) => {
  await change.choose(ben, 'plans', 'email', false);
  for (const to of ['client', 'creator'] as const)
    await send({ event: 'noAnswer', interactionId, to: [to], occasion: to });
  expect(subjects(await mails())).toEqual([`${ana.email}: An admin looks at Coffee`]);
  expect(await titles(ben)).toEqual(['An admin looks at Coffee']);
});

test('of a group that is not in the app an email alone has what happens, and it is deleted in its time', async ({
  database,
  server,
  ben,
  interactionId,
  change,
  send,
  mails,
  titles,
}) => {
  await change.choose(ben, 'plans', 'inApp', false);
  await send({ event: 'accepted', interactionId, to: ['client'] });
  // It is not read with the list.
  const until = new Date(nowMs() + 60_000).toISOString();
  await server.call(ben, listCalls.markAllRead, { body: { until } });
  expect(subjects(await mails())).toEqual([`${ben.email}: Ana accepted your request`]);
  expect(await titles(ben)).toEqual([]);
  const [row] = await database.select().from(notifications).where(eq(notifications.profileId, ben.profileId));
  expect(row?.readAt).not.toBeNull();
});

test('what is new in the list is announced to the open tabs of its member, and nothing else is', async ({
  platform,
  ana,
  ben,
  interactionId,
  change,
  send,
  work,
  onTestFinished,
}) => {
  const announced = new Set<string>();
  onTestFinished(
    platform.bus.subscribe('notificationsChanged', ({ accountId }) => void announced.add(accountId)),
  );
  await change.choose(ben, 'plans', 'inApp', false);
  await send({ event: 'accepted', interactionId, to: ['client'] });
  await send({ event: 'paid', interactionId, to: ['creator'] });
  await work(tasks.deliverNotifications.name);
  await expect.poll(() => [...announced]).toEqual([ana.accountId]);
});

test('quiet hours hold urgent emails up, which arrive as one', async ({
  ana,
  ben,
  interactionId,
  change,
  send,
  mails,
  work,
  dueTimes,
  platform,
}) => {
  await change.update(ben, nowQuiet());
  for (const event of ['accepted', 'creatorMet', 'refunded'] as const)
    await send({ event, interactionId, to: ['client'], details: {} });
  await send({ event: 'signedIn', to: { accountId: ben.accountId } });
  await send({ event: 'upcoming', interactionId, to: ['client', 'creator'] });
  expect(subjects(await mails())).toEqual(
    [
      `${ana.email}: You meet Ben soon`,
      `${ben.email}: A new device signed in to your account`,
      `${ben.email}: You meet Ana soon`,
    ].sort(),
  );
  // One job, at the full hour.
  expect(await dueTimes(tasks.deliverHeld.name)).toEqual([expect.stringMatching(/:00:00Z$/)]);
  await change.update(ben, { quietHours: null });
  const [held, ...more] = await work(tasks.deliverHeld.name);
  expect(more).toEqual([]);
  expect(held?.to).toBe(ben.email);
  expect(held?.subject).toMatch(/, and 2 more$/);
  for (const title of ['Ana accepted your request', 'Ana says that you met', 'Your money for Coffee'])
    expect(held?.text).toContain(title);
  for (const page of ['notifications', 'manage-plans'])
    expect(held?.text).toContain(`${platform.config.publicUrl}/${page}`);
  // It is no daily email.
  expect(held?.text).toContain('Stop emails about plans: ');
  expect(held?.text).not.toContain('Stop the daily email');
  expect(await work(tasks.deliverHeld.name)).toEqual([]);
});

test('what was held up is not mailed once it was seen; one alone comes as it is', async ({
  database,
  ben,
  interactionId,
  change,
  send,
  mails,
  work,
}) => {
  await change.update(ben, nowQuiet());
  await send({ event: 'accepted', interactionId, to: ['client'] });
  await send({ event: 'creatorMet', interactionId, to: ['client'] });
  expect(await mails()).toEqual([]);
  await database.update(notifications).set({ readAt: sql`now()` }).where(eq(notifications.event, 'accepted'));
  await change.update(ben, { quietHours: null });
  const sent = await work(tasks.deliverHeld.name);
  expect(subjects(sent)).toEqual([`${ben.email}: Ana says that you met`]);
  expect(await database.$count(notifications, sql`${notifications.deliveredAt} is null`)).toBe(0);
});

test('what is held up waits on where it is still quiet when its time comes', async ({
  database,
  platform,
  ben,
  interactionId,
  change,
  send,
  mails,
  work,
  dueTimes,
}) => {
  await change.update(ben, nowQuiet());
  await send({ event: 'accepted', interactionId, to: ['client'] });
  expect(await mails()).toEqual([]);
  const [until] = await dueTimes(tasks.deliverHeld.name);
  await database.update(notifications).set({ mailHeldUntil: new Date(0) });
  await notificationTasks(platform)['notifications.deliverHeld']({ profileId: ben.profileId }, {} as never);
  expect(await work()).toEqual([]);
  expect(await dueTimes(tasks.deliverHeld.name)).toEqual([until]);
});

test('a pause holds up what can be switched off, and its end by hand brings it', async ({
  ben,
  interactionId,
  change,
  send,
  mails,
  work,
  dueTimes,
}) => {
  await change.pause(ben, 24);
  await send({ event: 'accepted', interactionId, to: ['client'] });
  await send({ event: 'refunded', interactionId, to: ['client'] });
  expect(subjects(await mails())).toEqual([`${ben.email}: Your money for Coffee is on its way back`]);
  await change.pause(ben, 0);
  const [due = '', ...more] = await dueTimes(tasks.deliverHeld.name);
  expect(more).toEqual([]);
  // At once, and not when the pause would have ended.
  expect(Date.parse(due)).toBeLessThan(nowMs() + 60_000);
  expect(subjects(await work(tasks.deliverHeld.name))).toEqual([`${ben.email}: Ana accepted your request`]);
});

test('once a day one email has what is not urgent and was not seen', async ({
  database,
  ana,
  change,
  sendSocial,
  mails,
  work,
  dueTimes,
}) => {
  await change.update(ana, { timeZone: 'UTC' });
  await sendSocial('Coffee');
  await sendSocial('Walk');
  await sendSocial('Seen');
  expect(await mails()).toEqual([]);
  expect(await dueTimes(tasks.mailDaily.name)).toEqual([expect.stringContaining('T18:00:00Z')]);
  await database.update(notifications).set({ readAt: sql`now()` }).where(eq(notifications.recordId, 'Seen'));
  const [daily, ...more] = await work(tasks.mailDaily.name);
  expect(more).toEqual([]);
  expect(daily?.subject).toMatch(/^Ben reviewed your plan (Coffee|Walk), and 1 more$/);
  expect(daily?.to).toBe(ana.email);
  expect(daily?.text).toContain('Ben reviewed your plan Coffee');
  expect(daily?.text).not.toContain('Seen');
  // The next one has what is new alone.
  await sendSocial('Dinner');
  await mails();
  expect(subjects(await work(tasks.mailDaily.name))).toEqual([`${ana.email}: Ben reviewed your plan Dinner`]);
});

test('a daily email that failed once is tried again then, also when more happens until that', async ({
  database,
  ana,
  change,
  sendSocial,
  mails,
  dueTimes,
}) => {
  await change.update(ana, { timeZone: 'UTC' });
  await sendSocial('Coffee');
  await mails();
  const soon = new Date(nowMs() + 30_000).toISOString();
  await database.execute(sql`update graphile_worker._private_jobs set attempts = 1, run_at = ${soon}
    where task_id in (select id from graphile_worker._private_tasks where identifier = ${tasks.mailDaily.name})`);
  await sendSocial('Walk');
  await mails();
  expect(await dueTimes(tasks.mailDaily.name)).toEqual([soon.replace(/\.\d+Z/, 'Z')]);
});

test('the daily email has neither what is switched off, nor what somebody did who was muted since', async ({
  database,
  ana,
  ben,
  change,
  sendSocial,
  mails,
  work,
}) => {
  await sendSocial('Coffee');
  await sendSocial('c1', 'messageRequest');
  await mails();
  await change.choose(ana, 'messages', 'email', false);
  await database.insert(mutes).values({ muterId: ana.profileId, mutedId: ben.profileId });
  expect(await work(tasks.mailDaily.name)).toEqual([]);
  expect(await database.$count(notifications, sql`${notifications.deliveredAt} is null`)).toBe(0);
});

test('without a daily email nothing waits for one', async ({
  database,
  ana,
  change,
  sendSocial,
  mails,
  dueTimes,
}) => {
  await change.update(ana, { dailyEmail: false });
  await sendSocial('Coffee');
  expect(await mails()).toEqual([]);
  expect(await dueTimes(tasks.mailDaily.name)).toEqual([]);
  expect(await database.$count(notifications, sql`${notifications.deliveredAt} is null`)).toBe(0);
});

test('what is about money is mailed once a day also without a daily email', async ({
  ana,
  interactionId,
  change,
  send,
  sendSocial,
  mails,
  work,
}) => {
  await change.update(ana, { dailyEmail: false });
  await sendSocial('Coffee');
  await send({ event: 'payoutSent', interactionId, to: ['creator'] });
  expect(await mails()).toEqual([]);
  const [daily, ...more] = await work(tasks.mailDaily.name);
  expect(more).toEqual([]);
  expect(daily?.to).toBe(ana.email);
  expect(daily?.text).toMatch(/payout/i);
  expect(daily?.text).not.toContain('Coffee, and');
});

test('a member with a device that gets pushes has no daily email, until its session is over', async ({
  database,
  server,
  ana,
  change,
  sendSocial,
  mails,
  work,
}) => {
  const getsPushes = async () => (await server.call(ana, calls.get)).reply.getsPushes;
  const { sessionId } = await insertDevice(database, ana);
  expect(await getsPushes()).toBe(true);
  expect(await change.update(ana, { timeZone: 'UTC' })).toMatchObject({ getsPushes: true, dailyEmail: true });
  await sendSocial('Coffee');
  await mails();
  expect(await work(tasks.mailDaily.name)).toEqual([]);
  await database.update(sessions).set({ expiresAt: sql`now()` }).where(eq(sessions.id, sessionId));
  expect(await getsPushes()).toBe(false);
  await sendSocial('Walk');
  await mails();
  expect(subjects(await work(tasks.mailDaily.name))).toEqual([`${ana.email}: Ben reviewed your plan Walk`]);
});

test('what is about money is mailed also to a member with a device, unless the device took it', async ({
  database,
  platform,
  ana,
  interactionId,
  send,
  sendSocial,
  mails,
  work,
}) => {
  await insertDevice(database, ana);
  const pay = async (occasion: string) => {
    await send({ event: 'payoutSent', interactionId, to: ['creator'], occasion });
    await sendSocial(occasion);
    await mails();
    await work(tasks.pushNotification.name);
  };
  await pay('taken');
  expect(await work(tasks.mailDaily.name)).toEqual([]);
  platform.pushOutcome.current = { kind: 'refused', reason: 'It answered 403' };
  await pay('refused');
  expect(subjects(await work(tasks.mailDaily.name))).toEqual([
    `${ana.email}: Your payout for Coffee is on its way`,
  ]);
});

test('a daily email has the link that ends it only where it has what ends', async ({
  interactionId,
  send,
  sendSocial,
  mails,
  work,
}) => {
  const daily = async () => {
    await mails();
    const [mail] = await work(tasks.mailDaily.name);
    return mail ?? expect.fail('nothing was mailed');
  };
  await send({ event: 'payoutSent', interactionId, to: ['creator'] });
  const money = await daily();
  expect(money).not.toHaveProperty('unsubscribeUrl');
  expect(money.text).not.toContain('Stop the daily email');
  await sendSocial('Coffee');
  const social = await daily();
  expect(social).toHaveProperty('unsubscribeUrl');
  expect(social.text).toContain('Stop the daily email');
});

test('an email names all that is in no list, of the rest how many more there are', async ({
  ana,
  change,
  sendSocial,
  mails,
  work,
}) => {
  const count = 23;
  const sendMany = async (name: string) => {
    for (let number = 0; number < count; number++) await sendSocial(`${name} ${number}.`);
    await mails();
    const [mail] = await work(tasks.mailDaily.name);
    return mail?.text ?? '';
  };
  const listed = await sendMany('Walk');
  expect(listed.match(/reviewed your plan Walk \d+\./g)).toHaveLength(20);
  expect(listed).toContain('And 3 more in the app.');
  await change.choose(ana, 'posts', 'inApp', false);
  const unlisted = await sendMany('Swim');
  expect(unlisted.match(/reviewed your plan Swim \d+\./g)).toHaveLength(count);
  expect(unlisted).not.toContain('more in the app');
});

test('of more than an email looks at the older ones are not mailed the next day, and what others wait for stays', async ({
  database,
  ana,
  ben,
  send,
  sendSocial,
  mails,
  work,
}) => {
  await sendSocial('Newest');
  await send({
    ...{ event: 'review', to: { profileId: ben.profileId }, actorId: ana.profileId, recordId: 'Dinner' },
    details: { title: 'Dinner' },
  });
  await mails();
  const hourAgo = new Date(nowMs() - 3_600_000);
  await database
    .update(notifications)
    .set({ createdAt: hourAgo })
    .where(eq(notifications.recordId, 'Dinner'));
  await database.insert(notifications).values(
    Array.from({ length: 230 }, (_, index) => ({
      ...{ profileId: ana.profileId, event: 'review', groupName: 'posts', inApp: true },
      ...{ actorId: ben.profileId, recordId: `Older ${index}`, details: { title: `Older ${index}` } },
      createdAt: new Date(nowMs() - (index + 1) * 60_000),
    })),
  );
  // Urgent, and not due yet.
  await send({ event: 'verificationDeclined', to: { profileId: ana.profileId } });
  await work(tasks.deliverNotifications.name);
  const sent = await work(tasks.mailDaily.name);
  expect(subjects(sent)).toEqual(
    [
      `${ana.email}: Ben reviewed your plan Newest, and 199 more`,
      `${ben.email}: Ana reviewed your plan Dinner`,
    ].sort(),
  );
  expect(sent.find(({ to }) => to === ana.email)?.text).toContain('And more than 180 more in the app.');
  const waiting = await database
    .select({ event: notifications.event })
    .from(notifications)
    .where(isNull(notifications.deliveredAt));
  expect(waiting).toEqual([{ event: 'verificationDeclined' }]);
  expect(await work(tasks.mailNotification.name)).toMatchObject([{ to: ana.email }]);
});

test('likes of one record that the member wants in no list are in none', async ({
  database,
  platform,
  ana,
  ben,
  change,
  titles,
}) => {
  await change.choose(ana, 'posts', 'inApp', false);
  await database.transaction((transaction) =>
    notifyGroup(
      transaction,
      platform,
      { event: 'postLiked', profileId: ana.profileId, recordId: 'p2' },
      async () => ({ actorId: ben.profileId, at: nowDate(), others: 0 }),
    ),
  );
  expect(await titles(ana)).toEqual([]);
  expect(await database.$count(notifications, eq(notifications.profileId, ana.profileId))).toBe(1);
});

test('likes of one record are in one daily email, however many more come until they are read', async ({
  database,
  platform,
  ana,
  ben,
  mails,
  work,
}) => {
  const like = (others: number) =>
    database.transaction((transaction) =>
      notifyGroup(
        transaction,
        platform,
        { event: 'postLiked', profileId: ana.profileId, recordId: 'p1' },
        async () => ({ actorId: ben.profileId, at: new Date(nowMs() + others * 1000), others }),
      ),
    );
  await like(0);
  await like(2);
  await mails();
  expect(subjects(await work(tasks.mailDaily.name))).toEqual([
    `${ana.email}: Ben and 2 others liked your post`,
  ]);
  await like(5);
  await mails();
  expect(await work(tasks.mailDaily.name)).toEqual([]);
});

test('a daily email that is due in quiet hours waits for their end, with all that waits', async ({
  ana,
  interactionId,
  change,
  send,
  sendSocial,
  mails,
  work,
}) => {
  await change.update(ana, nowQuiet());
  await sendSocial('Coffee');
  await send({ event: 'paid', interactionId, to: ['creator'] });
  expect(await mails()).toEqual([]);
  expect(await work(tasks.mailDaily.name)).toEqual([]);
  await change.update(ana, { quietHours: null });
  const [held, ...more] = await work(tasks.deliverHeld.name);
  expect(more).toEqual([]);
  expect(held?.text).toContain('Ben reviewed your plan Coffee');
  expect(held?.text).toContain('Ben paid for Coffee');
});

test('a closed or unconfirmed account gets no daily email', async ({
  database,
  ana,
  sendSocial,
  mails,
  work,
}) => {
  for (const state of [{ suspendedUntil: new Date(nowMs() + 3_600_000) }, { emailVerifiedAt: null }]) {
    await database
      .update(accounts)
      .set({ suspendedUntil: null, emailVerifiedAt: nowDate(), ...state })
      .where(eq(accounts.id, ana.accountId));
    await sendSocial(JSON.stringify(Object.keys(state)).slice(0, 20));
    await mails();
    expect(await work(tasks.mailDaily.name)).toEqual([]);
  }
});

test('whoever takes an account over begins with the settings of a new one', async ({
  database,
  server,
  ana,
  change,
}) => {
  await change.choose(ana, 'posts', 'email', false);
  await database.transaction((transaction) => claimAccount(transaction, ana.accountId));
  expect(Object.values(cells((await server.call(ana, calls.get)).reply))).not.toContain(false);
});
