import { mobileDigits } from '@tara/contract/members/profiles';
import { transferFeeCentavos } from '@tara/contract/money/sales';
import { sql } from 'drizzle-orm';
import { disputedPaymentText, interactions, isOpen } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import { sentByHand } from './attempts.ts';
import { awaitsAssignment, mayBeAbout } from './chargeback-booking.ts';
import { isInDispute, isOpenDisbursement } from './disbursements.ts';
import type { PaymentContext } from './provider.ts';
import {
  attempts,
  capturedPayments,
  chargebacks,
  disbursementAmounts,
  disbursements,
  unassignedDisputes,
} from './tables.ts';

const isSending = sql`${disbursements.state} = 'sending'`;

/** Whether it has a number to go to, as far as it needs one. */
const hasNumber = sql`(${disbursements.way} = 'provider' or case ${disbursements.purpose} when 'refund'
  then ${disbursements.number} is not null
  else regexp_replace(${profiles.phoneNumber}, '[^0-9]', '', 'g') ~ ${mobileDigits} end)`;

/** From when on a payout may go to its creator's changed number; null of everything else. */
const waitsUntil = sql`case ${disbursements.purpose} when 'payout' then ${interactions.payoutWaitsUntil} end`;

/**
 * Disbursements that have not arrived and that Tara brings forward: one that was begun, or one that waits neither for a person nor for the
 * card issuer. A `from` with its `where`.
 */
export const movingDisbursements = (config: PaymentContext['config']) => sql`
  ${disbursements} join ${profiles} on ${profiles.id} = ${disbursements.recipientId}
    join ${interactions} on ${interactions.id} = ${disbursements.interactionId}
  where ${isOpenDisbursement} and (${isSending}
    or (not ${sentByHand(config)} and not ${isInDispute} and ${hasNumber}
      and coalesce(${waitsUntil} <= now(), true)))`;

/** From when on nothing held it up: it is owed, and the last dispute of a card issuer about its payment is decided. */
const freeSince = sql`greatest(${disbursements.createdAt},
  (select max(decided_at) from ${chargebacks} where ${chargebacks.paymentId} = ${disbursements.paymentId}))`;

/**
 * Disbursements that admins look at: refused, or late whatever their state, which is an hour after nothing held it up, unless the card
 * issuer or a changed number holds it up. That is all of `stuckDisbursements`, and what waits for a number as well.
 */
export const isLate = sql`(${isOpenDisbursement} and ((${disbursements.problem} is not null and not ${isSending})
  or (${freeSince} < now() - interval '1 hour' and (${isSending} or not ${isInDispute} and exists (
    select from ${interactions} where ${interactions.id} = ${disbursements.interactionId}
      and coalesce(${waitsUntil} <= now() - interval '1 hour', true))))))`;

/** What the provider may have sent and that is not booked yet, with the fee of each transfer, in centavos. */
export const sentAndNotBooked = sql`select coalesce(sum(amount_centavos
  + case way when 'transfer' then ${transferFeeCentavos}::bigint else 0 end), 0)::float8 as centavos
  from ${attempts} where state = 'sent'`;

/** Most of what is stuck that is named at once. */
const mostStuck = 1000;

/**
 * What did not move for an hour, or for three days with the provider, which takes banking days for some methods; oldest first.
 * What waits because the provider shows its payment as disputed is not stuck while a dispute that may be about it waits to be assigned.
 */
export const stuckDisbursements = (config: PaymentContext['config']) => sql`
  select purpose || ':' || id as "recordId", amount_centavos::float8 as "amountCentavos"
  from (
    select ${disbursements.id} as id, greatest(${freeSince}, ${waitsUntil}) as free_since,
      (select sent_at from ${attempts} where ${attempts.disbursementId} = ${disbursements.id}
        and ${attempts.state} = 'sent' and ${attempts.reference} is not null) as handed_at
    from ${movingDisbursements(config)} 
      and not (${disbursements.problem} is not distinct from ${disputedPaymentText}
        and exists (select from ${unassignedDisputes} join ${capturedPayments} on ${capturedPayments.id} = ${disbursements.paymentId}
          where ${mayBeAbout}))
  ) as moving join ${disbursementAmounts} using (id)
  where coalesce(handed_at + interval '3 days', free_since + interval '1 hour') < now()
  order by coalesce(handed_at, free_since), "recordId" limit ${mostStuck}`;

/**
 * What the wallet has to have for members, in centavos: what is held, and what is owed and was not given to the provider yet; less
 * what the provider holds of it for card issuers.
 */
export const owedFromWallet = sql`select (
  (select coalesce(sum(price_centavos), 0) from ${interactions} where price_centavos > 0 and paid_at is not null and ${isOpen()})
  + (select coalesce(sum(${disbursementAmounts.amountCentavos}), 0) from ${disbursements}
      join ${disbursementAmounts} on ${disbursementAmounts.id} = ${disbursements.id} where ${disbursements.state} = 'owed')
  - (select coalesce(sum(from_escrow_centavos + from_payable_centavos), 0) from ${chargebacks} where state = 'open')
  - (select coalesce(sum(amount_centavos), 0) from ${unassignedDisputes} where ${awaitsAssignment})
  )::float8 as owed`;
