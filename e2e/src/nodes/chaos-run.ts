import { setTimeout as delay } from 'node:timers/promises';
import { posts } from '@tara/contract/posts/posts';
import { Random } from '@tara/proof/random';
import type { OpenChat } from '../chaos/chats.ts';
import { checkBooks, settled } from '../chaos/money-checks.ts';
import { insist, type MoneyFixture, withDatabase } from '../chaos/money-fixture.ts';
import { check } from '../chaos/schedule.ts';
import type { Attempt } from '../client.ts';
import { type FaultName, faultKinds, untilReady, untilWhole } from './faults.ts';
import { type Load, type Rates, startLoad } from './load.ts';
import type { Nodes } from './nodes.ts';
import { type Delivery, type Fault, hasFailed, lateness, measureOutage, type Outage } from './outages.ts';

interface ChaosRun extends Rates {
  minutes: number;
  seed: number;
}

/** What became of a fault: times in ms. */
interface FaultReport extends Outage {
  name: FaultName;
  /** How long the part was away. */
  awayMs: number;
  /** How often which call failed, and how. */
  failures: string[];
  /** Of the slowest message that was sent meanwhile, from its acknowledgement to the other's device. */
  slowestMessage: number;
}

interface ChaosReport {
  faults: FaultReport[];
  messages: number;
  posts: number;
  payments: number;
  requests: number;
  breaches: string[];
}

/** ms before the first fault, and from when a fault is over until the next one: longer than anything may take. */
const quietMs = 7_000;

/** Makes faults in random orders until the time is over, each once before any comes again; at least one. */
async function makeFaults(
  nodes: Nodes,
  minutes: number,
  random: Random,
): Promise<(Fault & { name: FaultName })[]> {
  const names = Object.keys(faultKinds) as FaultName[];
  const until = Date.now() + minutes * 60_000;
  const faults: (Fault & { name: FaultName })[] = [];
  do {
    await delay(quietMs);
    await untilWhole(nodes);
    const name = random.deal('faults', () => names);
    const { part, run } = faultKinds[name];
    console.log(`${name} …`);
    const beganAt = Date.now();
    await run(nodes, random);
    const backAt = Date.now();
    const readyAt = await untilReady(nodes);
    faults.push({ name, part, beganAt, backAt, readyAt });
    console.log(`${name}: away for ${backAt - beganAt} ms, every node has it ${readyAt - backAt} ms later`);
  } while (Date.now() < until);
  await delay(quietMs);
  return faults;
}

/** The ways of all messages from their acknowledgement to the other's device. */
function deliveries({ groups }: Load): Delivery[] {
  return groups.flatMap(({ members }) =>
    members.flatMap(({ acknowledged }, index) => {
      const reader = members[1 - index];
      return acknowledged.flatMap(({ sequence, at: acknowledgedAt }) => {
        const receivedAt = reader?.receivedAt.get(sequence);
        if (reader === undefined || receivedAt === undefined) return [];
        const meanwhile = reader.absences.filter(
          ({ from, until }) => from <= receivedAt && until >= acknowledgedAt,
        );
        const delayMs = meanwhile.reduce((sum, absence) => sum + absence.delayMs, 0);
        return { acknowledgedAt, receivedAt, delayMs };
      });
    }),
  );
}

/** What failed, each with how often. */
function countFailures(attempts: readonly Attempt[]): string[] {
  const counts = new Map<string, number>();
  for (const attempt of attempts.filter(hasFailed)) {
    // Without the ids in it.
    const path = attempt.path.split('/').slice(0, 4).join('/');
    const name = `${attempt.status === 0 ? 'no answer' : attempt.status} ${path}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`);
}

/** Compares what is stored with what was acknowledged. Returns what is lost or doubled. */
async function findLosses(nodes: Nodes, load: Load): Promise<string[]> {
  const losses: string[] = [];
  const note = (what: string) => (error: unknown) => void losses.push(`${what}: ${String(error)}`);
  for (const { chat, base, members } of load.groups)
    await check(chat, members, base).catch(note(`the ${chat.kind} ${chat.id}`));
  const [reader] = load.groups[0]?.chat.people ?? [];
  for (const { id, caption, picture } of load.acknowledged.posts) {
    const post = await reader?.client.call(posts.get, { params: { id } }).catch(note(`the post ${id}`));
    if (post && post.caption !== caption) losses.push(`the post ${id} has another caption`);
    if ((await reader?.client.look(picture)) !== 200)
      losses.push(`the picture of the post ${id} is not there`);
  }
  const ids = load.acknowledged.payments;
  if (ids.length === 0) return losses;
  await withDatabase(nodes, async (sql) => {
    const rows = await sql<{ id: string; captures: number }[]>`
      select interactions.id, (select count(*)::int from captured_payments where interaction_id = interactions.id) as captures
      from interactions where id in ${sql(ids)}`;
    const captures = new Map(rows.map((row) => [row.id, row.captures]));
    for (const id of ids)
      if (captures.get(id) !== 1) losses.push(`the paid request ${id} has ${captures.get(id) ?? 0} payments`);
    await settled(sql, ids, async () => undefined).catch(note('refunds'));
    await checkBooks(nodes, sql).catch(note('the books'));
  });
  return losses;
}

/** Loads nodes while what they need is taken away and comes back, in an order drawn from the seed, and says what was not as promised. */
export async function runNodeChaos(
  nodes: Nodes,
  world: { chats: readonly OpenChat[]; money: MoneyFixture },
  { minutes, seed, ...rates }: ChaosRun,
): Promise<ChaosReport> {
  const random = new Random(seed);
  // Its own, so that the order of faults does not depend on how fast the machine is.
  const load = await startLoad(nodes, world, rates, new Random(seed + 1));
  const faults = await makeFaults(nodes, minutes, random);
  const failures = await load.stop();
  const sent = deliveries(load);
  const breaches = await insist(() => findLosses(nodes, load));
  const reports = faults.map((fault, index): FaultReport => {
    const nextAt = faults[index + 1]?.beganAt ?? Number.POSITIVE_INFINITY;
    const within = (at: number) => at >= fault.beganAt && at < nextAt;
    const attempts = load.attempts.filter(({ endedAt }) => within(endedAt));
    const outage = measureOutage(fault, attempts);
    const meanwhile = sent.filter(({ acknowledgedAt }) => within(acknowledgedAt));
    const late = Math.max(0, ...meanwhile.map((delivery) => lateness(delivery, faults)));
    if (late > 0) outage.breaches.push(`a message arrived ${late} ms too late`);
    return {
      ...{ name: fault.name, awayMs: fault.backAt - fault.beganAt, ...outage },
      failures: countFailures(attempts),
      slowestMessage: Math.max(
        0,
        ...meanwhile.map(({ receivedAt, acknowledgedAt }) => receivedAt - acknowledgedAt),
      ),
    };
  });
  return {
    faults: reports,
    messages: load.groups
      .flatMap(({ members }) => members)
      .reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    posts: load.acknowledged.posts.length,
    payments: load.acknowledged.payments.length,
    requests: load.attempts.length,
    breaches: [
      ...failures,
      ...breaches,
      ...reports.flatMap((report) => report.breaches.map((breach) => `${report.name}: ${breach}`)),
    ],
  };
}
