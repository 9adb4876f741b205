import { mobileDigits } from '@tara/contract/members/profiles';
import { transferFeeCentavos } from '@tara/contract/money/sales';
import { and, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { interactions, isOpen } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { sentByHand } from './attempts.ts';
import { isUnsent } from './chargeback-booking.ts';
import type { PaymentContext } from './provider.ts';
import { heldBackText } from './read-payment.ts';
import { chargebacks, payouts, refunds } from './tables.ts';

/** Whether a payout has a number to go to. */
const hasNumber = sql`(case when purpose = 'refund' then ${payouts.number} is not null
  else regexp_replace(${profiles.phoneNumber}, '[^0-9]', '', 'g') ~ ${mobileDigits} end)`;

/**
 * Payouts that have not arrived and that Tara brings forward: one that was begun, or one that waits neither for a person nor for the
 * card issuer. A `from` with its `where`.
 */
export const movingPayouts = (config: PaymentContext['config']) => sql`
  ${payouts} join ${profiles} on ${profiles.id} = ${payouts.recipientId}
    join ${interactions} on ${interactions.id} = ${payouts.interactionId}
  where ${payouts.state} <> 'paid' and (not ${isUnsent}
    or (not ${sentByHand(config)} and frozen_at is null and ${hasNumber}
      and (purpose = 'refund' or payout_waits_until is null or payout_waits_until <= now())))`;

/** The same of refunds the way that the payment came. */
export const movingRefunds = sql`
  ${refunds} join ${interactions} on ${interactions.id} = ${refunds.interactionId}
  where way = 'provider' and ${refunds.state} <> 'refunded'
    and (refund_id is not null or ordered_attempt = attempt or frozen_at is null)`;

/** From when on nothing held it up: it is owed, and the last dispute of a card issuer about its request is decided. */
const freeSince = (row: typeof payouts | typeof refunds) => sql`greatest(${row.createdAt},
  (select max(decided_at) from ${chargebacks} where ${chargebacks.interactionId} = ${row.interactionId}))`;

/** It has been free for an hour, and it is under way, or neither the card issuer nor a changed number holds it up. */
const isLate = (row: typeof payouts | typeof refunds, isBegun: SQL, waitsFor: SQL) =>
  sql`(${freeSince(row)} < now() - interval '1 hour' and (${isBegun} or exists (
    select from ${interactions} where ${interactions.id} = ${row.interactionId} and ${interactions.frozenAt} is null
      and ${waitsFor})))`;

/**
 * Payouts that admins look at: refused, or late whatever their state. That is all of `stuckDisbursements`, and what waits for a
 * number as well.
 */
export const latePayout = and(
  ne(payouts.state, 'paid'),
  or(
    and(isNotNull(payouts.lastError), isUnsent),
    isLate(
      payouts,
      sql`not ${isUnsent}`,
      sql`(${payouts.purpose} = 'refund' or coalesce(${interactions.payoutWaitsUntil} <= now() - interval '1 hour', true))`,
    ),
  ),
);

/** The same of refunds the way that the payment came. */
export const lateRefund = and(
  ne(refunds.state, 'refunded'),
  eq(refunds.way, 'provider'),
  or(
    and(isNotNull(refunds.lastError), isNull(refunds.refundId)),
    isLate(
      refunds,
      sql`(${refunds.refundId} is not null or coalesce(${refunds.orderedAttempt} = ${refunds.attempt}, false))`,
      sql`true`,
    ),
  ),
);

/** What the provider may have sent and that is not booked yet, with the fee of each transfer, in centavos. */
export const sentAndNotBooked = sql`select (
  (select coalesce(sum(amount_centavos + ${transferFeeCentavos}::bigint), 0) from ${payouts}
    where state <> 'paid' and not ${isUnsent})
  + (select coalesce(sum(amount_centavos), 0) from ${refunds}
    where state <> 'refunded' and (refund_id is not null or ordered_attempt = attempt)))::float8 as centavos`;

/** Most of what is stuck that is named at once. */
const mostStuck = 1000;

/**
 * What did not move for an hour, or for three days with the provider, which takes banking days for some methods; oldest first.
 * What waits because the provider shows its payment as disputed is not stuck.
 */
export const stuckDisbursements = (config: PaymentContext['config']) => sql`
  select "recordId", "amountCentavos" from (
    select 'payout:' || ${payouts.id} as "recordId", ${payouts.amountCentavos}::float8 as "amountCentavos",
      ${payouts.transferId} is not null as is_sent,
      case when ${payouts.transferId} is not null then (select max(sent_at) from payout_attempts where payout_id = ${payouts.id})
        else greatest(${freeSince(payouts)}, case when purpose <> 'refund' then payout_waits_until end) end as since
    from ${movingPayouts(config)} and ${payouts.lastError} is distinct from ${heldBackText}
    union all
    select 'refund:' || ${refunds.id}, ${refunds.amountCentavos}::float8, refund_id is not null,
      case when refund_id is not null then coalesce(ordered_at, ${refunds.createdAt}) else ${freeSince(refunds)} end
    from ${movingRefunds} and ${refunds.lastError} is distinct from ${heldBackText}) as moving
  where since < now() - case when is_sent then interval '3 days' else interval '1 hour' end
  order by since, "recordId" limit ${mostStuck}`;

/**
 * What the wallet has to have for members, in centavos: what is held, and what is owed and was not given to the provider yet; less
 * what the provider holds of it for card issuers.
 */
export const owedFromWallet = sql`select (
  (select coalesce(sum(price_centavos), 0) from ${interactions} where price_centavos > 0 and paid_at is not null and ${isOpen()})
  + (select coalesce(sum(amount_centavos), 0) from ${payouts} where state <> 'paid' and ${isUnsent})
  + (select coalesce(sum(amount_centavos), 0) from ${refunds} where state <> 'refunded' and way = 'provider'
      and refund_id is null and ordered_attempt is distinct from attempt)
  - (select coalesce(sum(from_escrow_centavos + from_payable_centavos), 0) from ${chargebacks} where state = 'open')
  - (select coalesce(sum(amount_centavos), 0) from unassigned_disputes where state <> 'won')
  )::float8 as owed`;
