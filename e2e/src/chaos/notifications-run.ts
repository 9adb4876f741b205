import { interactions } from '@tara/contract/interactions/interactions';
import { notifications } from '@tara/contract/notifications/notifications';
import { Random } from '@tara/proof/random';
import { Refused } from '../client.ts';
import { waitFor } from '../outside.ts';
import { createPlan, type Person, sendRequest } from '../steps.ts';
import type { Tara } from '../tara.ts';
import type { Devices } from './devices.ts';
import { databaseProcess } from './kills.ts';
import type { MailServer } from './mail-server.ts';
import { amongKills, CheckFailed, insist, openMoneyFixture, withDatabase } from './money-fixture.ts';

interface NotificationRun {
  kills: number;
  seed: number;
}

interface NotificationReport {
  /** Requests and withdrawals that were answered. */
  acknowledged: number;
  /** What the creators were notified of, each once. */
  notifications: number;
  /** Mails that were taken twice, because of a kill between the mail server's answer and the commit of it. */
  repeatedMails: number;
  /** Pushes that arrived, and those of them that came again because of a kill, to replace the first. */
  pushes: number;
  repeatedPushes: number;
}

/** A client who requests the plan of a creator and withdraws, again and again. */
interface Pair {
  client: Person;
  creator: Person;
  planId: string;
}

/** A notification as it is stored. */
interface StoredNotification {
  id: string;
  event: string;
  interactionId: string;
  profileId: string;
  inApp: boolean;
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Where the server's mails and pushes arrive. */
interface Arrivals {
  mails: MailServer;
  devices: Devices;
}

/**
 * Creators with a free plan, of whom each has a client, on a server that mails at once; from then on mails go to the mail server.
 * The first creator has a device that gets pushes.
 */
export async function openNotificationPairs(
  tara: Tara,
  { mails, devices }: Arrivals,
  size: number,
): Promise<Pair[]> {
  const { pairs: fixture } = await openMoneyFixture(tara, size);
  const clients = [...new Set(fixture.map(({ client }) => client))];
  const creators = [...new Set(fixture.map(({ creator }) => creator))];
  const pairs: Pair[] = [];
  for (const [index, client] of clients.entries()) {
    const creator = creators[index];
    if (creator === undefined) throw new Error('A client has no creator.');
    pairs.push({ client, creator, planId: await createPlan(creator, 'Free walk', 0) });
  }
  await tara.stop();
  await tara.start({ SMTP_URL: mails.url, ...devices.env });
  if (pairs[0]) await devices.register(pairs[0].creator);
  return pairs;
}

/** The requests of a client that are open. */
async function openRequests({ client }: Person): Promise<string[]> {
  const { yourRequest, expense } = await client.call(interactions.manager);
  return [...yourRequest.items, ...expense.items].map(({ id }) => id);
}

/** What was answered: the ids of requests, and of those of them that were withdrawn. */
interface Acknowledged {
  requested: Set<string>;
  withdrawn: Set<string>;
}

/** Requests or withdraws, whichever comes next; what a kill cuts off is looked up by the next call. */
async function actOnce({ client, planId }: Pair, { requested, withdrawn }: Acknowledged): Promise<void> {
  try {
    const [open] = await openRequests(client);
    if (open === undefined) requested.add(await sendRequest(client, planId));
    else {
      await client.client.call(interactions.cancelRequest, { body: { interactionId: open } });
      withdrawn.add(open);
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    await pause(50);
  }
}

/** Everything that a member's list has. */
async function readList({ client }: Person): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: { id: string }[]; next: string | null } = await client.call(notifications.list, {
      query: cursor === '' ? {} : { cursor },
    });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  }
  return ids;
}

/** Waits until nothing is left to deliver or to mail. */
const settle = (tara: Tara) =>
  waitFor(
    'end of deliveries',
    () =>
      withDatabase(tara, async (sql) => {
        const [row] = await sql<{ left: number }[]>`
          select (select count(*)::int from notifications
              where event in ('requested', 'cancelled') and delivered_at is null)
            + (select count(*)::int from graphile_worker._private_jobs jobs
              join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
              where identifier in ('notifications.deliver', 'notifications.mail', 'notifications.push', 'accounts.mail')) as left`;
        return row?.left === 0;
      }),
    { timeoutMs: 180_000 },
  );

/** @throws CheckFailed when a mail or push arrived twice without a kill between */
function countRepeated(
  what: 'mail' | 'push',
  arrived: readonly { id: string; at: number }[],
  killedAt: readonly number[],
): number {
  let repeated = 0;
  for (const [id, same] of Map.groupBy(arrived, (one) => one.id)) {
    for (const [index, { at }] of same.entries()) {
      const before = same[index - 1];
      if (before === undefined) continue;
      if (!killedAt.some((killed) => before.at <= killed && killed <= at))
        throw new CheckFailed(`The ${what} ${id} was sent twice without a kill between.`);
      repeated += 1;
    }
  }
  return repeated;
}

/** @throws CheckFailed when pushes that stand for one notification would be shown beside each other */
function checkTopics({ shown }: Pick<Devices, 'shown'>): void {
  for (const [id, same] of Map.groupBy(shown, (one) => one.id))
    if (new Set(same.map(({ topic }) => topic)).size > 1)
      throw new CheckFailed(`A push of ${id} does not replace the one before.`);
}

/** @throws CheckFailed when a creator was not notified once of each request and withdrawal, in the list and by a push or one mail */
async function checkNotified(
  tara: Tara,
  { pairs, mails, devices }: Arrivals & { pairs: readonly Pair[] },
  { requested, withdrawn }: Acknowledged,
): Promise<number> {
  const { stored, requests } = await withDatabase(tara, async (sql) => ({
    stored: await sql<StoredNotification[]>`
      select id, event, interaction_id as "interactionId", profile_id as "profileId", in_app as "inApp"
      from notifications where event in ('requested', 'cancelled') and in_app`,
    requests: await sql<{ id: string; creatorId: string; isCancelled: boolean }[]>`
      select id, creator_id as "creatorId", cancelled_at is not null as "isCancelled" from interactions`,
  }));
  const named = new Map(requests.map((request) => [request.id, request]));
  const lost = [...requested].filter((id) => !named.has(id));
  const undone = [...withdrawn].filter((id) => !named.get(id)?.isCancelled);
  if (lost.length + undone.length > 0) throw new CheckFailed(`Lost: ${[...lost, ...undone].join(', ')}`);
  const expected = requests
    .flatMap(({ id, creatorId, isCancelled }) => [
      `requested ${id} ${creatorId}`,
      ...(isCancelled ? [`cancelled ${id} ${creatorId}`] : []),
    ])
    .sort();
  const rows = stored.map(({ event, interactionId, profileId }) => `${event} ${interactionId} ${profileId}`);
  if (JSON.stringify(rows.sort()) !== JSON.stringify(expected))
    throw new CheckFailed(`${rows.length} notifications of ${expected.length} events`);
  const listed = (await Promise.all(pairs.map(({ creator }) => readList(creator)))).flat();
  for (const { id, event, interactionId } of stored) {
    const times = listed.filter((other) => other === id).length;
    if (times !== 1) throw new CheckFailed(`The notification ${id} is ${times} times in the list.`);
    // A request that was withdrawn meanwhile asks for nothing.
    if (event === 'requested' && named.get(interactionId)?.isCancelled) continue;
    if (![...mails.taken, ...devices.shown].some((one) => one.id === id))
      throw new CheckFailed(`The notification ${id} was neither mailed nor pushed.`);
  }
  return stored.length;
}

/**
 * Kills the server, and every second time its database too, again and again while members request and withdraw, and checks
 * that each creator is notified once of each: in the list, and by a push or a mail. A mail is repeated only where a kill fell
 * between the mail server's answer and the commit of it, with the same Message-ID; so is a push, which replaces the first.
 */
export async function runNotificationKills(
  tara: Tara,
  { pairs, mails, devices }: Arrivals & { pairs: readonly Pair[] },
  { kills, seed }: NotificationRun,
): Promise<NotificationReport> {
  const random = new Random(seed);
  const acknowledged: Acknowledged = { requested: new Set(), withdrawn: new Set() };
  const killedAt: number[] = [];
  let isOver = false;
  const act = async (pair: Pair) => {
    while (!isOver) await actOnce(pair, acknowledged);
  };
  const kill = async () => {
    for (let number = 0; number < kills; number++) {
      await pause(300 + random.next() * 1_200);
      const database = number % 2 === 1 ? await databaseProcess(tara.dataDir) : null;
      killedAt.push(Date.now());
      await tara.kill();
      if (database !== null) process.kill(database, 'SIGKILL');
      await tara.start();
    }
    isOver = true;
  };
  await amongKills(() => Promise.all([kill(), ...pairs.map(act)]));
  await settle(tara);
  const notified = await insist(() => checkNotified(tara, { pairs, mails, devices }, acknowledged));
  checkTopics(devices);
  return {
    acknowledged: acknowledged.requested.size + acknowledged.withdrawn.size,
    notifications: notified,
    repeatedMails: countRepeated('mail', mails.taken, killedAt),
    pushes: devices.shown.length,
    repeatedPushes: countRepeated('push', devices.shown, killedAt),
  };
}
