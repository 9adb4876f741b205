import { type MoneyAlarm, type MoneyOverview, moneyAges, moneyPlaces } from '@tara/contract/admin';
import { bestSaleIfLosing } from '@tara/contract/money/sales';
import { pesos } from '@tara/contract/plans/plans';
import { type SQL, sql } from 'drizzle-orm';
import type { Platform } from '../../platform/platform.ts';
import { openDisputes, withoutAnswer } from '../disputes/index.ts';
import { awaitsAdmin, flagTime, interactions, isOpen } from '../interactions/index.ts';
import { disbursementAmounts, disbursements, moneyAlarms } from '../payments/index.ts';

type Place = (typeof moneyPlaces)[number];

const openDisbursements = sql`${disbursements} join ${disbursementAmounts} amounts using (id) where state in ('owed', 'sending')`;

/**
 * What is at each place, in centavos, and since when, by an index of what is there alone. A held request is in `escrow`
 * and in its list.
 */
const places: Record<Place, SQL> = {
  escrow: sql`select price_centavos as centavos, paid_at as since from ${interactions}
    where price_centavos > 0 and paid_at is not null and ${isOpen()}`,
  toConfirm: sql`select price_centavos, user_set_done_at from ${interactions}
    where price_centavos > 0 and ${awaitsAdmin()}`,
  noAnswer: sql`select price_centavos, ${flagTime('weekPassed')} from ${interactions}
    where ${withoutAnswer()}`,
  disputed: sql`select price_centavos, disputed_at from ${interactions} where ${openDisputes()}`,
  toPayOut: sql`select amounts.amount_centavos, created_at from ${openDisbursements} and problem is null`,
  failed: sql`select amounts.amount_centavos, updated_at from ${openDisbursements} and problem is not null`,
};

const age = sql.join(
  [
    sql`case`,
    ...moneyAges.map(({ age, days }) =>
      days === null
        ? sql`else ${age} end`
        : sql`when since > now() - make_interval(days => ${days}) then ${age}`,
    ),
  ],
  sql` `,
);

/** The money of members by where it is and how long it has been there, in one statement; what is wrong, and whether each sale loses. */
export async function moneyOverview({
  database,
  config,
}: Pick<Platform, 'database' | 'config'>): Promise<MoneyOverview> {
  const parts = moneyPlaces.map(
    (place) => sql`select ${place}::text as place, * from (${places[place]}) as at_place`,
  );
  const rows = await database.execute<{ place: string; age: string; count: number; centavos: number }>(sql`
    select place, ${age} as age, count(*)::int as count, sum(centavos)::float8 as centavos
    from (${sql.join(parts, sql` union all `)}) as everything group by 1, 2`);
  const sumAt = (place: Place, wanted: (typeof moneyAges)[number]['age']) => {
    const row = rows.find((one) => one.place === place && one.age === wanted);
    return { count: row?.count ?? 0, pesos: pesos(row?.centavos ?? 0) };
  };
  const losing = bestSaleIfLosing(config);
  return {
    alarms: await findAlarms(database),
    losingSale: losing && {
      price: pesos(losing.priceCentavos),
      earned: pesos(losing.earnedCentavos),
      cost: pesos(losing.costCentavos),
    },
    places: moneyPlaces.map((place) => ({
      place,
      ages: {
        day: sumAt(place, 'day'),
        week: sumAt(place, 'week'),
        month: sumAt(place, 'month'),
        older: sumAt(place, 'older'),
      },
    })),
  };
}

/** What is wrong with money by kind, what began first at the top. */
async function findAlarms(database: Platform['database']): Promise<MoneyAlarm[]> {
  const since = sql<Date>`min(${moneyAlarms.since})`.mapWith(moneyAlarms.since);
  const rows = await database
    .select({
      kind: moneyAlarms.kind,
      count: sql<number>`count(*)::int`,
      centavos: sql<number | null>`sum(${moneyAlarms.amountCentavos})::float8`,
      dueOn: sql<string | null>`min(${moneyAlarms.dueOn})::text`,
      since,
    })
    .from(moneyAlarms)
    .groupBy(moneyAlarms.kind)
    .orderBy(since, moneyAlarms.kind);
  return rows.map(({ centavos, since, ...row }) => ({
    ...row,
    pesos: centavos === null ? null : pesos(centavos),
    since: since.toISOString(),
  }));
}
