import { nowDate } from '@tara/contract/clock';
import type { NotificationChannel } from '@tara/contract/notifications/channels';
import type { MemberEventName } from '@tara/contract/notifications/events';
import type { NotificationGroup } from '@tara/contract/notifications/groups';
import { notifications as listCalls } from '@tara/contract/notifications/notifications';
import { notificationSettings as calls } from '@tara/contract/notifications/settings';
import { sql } from 'drizzle-orm';
import { devices } from '../../features/devices/index.ts';
import { notificationSettings, notifications, notify } from '../../features/notifications/index.ts';
import type { NotifyArgs } from '../../features/notifications/notify.ts';
import { notificationRoutes } from '../../features/notifications/routes.ts';
import { notificationTasks } from '../../features/notifications/tasks.ts';
import { mutes } from '../../features/visibility/index.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { openMail } from '../../platform/mail/queue.ts';
import { tasks } from '../../platform/tasks.ts';
import { type FixturesOf, serverTest } from '../test.ts';
import { insertInteraction, insertPlan } from './interactions.ts';
import { insertMember, type Member } from './members.ts';

/** Ana and Ben, a request for a plan of Ana's, and how they choose what notifies them. */
export const settingsTest = serverTest((app, platform) => notificationRoutes(app, platform))
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  /** Ben's request for a plan of Ana. */
  .extend('interactionId', async ({ database, ana, ben }) => {
    const planId = await insertPlan(database, ana);
    const state = { planTitle: 'Coffee', priceCentavos: 250_00, paidAt: nowDate() };
    return insertInteraction(database, { creator: ana, client: ben, planId }, state);
  })
  .extend('change', ({ server }) => ({
    choose: async (who: Member, group: NotificationGroup, channel: NotificationChannel, isOn: boolean) =>
      (await server.call(who, calls.choose, { body: { group, channel, isOn } })).reply,
    update: async (who: Member, body: object) => (await server.call(who, calls.update, { body })).reply,
    pause: async (who: Member, hours: number) =>
      (await server.call(who, calls.pause, { body: { hours } })).reply,
  }))
  .extend(
    'send',
    ({ database }) =>
      (args: NotifyArgs) =>
        database.transaction((transaction) => notify(transaction, args)),
  )
  /** Something that Ben did with a post or a review of Ana. */
  .extend(
    'sendSocial',
    ({ send, ana, ben }) =>
      (recordId: string, event: MemberEventName = 'review') =>
        send({
          ...{ event, to: { profileId: ana.profileId }, actorId: ben.profileId, recordId },
          details: { title: recordId },
        }),
  )
  .extend('titles', ({ server }) => async (who: Member) => {
    const { reply } = await server.call(who, listCalls.list, { query: {} });
    return reply.items.map(({ title }) => title);
  })
  /** Does the waiting jobs of these tasks, in that order and each twice; returns the emails. The others are left. */
  .extend('work', ({ database, platform }) => async (...names: string[]) => {
    const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
      notificationTasks(platform);
    const take = (name: string) =>
      database.execute<{ payload: Record<string, unknown> }>(sql`
        with taken as (
          delete from graphile_worker._private_jobs
          where task_id in (select id from graphile_worker._private_tasks where identifier = ${name})
          returning *)
        select payload from taken order by id`);
    for (const name of names) {
      const jobs = await take(name);
      for (const { payload } of [...jobs, ...jobs])
        await handlers[name]?.(payload, { attempt: 1, maxAttempts: 6 } as never);
    }
    return (await take(tasks.sendMail.name)).map(({ payload }) =>
      openMail(String(payload.sealed), platform.sealer),
    );
  })
  /** What is mailed until nothing waits but for a time to come. */
  .extend(
    'mails',
    ({ work }) =>
      () =>
        work(tasks.deliverNotifications.name, tasks.mailNotification.name),
  )
  /** When the waiting jobs of a task are due, as ISO times. */
  .extend('dueTimes', ({ database }) => async (task: string) => {
    const rows = await database.execute<{ at: Date }>(sql`
      select to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at from graphile_worker._private_jobs jobs
      join graphile_worker._private_tasks tasks on tasks.id = task_id where identifier = ${task} order by run_at`);
    return rows.map(({ at }) => String(at));
  });

/** Nobody has settings, notifications, mutes or devices, and nothing waits. Before each test. */
export async function clearNotifications({
  database,
  platform,
}: Pick<FixturesOf<typeof settingsTest>, 'database' | 'platform'>) {
  await platform.takeJobs();
  platform.pushes.length = 0;
  platform.pushOutcome.current = { kind: 'accepted' };
  for (const table of [notifications, notificationSettings, mutes, devices]) await database.delete(table);
}

/** Emails as `to: subject`. */
export const subjects = (mails: readonly Mail[]) =>
  mails.map(({ to, subject }) => `${to}: ${subject}`).sort();
/** Quiet hours that hold now and in an hour, and end within three. */
export const nowQuiet = () => {
  const from = nowDate().getUTCHours();
  return { timeZone: 'UTC', quietHours: { from, until: (from + 3) % 24 } };
};
