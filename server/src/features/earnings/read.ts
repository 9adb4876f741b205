import { earningsMonths, timeZone } from '@tara/contract/limits';
import type { Earnings, EarningsRow } from '@tara/contract/money/earnings';
import { pesos } from '@tara/contract/plans/plans';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { interactions } from '../interactions/index.ts';
import { disbursementAmounts } from '../payments/index.ts';

/** One plan in one month, in centavos; the row without a month holds the totals of all time. */
interface Row extends Record<string, unknown> {
  month: string | null;
  plan_id: string | null;
  plan_title: string | null;
  held: number;
  earned: number;
  paid_out: number;
}

/**
 * What the viewer's plans earned, in one statement. A request counts in the month in which each thing happened: paid
 * and still held, released, arrived. What goes back to the client, or its card issuer took back, is never counted as earned.
 */
export async function readEarnings(
  database: Database,
  { profileId }: Pick<Viewer, 'profileId'>,
): Promise<Earnings> {
  const rows = await database.execute<Row>(sql`
    with own as (
      -- The paid requests of the creator, each with what is left of it after the fee.
      select plan_id, plan_title, paid_at, completed_at, cancelled_at, paid_out_at,
        price_centavos - price_centavos * platform_fee_basis_points / 10000 as held,
        case when charged_back_at is null then released_centavos - released_centavos * platform_fee_basis_points / 10000
          -- After a chargeback: what the card issuer left of it.
          else coalesce((select amount_centavos from ${disbursementAmounts}
            where interaction_id = ${interactions.id} and purpose = 'payout'), 0) end as share
      from ${interactions} where creator_id = ${profileId} and paid_at is not null and price_centavos > 0
    ), happened as (
      -- One row for each thing that happened to a request: paid and still held, released, arrived.
      select plan_id, plan_title, paid_at as at, held, 0 as earned, 0 as paid_out from own
        where completed_at is null and cancelled_at is null
      union all
      select plan_id, plan_title, completed_at, 0, share, 0 from own where completed_at is not null
      union all
      select plan_id, plan_title, paid_out_at, 0, 0, share from own where paid_out_at is not null
    ), months as (
      -- The month of each of these in Manila, in which it is counted.
      select to_char(at at time zone ${timeZone}, 'YYYY-MM') as month, * from happened
    )
    select month, plan_id, min(plan_title) as plan_title, coalesce(sum(held), 0)::float8 as held,
      coalesce(sum(earned), 0)::float8 as earned, coalesce(sum(paid_out), 0)::float8 as paid_out
    from months group by grouping sets ((month, plan_id), ())
    having month is null
      or month >= to_char((now() at time zone ${timeZone}) - make_interval(months => ${earningsMonths - 1}), 'YYYY-MM')
    order by month desc nulls first, plan_title, plan_id`);
  const [all, ...parts] = rows;
  const sums = {
    held: pesos(all?.held ?? 0),
    earned: pesos(all?.earned ?? 0),
    paidOut: pesos(all?.paid_out ?? 0),
  };
  return {
    rows: parts.map(presentRow),
    totals: { ...sums, onTheWay: pesos((all?.earned ?? 0) - (all?.paid_out ?? 0)) },
  };
}

const presentRow = ({ month, plan_id, plan_title, held, earned, paid_out }: Row): EarningsRow => ({
  month: month ?? '',
  planId: plan_id ?? '',
  planTitle: plan_title ?? '',
  held: pesos(held),
  earned: pesos(earned),
  paidOut: pesos(paid_out),
});
