import { Random } from '@tara/proof/random';
import fc from 'fast-check';
import { readRequest } from '../steps.ts';
import { databaseProcess } from './kills.ts';
import { finish, live, nameRefundNumber, type Outcome } from './money-acts.ts';
import { checkBooks, settled } from './money-checks.ts';
import { amongKills, CheckFailed, insist, type MoneyFixture, withDatabase } from './money-fixture.ts';
import { decideChargebacks } from './money-provider.ts';
import { batches, underFaults } from './money-schedule.ts';

/** Requests that live at the same time. */
const batchSize = 50;

interface MoneyRun {
  schedules: number;
  kills: number;
  seed: number;
}

/** Kills the server, and every second time its database too, at random moments; it starts again each time. */
async function killTimes({ tara }: MoneyFixture, kills: number, random: Random): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    await new Promise((done) => setTimeout(done, 300 + random.next() * 1500));
    const database = random.chance(0.5) ? await databaseProcess(tara.dataDir) : null;
    await tara.kill();
    if (database !== null) process.kill(database, 'SIGKILL');
    await tara.start();
  }
}

/** ms in which people and deadlines end every request. */
const finishMs = 120_000;

/** Brings all requests to their end. @throws CheckFailed naming those that did not come to it. */
async function finishAll(fixture: MoneyFixture, outcomes: readonly Outcome[]): Promise<void> {
  const until = Date.now() + finishMs;
  let open = outcomes;
  while (open.length > 0) {
    const over = await Promise.all(open.map((outcome) => finish(fixture, outcome)));
    open = open.filter((_, index) => !over[index]);
    if (open.length > 0 && Date.now() > until) {
      const ids = open.map(({ interactionId }) => interactionId);
      const rows = await withDatabase(
        fixture.tara,
        (sql) => sql`select interactions.*,
          (select jsonb_agg(meeting_proposals) from meeting_proposals where interaction_id = interactions.id) as proposals
          from interactions where id in ${sql(ids)}`,
      );
      throw new CheckFailed(`not over: ${JSON.stringify(rows)}`);
    }
    await new Promise((done) => setTimeout(done, 500));
  }
}

/**
 * Lets random requests live in batches, under faults of the provider and kills. After each batch everything comes to its
 * end within a minute, and the books are right and those of the provider.
 * @returns the number of requests, and what was captured for them in centavos.
 * @throws Error naming what was lost, doubled or late.
 */
export async function runMoney(
  fixture: MoneyFixture,
  { schedules, kills, seed }: MoneyRun,
): Promise<{ requests: number; centavos: number }> {
  const { tara } = fixture;
  const result = { requests: 0, centavos: 0 };
  const random = new Random(seed);
  const runs = Math.max(1, Math.ceil(schedules / batchSize));
  let [runsLeft, killsLeft] = [runs, kills];
  const batch = fc.asyncProperty(batches(Math.min(batchSize, schedules)), async ({ lives, troubles }) => {
    const here = Math.ceil(killsLeft / runsLeft--);
    killsLeft -= here;
    const outcomes = await underFaults(fixture, troubles, async () => {
      const killing = killTimes(fixture, here, random);
      const living = lives.map((lived, index) => {
        const pair = fixture.pairs[index];
        if (!pair) throw new Error('there are more lives than pairs');
        return live(fixture, pair, lived);
      });
      // Both to their end: a server must not be started after the run has failed.
      await Promise.allSettled([...living, killing]);
      await killing;
      return Promise.all(living);
    });
    await finishAll(fixture, outcomes);
    const failures = outcomes.flatMap((outcome) => outcome.failures);
    if (failures.length > 0) throw new Error(failures.join('\n'));
    const ids = outcomes.map(({ interactionId }) => interactionId);
    // After its request was over a refund may become a transfer, which waits for a number, and a chargeback whose event
    // was lost may be found, which waits for the issuer.
    const help = async (id: string) => {
      await decideChargebacks(tara, id);
      const outcome = outcomes.find(({ interactionId }) => interactionId === id);
      if (!outcome) return;
      const request = await insist(() => readRequest(outcome.pair.client, id));
      if (request.needsRefundNumber) await nameRefundNumber(outcome);
    };
    await withDatabase(tara, (sql) => settled(sql, ids, help));
    await withDatabase(tara, (sql) => checkBooks(tara, sql));
    const [sum] = await withDatabase(
      tara,
      (sql) => sql<{ centavos: number }[]>`
          select coalesce(sum(amount_centavos), 0)::float as centavos from captured_payments
          where interaction_id in ${sql(ids)}`,
    );
    result.requests += ids.length;
    result.centavos += sum?.centavos ?? 0;
  });
  await amongKills(() => fc.assert(batch, { seed, numRuns: runs, endOnFailure: true }));
  return result;
}
