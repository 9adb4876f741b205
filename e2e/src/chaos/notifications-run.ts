import { interactions } from '@tara/contract/interactions/interactions';
import { notifications } from '@tara/contract/notifications/notifications';
import { Random } from '@tara/proof/random';
import { Refused } from '../client.ts';
import { waitFor } from '../outside.ts';
import { createPlan, type Person, sendRequest } from '../steps.ts';
import type { Tara } from '../tara.ts';
import { databaseProcess } from './kills.ts';
import type { MailServer, TakenMail } from './mail-server.ts';
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

/** Creators with a free plan, of whom each has a client, on a server that mails at once; from then on mails go to the mail server. */
export async function openNotificationPairs(
  tara: Tara,
  mails: Pick<MailServer, 'url'>,
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
  await tara.start({ SMTP_URL: mails.url });
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
              where identifier in ('notifications.deliver', 'notifications.mail', 'accounts.mail')) as left`;
        return row?.left === 0;
      }),
    { timeoutMs: 180_000 },
  );

/** @throws CheckFailed when a mail was taken twice without a kill between */
function countRepeated(taken: readonly TakenMail[], killedAt: readonly number[]): number {
  let repeated = 0;
  for (const [id, same] of Map.groupBy(taken, (mail) => mail.id)) {
    for (const [index, { at }] of same.entries()) {
      const before = same[index - 1];
      if (before === undefined) continue;
      if (!killedAt.some((killed) => before.at <= killed && killed <= at))
        throw new CheckFailed(`The mail ${id} was sent twice without a kill between.`);
      repeated += 1;
    }
  }
  return repeated;
}

/** @throws CheckFailed when a creator was not notified once of each request and withdrawal, in the list and by one mail */
async function checkNotified(
  tara: Tara,
  { pairs, mails }: { pairs: readonly Pair[]; mails: MailServer },
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
  for (const { id } of stored) {
    const times = listed.filter((other) => other === id).length;
    if (times !== 1) throw new CheckFailed(`The notification ${id} is ${times} times in the list.`);
    if (!mails.taken.some((mail) => mail.id === id))
      throw new CheckFailed(`The notification ${id} was not mailed.`);
  }
  return stored.length;
}

/**
 * Kills the server, and every second time its database too, again and again while members request and withdraw, and checks
 * that each creator is notified once of each: in the list, and by a mail, which is repeated only where a kill fell between
 * the mail server's answer and the commit of it, with the same Message-ID.
 */
export async function runNotificationKills(
  tara: Tara,
  { pairs, mails }: { pairs: readonly Pair[]; mails: MailServer },
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
  const notified = await insist(() => checkNotified(tara, { pairs, mails }, acknowledged));
  return {
    acknowledged: acknowledged.requested.size + acknowledged.withdrawn.size,
    notifications: notified,
    repeatedMails: countRepeated(mails.taken, killedAt),
  };
}
