import { notificationTasks } from '../../features/notifications/tasks.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { openMail } from '../../platform/mail/queue.ts';
import { tasks } from '../../platform/tasks.ts';
import type { TestPlatform } from '../platform.ts';

/** The mails that wait, and those of notifications, whose jobs are done at once. All waiting jobs are taken. */
export async function takeMails(platform: TestPlatform): Promise<Mail[]> {
  const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> =
    notificationTasks(platform);
  const mails: Mail[] = [];
  for (let jobs = await platform.takeJobs(); jobs.length > 0; jobs = await platform.takeJobs())
    for (const { task, payload } of jobs) {
      if (task === tasks.sendMail.name) mails.push(openMail(String(payload.sealed), platform.sealer));
      else await handlers[task]?.(payload, {} as never);
    }
  return mails;
}
