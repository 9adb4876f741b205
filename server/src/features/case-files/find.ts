import { type MoneyMatch, mostMatches } from '@tara/contract/money/case-files';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { accounts } from '../accounts/index.ts';
import { interactions } from '../interactions/index.ts';
import {
  attempts,
  capturedPayments,
  chargebacks,
  disbursements,
  ledgerTransfers,
  manualTransfers,
} from '../payments/index.ts';
import { profiles } from '../profiles/index.ts';

interface Row extends Record<string, unknown> {
  id: string;
  matched: MoneyMatch['matched'];
  plan_title: string;
  client: string;
  creator: string;
  price: number;
  stage: MoneyMatch['stage'];
  created_at: Date;
}

/** The number of a movement in that of its confirmation; null for another text. */
const movementNumber = (text: string) => /^TARA-0*(\d{1,15})$/i.exec(text)?.[1] ?? null;

/** The requests whose money moved last, each with how it was found. */
const lastMoved = sql`
  with hits as (
    select interaction_id as id, 'movement' as matched from (
      select interaction_id from ${ledgerTransfers} order by id desc limit ${mostMatches}) as newest)`;

/** The requests that have exactly this id, number or member, each with how it was found; each way is an index. */
function having(text: string): SQL {
  const username = text.replace(/^@/, '').toLowerCase();
  return sql`
    with members as (
      select id from ${profiles} where lower(username) = ${username} or id = ${text} or account_id = ${text}
        or account_id = (select id from ${accounts} where email = ${text.toLowerCase()})
    ), hits as (
      select id, 'request' as matched from ${interactions} where id = ${text} or reference_number = ${text}
      union all select id, 'payment' from ${interactions} where payment_id = ${text} or link_id = ${text}
      union all select interaction_id, 'payment' from ${capturedPayments} where id = ${text}
      union all select interaction_id, 'confirmation' from ${ledgerTransfers}
        where id = ${movementNumber(text)}::bigint
      union all select interaction_id, case purpose when 'refund' then 'refund' else 'transfer' end from ${disbursements}
        where id = any(array(select ${text} union all select disbursement_id from ${attempts} where reference = ${text}))
      union all select interaction_id, 'transfer' from ${manualTransfers} where reference = ${text}
      union all select interaction_id, 'chargeback' from ${chargebacks} where id = ${text}
      union all (select id, 'member' from ${interactions} where client_id = any(array(select id from members))
        order by created_at desc limit ${mostMatches})
      union all (select id, 'member' from ${interactions} where creator_id = any(array(select id from members))
        order by created_at desc limit ${mostMatches}))`;
}

/** Requests that have exactly what is searched for, or whose money moved last without a search; newest first. */
export async function findMoney(database: Database, text: string | undefined): Promise<MoneyMatch[]> {
  const rows = await database.execute<Row>(sql`
    ${text === undefined ? lastMoved : having(text)}, matches as (
      -- Each request once, by the first way.
      select id, min(matched) as matched from hits group by id)
    select request.id, matched, request.plan_title, coalesce(request.client_name, client.name) as client,
      coalesce(request.creator_name, creator.name) as creator, request.price_centavos::float8 as price,
      request.stage, request.created_at
    from matches join ${interactions} request on request.id = matches.id
      join ${profiles} client on client.id = request.client_id
      join ${profiles} creator on creator.id = request.creator_id
    order by request.created_at desc, request.id desc limit ${mostMatches}`);
  return rows.map(({ id, matched, plan_title, client, creator, price, stage, created_at }) => ({
    ...{ id, matched, planTitle: plan_title, client, creator, price: pesos(price), stage },
    createdAt: new Date(created_at).toISOString(),
  }));
}
