import { platformFee } from '@tara/contract/interactions/interactions';
import { isPaymentMethod, paymentMethods } from '@tara/contract/money/payment-methods';
import {
  type Confirmation,
  type ConfirmationKind,
  confirmationKinds,
  confirmationNumber,
} from '@tara/contract/money/payments';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { interactions } from '../interactions/index.ts';
import { profiles } from '../profiles/index.ts';
import type { ledgerTransfers } from './tables.ts';

type TransferKind = (typeof ledgerTransfers.$inferSelect)['kind'];

/** Which movement a confirmation is of; a payout is the creator's, the others are the client's. */
const movementKinds = {
  payment: 'capture',
  refund: 'refund',
  payout: 'payout',
} as const satisfies Record<ConfirmationKind, TransferKind>;

/** The kind of confirmation that a movement in a member's statement has. */
export const confirmationKind = (kind: TransferKind): ConfirmationKind | null =>
  confirmationKinds.find((name) => movementKinds[name] === kind) ?? null;

/** Centavos. */
interface Row extends Record<string, unknown> {
  number: number;
  movement: TransferKind;
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

/** The movements of these confirmations with what is known of them: each `wanted` has id, kind, request, payment and time. */
const selectConfirmations = (wanted: SQL): SQL => sql`
  with wanted as (${wanted})
  select wanted.id::float8 as number, wanted.kind as movement, wanted.created_at as issued_at,
    request.id as interaction_id, request.plan_title, coalesce(request.client_name, client.name) as client,
    coalesce(request.creator_name, creator.name) as creator, request.meets_at, request.place, request.terms,
    request.price_centavos::float8 as price, request.released_centavos::float8 as released,
    request.platform_fee_basis_points as fee_basis_points, request.reference_number,
    coalesce(sent.amount_centavos, paid.amount_centavos)::float8 as amount,
    case when wanted.kind <> 'payout' then paid.method end as method,
    case sent.way when 'hand' then 'manual' else coalesce(sent.way, 'provider') end as way,
    right(sent.destination ->> 'number', 4) as receiver, coalesce(sent.reference, paid.id) as reference
  from wanted join ${interactions} request on request.id = wanted.interaction_id
    join ${profiles} client on client.id = request.client_id
    join ${profiles} creator on creator.id = request.creator_id
    join captured_payments paid on paid.id = wanted.payment_id
    left join disbursements on disbursements.payment_id = paid.id and disbursements.purpose = wanted.kind
    left join attempts sent on sent.disbursement_id = disbursements.id and sent.state = 'arrived'`;

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
  const kind = movementKinds[name];
  // That of the payment; of a request whose payment was booked without its id there is one alone.
  const wanted = sql`
    select id, kind, interaction_id, payment_id, created_at from ledger_transfers
    where kind = ${kind} and (payment_id = ${id} or interaction_id = ${id}
      and payment_id = coalesce((select payment_id from ${interactions} where id = ${id}), payment_id))
    order by id limit 1`;
  const party = name === 'payout' ? sql`request.creator_id` : sql`request.client_id`;
  const [row] = await database.execute<Row>(
    sql`${selectConfirmations(wanted)} where ${party} = ${profileId}`,
  );
  if (!row) throw new Problem('payment_confirmation_not_found');
  return presentConfirmation(row);
}

/** All confirmations of a request, of both parties, oldest first: for an admin. */
export async function listConfirmations(database: Database, interactionId: string): Promise<Confirmation[]> {
  const wanted = sql`
    select id, kind, interaction_id, payment_id, created_at from ledger_transfers
    where interaction_id = ${interactionId} and kind in (${sql.join(Object.values(movementKinds), sql`, `)})`;
  const rows = await database.execute<Row>(sql`${selectConfirmations(wanted)} order by wanted.id`);
  return rows.map(presentConfirmation);
}

function presentConfirmation(row: Row): Confirmation {
  const kind = confirmationKind(row.movement) ?? 'payment';
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
