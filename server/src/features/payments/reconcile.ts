import { mobileDigits } from '@tara/contract/members/profiles';
import { isOutcomeUnknown, PaymongoError } from '@tara/paymongo';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { workItems } from '../../platform/jobs/items.ts';
import type { JobHelpers } from '../../platform/jobs/task.ts';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { disputeState, outcomeOf, recordChargeback } from './chargebacks.ts';
import { checkLink } from './links.ts';
import type { PaymentContext } from './provider.ts';
import { unnamedPayment } from './refunds.ts';
import { chargebacks } from './tables.ts';

/** What is looked at in one round, of each kind; the rest has its turn in the next. */
const batchSize = 100;
const concurrency = 5;

type ReconcileContext = PaymentContext & Pick<JobHelpers, 'signal'>;

type Repair = (database: Database, id: string) => Promise<void>;

/** The job that does a lost step again, by what was lost. */
const repairs = {
  link: (database, interactionId) => tasks.createPaymentLink.enqueue(database, { interactionId }),
  event: (database, eventId) => tasks.workProviderEvent.enqueue(database, { eventId }),
  payout: (database, payoutId) => tasks.payout.enqueue(database, { payoutId }),
  refund: (database, refundId) => tasks.refund.enqueue(database, { refundId }),
} satisfies Record<string, Repair>;

/** Whether a payout has a number to go to. */
const hasNumber = sql`(case when purpose = 'refund' then payouts.number is not null
  else regexp_replace(${profiles.phoneNumber}, '[^0-9]', '', 'g') ~ ${mobileDigits} end)`;

interface ReconcileOptions {
  /** Seconds that a job has before it is looked after; what is younger is likely still at work. */
  settleSeconds?: number;
}

/**
 * Repairs what a crash, a lost answer or a lost delivery left behind (payment invariant 5): run every 30 s.
 * Steps that a job does get their job again; unpaid links are checked here.
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
        (select 'payout', payouts.id
          from payouts join ${profiles} on ${profiles.id} = payouts.recipient_id
            join ${interactions} on ${interactions.id} = payouts.interaction_id
          where state <> 'paid' and (
            exists (select from payout_attempts where payout_id = payouts.id and attempt = payouts.attempt)
            or (${config.payouts === 'provider'}::boolean and frozen_at is null and ${hasNumber}
              and (purpose = 'refund' or payout_waits_until is null or payout_waits_until <= now())))
            -- What was refused, such as for a wrong number, is not sent again every minute.
            and payouts.updated_at < case when last_error is null then ${before} else now() - interval '1 hour' end
            and ${isDue(sql`'payout ' || payouts.id`)}
          order by payouts.updated_at limit ${batchSize})
        union all
        (select 'refund', refunds.id from refunds join ${interactions} on ${interactions.id} = refunds.interaction_id
          where way = 'provider' and state <> 'refunded'
            and (refund_id is not null or ordered_attempt = attempt or frozen_at is null)
            and refunds.updated_at < case when last_error is null then ${before} else now() - interval '1 hour' end
            and ${isDue(sql`'refund ' || refunds.id`)}
          order by refunds.updated_at limit ${batchSize})`),
    id: ({ task, id }) => `${task} ${id}`,
    work: ({ task, id }) => repairs[task](database, id),
    isQueued: true,
    pauseSeconds: settleSeconds,
    mostPauseSeconds: 600,
  });
  await checkUnpaid(context, settleSeconds);
  try {
    await reconcileChargebacks(context);
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn({ err: error }, 'the disputes of card issuers could not be fetched');
  }
}

/** Every link that could be paid; one of a cancelled request for a week, since a payment may have crossed with its end. */
const checkUnpaid = (context: ReconcileContext, settleSeconds: number) =>
  workItems(context, {
    name: 'payments.reconcile/unpaid',
    select: (isDue) =>
      context.database.execute<{ id: string }>(sql`
        select id from ${interactions}
        where link_due_at <= now()
          and coalesce(link_checked_at, created_at) < now() - make_interval(secs => ${settleSeconds})
          and ${isDue(interactions.id)}
        order by link_due_at limit ${batchSize}`),
    id: ({ id }) => id,
    work: ({ id }) => checkLink(context, id),
    concurrency,
    isOutage: isOutcomeUnknown,
    pauseSeconds: settleSeconds,
  });

/**
 * Finds disputes whose events were lost: by the provider's list, or, for accounts that may not read it, by the payments
 * of open ones. Only an event or the list says how one was lost.
 */
async function reconcileChargebacks(context: ReconcileContext): Promise<void> {
  const { database, provider } = context;
  try {
    const { items } = await provider.disputes.list({ limit: 100 });
    await workItems(context, {
      name: 'payments.reconcile/disputes',
      select: (isDue) => whereDue(database, items, isDue),
      id: ({ id }) => id,
      work: async (dispute) => {
        const known = await disputeState(database, dispute.id);
        if (known === null || (known === 'open' && outcomeOf(dispute) !== 'open'))
          await recordChargeback(context, dispute);
      },
      isOutage: isOutcomeUnknown,
    });
  } catch (error) {
    if (!(error instanceof PaymongoError && error.status === 403)) throw error;
    await findWon(context);
  }
}

/** Of records that the provider listed those that are not postponed. */
async function whereDue<Item extends { id: string }>(
  database: Database,
  items: readonly Item[],
  isDue: (id: SQL) => SQL,
): Promise<Item[]> {
  const ids = sql`json_array_elements_text(${JSON.stringify(items.map(({ id }) => id))}::json)`;
  const due = await database.execute<{ id: string }>(
    sql`select listed.id from ${ids} as listed(id) where ${isDue(sql`listed.id`)}`,
  );
  const dueIds = new Set(due.map(({ id }) => id));
  return items.filter(({ id }) => dueIds.has(id));
}

const findWon = (context: ReconcileContext) =>
  workItems(context, {
    name: 'payments.reconcile/disputed',
    select: (isDue) =>
      context.database
        .select({ row: chargebacks, requestPaymentId: interactions.paymentId })
        .from(chargebacks)
        .innerJoin(interactions, eq(interactions.id, chargebacks.interactionId))
        .where(and(eq(chargebacks.state, 'open'), isDue(chargebacks.id)))
        .orderBy(chargebacks.createdAt),
    id: ({ row }) => row.id,
    work: async ({ row, requestPaymentId }) => {
      const isUnnamed = row.paymentId === unnamedPayment(row.interactionId);
      const paymentId = isUnnamed ? requestPaymentId : row.paymentId;
      if (paymentId === null) return;
      const { attributes } = await context.provider.payments.get(paymentId);
      if (attributes.disputed !== false) return;
      const dispute = {
        id: row.id,
        type: 'dispute',
        attributes: { amount: row.amountCentavos, status: 'won' },
      };
      await recordChargeback(context, dispute);
    },
    isOutage: isOutcomeUnknown,
  });
