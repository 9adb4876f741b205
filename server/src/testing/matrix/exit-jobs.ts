import { type RequestEventName, requestEvents } from '@tara/contract/notifications/events';
import { inArray, sql } from 'drizzle-orm';
import { jobHandlers } from '../../feature-list.ts';
import { devices } from '../../features/devices/index.ts';
import { interactions } from '../../features/interactions/index.ts';
import { notify } from '../../features/notifications/index.ts';
import { tasks } from '../../platform/tasks.ts';
import { startTestJobs } from '../jobs.ts';
import type { TestPlatform } from '../platform.ts';
import type { ExitWorld } from './exit-world.ts';

interface JobParts extends Omit<Parameters<typeof jobHandlers>[1], 'mailer' | 'sms'> {
  world: ExitWorld;
  databaseUrl: string;
}

const requestEventNames = Object.keys(requestEvents) as RequestEventName[];

/** The jobs of the server of a world, and the mails that they send. */
export function exitJobs(platform: TestPlatform, { world, databaseUrl, ...parts }: JobParts) {
  const { database, log } = platform;
  const sent: { to: string; text: string }[] = [];
  let isFailing = false;
  const send = (to: string, text: string) => {
    // As mail servers refuse for the moment: with the address.
    if (isFailing) throw new Error(`450 4.2.0 <${to}>: Recipient address rejected: Greylisted: ${text}`);
    sent.push({ to, text });
  };
  const handlers = jobHandlers(platform, {
    ...parts,
    mailer: {
      send: async ({ to, subject, text, html }) => send(to, [subject, text, html].join('\n')),
      close: () => {},
    },
    sms: { send: async ({ to, text }) => send(to, text) },
  });

  /** Does every waiting job once; those that fail stay. */
  async function work(): Promise<void> {
    const jobs = await startTestJobs({ databaseUrl, log, tasks: handlers });
    const isWaiting = async () =>
      (
        await database.execute(sql`select from graphile_worker._private_jobs
          where locked_at is not null or (attempts = 0 and run_at <= now())`)
      ).length > 0;
    while (await isWaiting()) await new Promise((done) => setTimeout(done, 20));
    await jobs.stop();
  }

  return {
    work,
    /** Does the waiting jobs while no mail can be sent. */
    async workWithoutMail(): Promise<void> {
      isFailing = true;
      await work();
      isFailing = false;
    },
    /** The mails, texts and pushes of each person since the last time. */
    async takeMails(): Promise<Map<string, string>> {
      const taken = new Map<string, string>();
      const addresses = await database.execute<{ id: string; email: string | null; phone: string | null }>(
        sql`select id, email, phone from accounts`,
      );
      for (const { to, text } of sent.splice(0)) {
        const account = addresses.find(({ email, phone }) => email === to || phone === to);
        const [name = 'guest'] =
          Object.entries(world.people).find(([, who]) => who && who.accountId === account?.id) ?? [];
        taken.set(name, `${taken.get(name) ?? ''}\n${text}`);
      }
      const ownDevices = await database.select().from(devices);
      for (const { endpoint, message } of platform.pushes.splice(0)) {
        const device = ownDevices.find((other) => other.endpoint === endpoint);
        const [name = 'guest'] =
          Object.entries(world.people).find(([, who]) => who && who.accountId === device?.accountId) ?? [];
        taken.set(name, `${taken.get(name) ?? ''}\n${JSON.stringify(message)}`);
      }
      return taken;
    },
    /** Notifies both parties of every event of each request, with the details that its callers give beside a note. */
    async notifyAll(occasion: string): Promise<void> {
      const requests = await database
        .select()
        .from(interactions)
        .where(inArray(interactions.id, world.ids.request ?? []));
      for (const request of requests) {
        const { id: interactionId, releasedCentavos, refundCentavos, cancelReason, place } = request;
        const [released, refunded] = [String(releasedCentavos), String(refundCentavos)];
        const details = {
          ...{ reason: cancelReason ?? '', place, released, refunded, amount: refunded, rest: refunded },
          ...{ earned: released, fee: '0', way: 'transfer', outcome: 'split' },
        };
        await database.transaction(async (transaction) => {
          for (const event of requestEventNames)
            await notify(transaction, {
              ...{ event, interactionId, occasion, details, to: ['client', 'creator'] },
            });
        });
      }
    },
    /** What is mailed about the owner's account. */
    async mailAccount(): Promise<void> {
      const { accountId } = world.owner;
      await tasks.resendConfirmation.enqueue(database, { accountId });
      await tasks.exportData.enqueue(database, { exportId: world.ids.export?.[0] ?? '' });
    },
  };
}
