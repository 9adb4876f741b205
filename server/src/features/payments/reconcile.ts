import { isOutcomeUnknown, PaymongoError } from '@tara/paymongo';
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { tasks } from '../../platform/tasks.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { findChargeback, outcomeOf, recordChargeback } from './chargebacks.ts';
import { checkLink } from './links.ts';
import type { PaymentContext } from './provider.ts';
import { unnamedPayment } from './refunds.ts';
import { chargebacks } from './tables.ts';

/** What is looked at in one round, of each kind; the rest has its turn in the next. */
const batchSize = 100;
const concurrency = 5;

type Repair = (database: Database, id: string) => Promise<void>;

/** The job that does a lost step again, by what was lost. */
const repairs = {
  link: (database, interactionId) => tasks.createPaymentLink.enqueue(database, { interactionId }),
  event: (database, eventId) => tasks.workProviderEvent.enqueue(database, { eventId }),
  payout: (database, payoutId) => tasks.payout.enqueue(database, { payoutId }),
  refund: (database, refundId) => tasks.refund.enqueue(database, { refundId }),
} satisfies Record<string, Repair>;

/** Whether a payout has a number to go to; `mobileNumber` of the contract says the same. */
const hasNumber = sql`(case when purpose = 'refund' then payouts.number is not null
  else regexp_replace(${profiles.phoneNumber}, '[^0-9]', '', 'g') ~ '^((0|63)9[0-9]{9}|99999999000[0-9])$' end)`;

interface ReconcileOptions {
  /** Seconds that a job has before it is looked after; what is younger is likely still at work. */
  settleSeconds?: number;
}

/**
 * Repairs what a crash, a lost answer or a lost delivery left behind (payment invariant 5): run every 30 s.
 * Steps that a job does get their job again; unpaid links are checked here.
 */
export async function reconcile(
  context: PaymentContext,
  { settleSeconds = 20 }: ReconcileOptions = {},
): Promise<void> {
  const { database, config } = context;
  const before = sql`now() - make_interval(secs => ${settleSeconds})`;
  const lost = await database.execute<{ task: keyof typeof repairs; id: string }>(sql`
    (select 'link' as task, id from ${interactions}
      where price_centavos > 0 and link_id is null and paid_at is null and cancelled_at is null
        and created_at < ${before} order by created_at limit ${batchSize})
    union all
    (select 'event', id from provider_events
      where processed_at is null and received_at < ${before} order by received_at limit ${batchSize})
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
      order by payouts.updated_at limit ${batchSize})
    union all
    (select 'refund', refunds.id from refunds join ${interactions} on ${interactions.id} = refunds.interaction_id
      where way = 'provider' and state <> 'refunded'
        and (refund_id is not null or ordered_attempt = attempt or frozen_at is null)
        and refunds.updated_at < case when last_error is null then ${before} else now() - interval '1 hour' end
      order by refunds.updated_at limit ${batchSize})`);
  for (const { task, id } of lost) await repairs[task](database, id);
  await askForUnpaid(context, settleSeconds);
  try {
    await reconcileChargebacks(context);
  } catch (error) {
    context.log.warn({ err: error }, 'the disputes of card issuers could not be fetched');
  }
}

/** Every link that could be paid; one of a cancelled request for a week, since a payment may have crossed with its end. */
async function askForUnpaid(context: PaymentContext, settleSeconds: number): Promise<void> {
  const due = await context.database.execute<{ id: string }>(sql`
    select id from ${interactions}
    where link_id is not null and paid_at is null
      and (cancelled_at is null or cancelled_at > now() - interval '7 days')
      -- Young ones in every round, old ones ever more seldom: after a day about every quarter of an hour.
      and coalesce(link_checked_at, created_at) < now() - greatest(
        make_interval(secs => ${settleSeconds}), least((now() - created_at) / 100, interval '1 hour'))
    order by link_checked_at nulls first limit ${batchSize}`);
  for (let from = 0; from < due.length; from += concurrency) {
    const results = await Promise.allSettled(
      due.slice(from, from + concurrency).map(({ id }) => checkLink(context, id)),
    );
    for (const answer of results) {
      if (answer.status === 'fulfilled') continue;
      context.log.warn({ err: answer.reason }, 'a payment link could not be fetched');
      // The provider is away: asking for the others would only wait for each.
      if (isOutcomeUnknown(answer.reason)) return;
    }
  }
}

/**
 * Finds disputes whose events were lost: by the provider's list, or, for accounts that may not read it, by the payments
 * of open ones. Only an event or the list says how one was lost.
 */
async function reconcileChargebacks(context: PaymentContext): Promise<void> {
  const { provider } = context;
  try {
    const { items } = await provider.disputes.list({ limit: 100 });
    for (const dispute of items) {
      const known = await findChargeback(context.database, dispute.id);
      if (!known || (known.state === 'open' && outcomeOf(dispute) !== 'open')) {
        await recordChargeback(context, dispute);
      }
    }
  } catch (error) {
    if (!(error instanceof PaymongoError && error.status === 403)) throw error;
    await findWon(context);
  }
}

async function findWon(context: PaymentContext): Promise<void> {
  const rows = await context.database
    .select({ row: chargebacks, requestPaymentId: interactions.paymentId })
    .from(chargebacks)
    .innerJoin(interactions, eq(interactions.id, chargebacks.interactionId))
    .where(eq(chargebacks.state, 'open'));
  for (const { row, requestPaymentId } of rows) {
    const isUnnamed = row.paymentId === unnamedPayment(row.interactionId);
    const paymentId = isUnnamed ? requestPaymentId : row.paymentId;
    if (paymentId === null) continue;
    const { attributes } = await context.provider.payments.get(paymentId);
    if (attributes.disputed !== false) continue;
    const dispute = {
      id: row.id,
      type: 'dispute',
      attributes: { amount: row.amountCentavos, status: 'won' },
    };
    await recordChargeback(context, dispute);
  }
}
