import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { centavos, type Plan, type PlanFilter } from '@tara/contract/plans';
import { and, desc, eq, gte, isNull, lte, sql } from 'drizzle-orm';
import { presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newestHits, secondTextHas } from '../../platform/database/search.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { profiles } from '../profiles/index.ts';
import { contentVisibleTo } from '../visibility/index.ts';
import { presentPlan } from './present.ts';
import { selectPlans } from './select.ts';
import { plans } from './tables.ts';

/**
 * The plans that take requests and have all words, the place, a price within the range and a creator without a booking
 * on the day; newest first, 10 a page, in one statement.
 * @throws Problem `general_cursor_not_found`, `general_argument_invalid` for a range that is upside down.
 */
export async function searchPlans(
  database: Database,
  viewer: Viewer,
  { search, place, minPrice, maxPrice, day, cursor }: PlanFilter,
): Promise<PageOf<Plan>> {
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice) {
    const fields = { maxPrice: 'Must not be less than the lowest price.' };
    throw new Problem('general_argument_invalid', { fields });
  }
  const condition = and(
    isNull(plans.removedAt),
    isNull(plans.closedAt),
    contentVisibleTo(viewer, plans.creatorId),
    sql`exists (select from ${profiles} where ${profiles.id} = ${plans.creatorId} and ${profiles.verified}
      and ${profiles.deletedAt} is null)`,
    place ? secondTextHas(plans.words, place) : undefined,
    minPrice === undefined ? undefined : gte(plans.priceCentavos, centavos(minPrice)),
    maxPrice === undefined ? undefined : lte(plans.priceCentavos, centavos(maxPrice)),
    day ? isFreeOn(day) : undefined,
  );
  const texts = [search, place].filter((text) => text !== undefined && text !== '') as string[];
  const hits = newestHits(plans, {
    ...{ texts, condition, before: readNumber(cursor) },
    size: pageSize.plans + 1,
  });
  const rows = await selectPlans(database)
    .innerJoin(hits.table, eq(plans.number, hits.number))
    .orderBy(desc(plans.number));
  return presentPage(
    rows,
    pageSize.plans,
    (row) => presentPlan(row, viewer),
    (row) => ({ at: row.createdAt, id: String(row.number) }),
  );
}

/** The creator has no booking on a day of the Philippines. */
const isFreeOn = (day: string) => {
  const start = sql`${day}::timestamp at time zone 'Asia/Manila'`;
  return sql`not is_booked(${plans.creatorId}, ${start}, ${start} + interval '1 day')`;
};

/** The number of the plan at which a cursor of this list stands. */
function readNumber(cursor: string | undefined): number | null {
  const after = readCursor(cursor);
  if (!after) return null;
  if (!/^\d{1,15}$/.test(after.id)) {
    throw new Problem('general_cursor_not_found', { fields: { cursor: 'is not one of this list' } });
  }
  return Number(after.id);
}
