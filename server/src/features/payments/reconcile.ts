import { nowMs } from '@tara/contract/clock';
import { type Dispute, PaymongoError, pagesSince } from '@tara/paymongo';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isAmong, isNotAmong } from '../../platform/database/among.ts';
import type { Database } from '../../platform/database/connect.ts';
import { workItems } from '../../platform/jobs/items.ts';
import { postponedItems } from '../../platform/jobs/tables.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { tasks } from '../../platform/tasks.ts';
import { heldBackStates, interactions } from '../interactions/index.ts';
import { isNews, recordChargeback } from './chargebacks.ts';
import { isOpenDisbursement } from './disbursements.ts';
import { findNewPayments, whereDue } from './new-payments.ts';
import { movingDisbursements } from './outgoing.ts';
import { isAway, isUnreadable, type PaymentContext, pauseAfter } from './provider.ts';
import { chargebacks, disbursements, unassignedDisputes } from './tables.ts';

/** What is looked at in one round, of each kind; the rest has its turn in the next. */
const batchSize = 100;

type ReconcileContext = PaymentContext & Pick<JobHelpers, 'signal'>;

type Repair = (database: Database, id: string) => Promise<void>;

/** The job that does a lost step again, by what was lost. */
const repairs = {
  link: (database, interactionId) => tasks.createPaymentLink.enqueue(database, { interactionId }),
  event: (database, eventId) => tasks.workProviderEvent.enqueue(database, { eventId }),
  disbursement: (database, disbursementId) => tasks.disburse.enqueue(database, { disbursementId }),
} satisfies Record<string, Repair>;

interface ReconcileOptions {
  /** Seconds that a job has before it is looked after; what is younger is likely still at work. */
  settleSeconds?: number;
}

/**
 * Repairs what a crash, a lost answer or a lost delivery left behind (payment invariant 5): run every 30 s.
 * Steps that a job does get their job again; payments and disputes are read from the provider's lists.
 */
export async function reconcile(
  context: ReconcileContext,
  { settleSeconds = 20 }: ReconcileOptions = {},
): Promise<void> {
  const { database, config } = context;
  const before = sql`now() - make_interval(secs => ${settleSeconds})`;
  await workItems(context, {
    name: 'payments.reconcile/lost',
    select: (isDue) =>
      database.execute<{ task: keyof typeof repairs; id: string }>(sql`
        (select 'link' as task, id from ${interactions}
          where price_centavos > 0 and link_id is null and paid_at is null and cancelled_at is null
            and created_at < ${before} and ${isDue(sql`'link ' || id`)} order by created_at limit ${batchSize})
        union all
        (select 'event', id from provider_events
          where processed_at is null and received_at < ${before} and ${isDue(sql`'event ' || id`)}
          order by received_at limit ${batchSize})
        union all
        (select 'disbursement', ${disbursements.id}
          from ${movingDisbursements(config)}
            -- What was refused, such as for a wrong number, is not sent again every minute.
            and ${disbursements.updatedAt} < case when problem is null then ${before} else now() - interval '1 hour' end
            and ${isDue(sql`'disbursement ' || ${disbursements.id}`)}
          order by ${disbursements.updatedAt} limit ${batchSize})
        union
        -- What is held back is looked at every hour, also what an admin sends or what waits for a number.
        (select 'disbursement', id from ${disbursements}
          where ${isOpenDisbursement} and ${isAmong(sql`problem`, [...heldBackStates.keys()])} and updated_at < now() - interval '1 hour'
            and ${isDue(sql`'disbursement ' || id`)} order by updated_at limit ${batchSize})`),
    id: ({ task, id }) => `${task} ${id}`,
    work: ({ task, id }) => repairs[task](database, id),
    isQueued: true,
    pauseSeconds: settleSeconds,
    mostPauseSeconds: 600,
  });
  for (const [what, read] of [
    ['the new payments', findNewPayments],
    ['the disputes of card issuers', reconcileChargebacks],
  ] as const) {
    try {
      await read(context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (pauseAfter(error) !== null) throw error;
      context.log.warn({ err: error, what }, 'a list of the provider could not be read');
    }
  }
}

/** Disputes after which one round reads no further page: older ones are named by the nightly proof. */
const mostListed = 1_000;
/** Disputes that one round asks for by their ids at most. */
const mostAsked = 20;
/** The work of disputes, under which those that failed are postponed. */
const disputeWork = 'payments.reconcile/disputes';

/**
 * Finds disputes and decisions whose events were lost: by the provider's list and, of what is open here and not on its newest pages,
 * by the id; or, for accounts that may not read the list, by the payments of open ones. Only an event or the dispute says how one was lost.
 */
async function reconcileChargebacks(context: ReconcileContext): Promise<void> {
  const { database, provider } = context;
  try {
    const listed = await readNewestDisputes(context);
    await workItems<Dispute | { id: string }>(context, {
      name: disputeWork,
      select: async (isDue) => [
        // The oldest first: after a round that ended early the newest page has something unknown still.
        ...(await whereDue(context, listed.toReversed(), isDue)),
        ...(await readUnlisted(context, listed, isDue)),
      ],
      id: ({ id }) => id,
      work: async (item) => {
        const dispute = 'attributes' in item ? item : await provider.disputes.get(item.id);
        if (await isNews(database, dispute)) await recordChargeback(context, dispute);
      },
      isOutage: isAway,
    });
  } catch (error) {
    if (!(error instanceof PaymongoError && error.status === 403)) throw error;
    await findWon(context);
  }
}

/** The newest disputes, as far back as the first page that has nothing unknown, and at most to one that cannot be read. */
async function readNewestDisputes({ database, provider, log }: ReconcileContext): Promise<Dispute[]> {
  const listed: Dispute[] = [];
  const pages = pagesSince('GET /v1/disputes', (query) => provider.disputes.list(query), 0);
  try {
    for await (const items of pages) {
      listed.push(...items);
      if (listed.length >= mostListed || (await areKnown(database, items))) break;
    }
  } catch (error) {
    if (listed.length === 0 || !isUnreadable(error)) throw error;
    log.warn({ err: error }, 'an older page of disputes could not be read: the newer ones are recorded');
  }
  return listed;
}

async function areKnown(database: Database, disputes: readonly Dispute[]): Promise<boolean> {
  const ids = disputes.map(({ id }) => id);
  const known = await database
    .select({ id: chargebacks.id })
    .from(chargebacks)
    .where(isAmong(chargebacks.id, ids))
    .union(
      database
        .select({ id: unassignedDisputes.id })
        .from(unassignedDisputes)
        .where(isAmong(unassignedDisputes.id, ids)),
    );
  return known.length === ids.length;
}

/**
 * What is open here, or could not be recorded, and is not listed: in each round others, when they are more than it asks for.
 * @param isDue whether it is not postponed
 */
async function readUnlisted(
  { database }: ReconcileContext,
  listed: readonly Dispute[],
  isDue: (id: SQL) => SQL,
): Promise<{ id: string }[]> {
  const listedIds = listed.map(({ id }) => id);
  return database.execute<{ id: string }>(sql`
    select id from (
      select id from ${chargebacks} where state = 'open'
      union select id from ${unassignedDisputes} where state = 'open'
      union select item_id from ${postponedItems} where work = ${disputeWork}) as unfinished
    where ${isNotAmong(sql`unfinished.id`, listedIds)} and ${isDue(sql`unfinished.id`)}
    order by md5(unfinished.id || ${String(nowMs())}::text) limit ${mostAsked}`);
}

const findWon = (context: ReconcileContext) =>
  workItems(context, {
    name: 'payments.reconcile/disputed',
    select: (isDue) =>
      context.database
        .select()
        .from(chargebacks)
        // What an admin assigned may be about another payment.
        .where(and(eq(chargebacks.state, 'open'), eq(chargebacks.isAssigned, false), isDue(chargebacks.id)))
        .orderBy(chargebacks.createdAt),
    id: ({ id }) => id,
    work: async (row) => {
      const { attributes } = await context.provider.payments.get(row.paymentId);
      if (attributes.disputed !== false) return;
      const dispute = {
        id: row.id,
        type: 'dispute',
        attributes: { amount: row.amountCentavos, status: 'won' },
      };
      await recordChargeback(context, dispute, row.paymentId);
    },
    isOutage: isAway,
  });
