import { platformFee } from '@tara/contract/interactions/interactions';
import { isPaymentMethod, paymentMethods } from '@tara/contract/money/payment-methods';
import { type Confirmation, type ConfirmationKind, confirmationNumber } from '@tara/contract/money/payments';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import type { ledgerTransfers } from './tables.ts';

type TransferKind = (typeof ledgerTransfers.$inferSelect)['kind'];

/** Which movement a confirmation is of, and which party of the request has it. */
const sources: Record<ConfirmationKind, { kind: TransferKind; party: SQL }> = {
  payment: { kind: 'capture', party: sql`request.client_id` },
  refund: { kind: 'refund', party: sql`request.client_id` },
  payout: { kind: 'payout', party: sql`request.creator_id` },
};

/** The kind of confirmation that a movement in a member's statement has. */
export const confirmationKind = (kind: TransferKind): ConfirmationKind | null =>
  Object.entries(sources).flatMap(([name, source]) =>
    source.kind === kind ? [name as ConfirmationKind] : [],
  )[0] ?? null;

/** What a movement is of: its key without the kind. */
export const movedRecord = sql`substr(ledger_transfers.key, length(ledger_transfers.kind) + 2)`;

/** Centavos. */
interface Row extends Record<string, unknown> {
  number: number;
  issued_at: Date;
  interaction_id: string;
  plan_title: string;
  client: string;
  creator: string;
  meets_at: Date | null;
  place: string;
  price: number;
  released: number;
  fee_basis_points: number;
  amount: number;
  method: string | null;
  way: Confirmation['way'];
  receiver: string | null;
  reference: string | null;
  reference_number: string | null;
  terms: string;
}

/**
 * The confirmation of a payment, a refund or a payout: the client's or the creator's alone.
 * @param id the request's; or a payment's that came a second time, of itself and its refund.
 * @throws Problem `payment_confirmation_not_found`, also for that of others.
 */
export async function readConfirmation(
  database: Database,
  { profileId }: Pick<Viewer, 'profileId'>,
  { kind: name, id }: { kind: ConfirmationKind; id: string },
): Promise<Confirmation> {
  const { kind, party } = sources[name];
  const [row] = await database.execute<Row>(sql`
    with wanted as (
      -- The movement of this record, or else the first of this kind of the request: a second payment comes later.
      select id, interaction_id, created_at, ${movedRecord} as record, 0 as rank from ledger_transfers
      where key = ${`${kind}:${id}`}
      union all
      select id, interaction_id, created_at, ${movedRecord}, 1 from ledger_transfers
      where interaction_id = ${id} and kind = ${kind}
      order by rank, id limit 1)
    select wanted.id::float8 as number, wanted.created_at as issued_at, request.id as interaction_id,
      request.plan_title, coalesce(request.client_name, client.name) as client,
      coalesce(request.creator_name, creator.name) as creator, request.meets_at, request.place, request.terms,
      request.price_centavos::float8 as price, request.released_centavos::float8 as released,
      request.platform_fee_basis_points as fee_basis_points, request.reference_number,
      coalesce(captured.amount_centavos, refunds.amount_centavos, payouts.amount_centavos)::float8 as amount,
      coalesce(captured.method, (select paid.method from captured_payments paid where paid.id = refunds.payment_id))
        as method,
      case when sent.manual_reference is not null then 'manual' when sent.id is not null then 'transfer'
        else 'provider' end as way,
      (select right(attempt.destination ->> 'number', 4) from payout_attempts attempt
        where attempt.payout_id = sent.id and attempt.attempt = sent.attempt) as receiver,
      coalesce(sent.manual_reference, sent.transfer_id, refunds.refund_id,
        case when captured.id = 'link-' || request.id then request.payment_id else captured.id end) as reference
    from wanted join ${interactions} request on request.id = wanted.interaction_id
      join ${profiles} client on client.id = request.client_id
      join ${profiles} creator on creator.id = request.creator_id
      left join captured_payments captured on ${kind} = 'capture' and captured.id = wanted.record
      left join refunds on ${kind} = 'refund' and refunds.id = wanted.record
      left join payouts on ${kind} = 'payout' and payouts.id = wanted.record
      -- What carried a refund by a transfer, or the payout itself.
      left join payouts sent on sent.id = coalesce(payouts.id, refunds.id || '-refund')
    where ${party} = ${profileId}`);
  if (!row) throw new Problem('payment_confirmation_not_found');
  return presentConfirmation(name, row);
}

function presentConfirmation(kind: ConfirmationKind, row: Row): Confirmation {
  const isPayout = kind === 'payout';
  const { method } = row;
  return {
    ...{ number: confirmationNumber(row.number), kind, issuedAt: new Date(row.issued_at).toISOString() },
    ...{ interactionId: row.interaction_id, planTitle: row.plan_title },
    ...{ client: row.client, creator: row.creator },
    meetsAt: row.meets_at === null ? null : new Date(row.meets_at).toISOString(),
    place: row.place,
    price: pesos(row.price),
    released: isPayout ? pesos(row.released) : 0,
    fee: isPayout ? pesos(platformFee(row.released, row.fee_basis_points)) : 0,
    amount: pesos(row.amount),
    way: row.way,
    method: method !== null && isPaymentMethod(method) ? paymentMethods[method].label : method,
    ...{ receiver: row.receiver, reference: row.reference, referenceNumber: row.reference_number },
    terms: row.terms,
  };
}
