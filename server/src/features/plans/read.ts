import { openStages } from '@tara/contract/interactions/stages';
import { pageSize, timeZone } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { centavos, type Plan, type PlanDetail, type PlanFilter } from '@tara/contract/plans/plans';
import { and, desc, eq, gte, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { cursorNumber, readPage } from '../../platform/cursor.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { newestHits, secondTextHas } from '../../platform/database/search.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, pictureColumns, picturesOf } from '../files/index.ts';
import { personColumns, presentRating, profiles } from '../profiles/index.ts';
import { contentVisibleTo, requireVisible, visibleTo } from '../visibility/index.ts';
import { presentPlan } from './present.ts';
import { planPhotos, planRequests, plans } from './tables.ts';

const cover = alias(files, 'cover');
const creatorPicture = alias(files, 'creator_picture');

/**
 * Pesos paid out, or owed and confirmed, for the plan, in centavos (decisions §1).
 */
const earned = sql<number | null>`(select sum(${planRequests.earnedCentavos})::bigint from ${planRequests}
  where ${planRequests.planId} = ${plans.id} and ${planRequests.adminSetDoneAt} is not null)`;

/** The photos beside the cover, in their order. */
const photos = picturesOf(planPhotos, eq(planPhotos.planId, plans.id));

const planColumns = {
  id: plans.id,
  /** Counts the plans. */
  number: plans.number,
  title: plans.title,
  description: plans.description,
  time: plans.time,
  durationMinutes: plans.durationMinutes,
  place: plans.place,
  priceCentavos: plans.priceCentavos,
  terms: plans.terms,
  totalReviews: plans.totalReviews,
  totalStars: plans.totalStars,
  totalMeetings: plans.totalMeetings,
  createdAt: plans.createdAt,
  editedAt: plans.editedAt,
  closedAt: plans.closedAt,
  /** Centavos; null while no request for it is confirmed. */
  earnedCentavos: earned.as('earned_centavos'),
  creator: personColumns(profiles),
  creatorPicture: pictureColumns(creatorPicture),
  creatorTotals: {
    totalReviews: profiles.totalReviews,
    totalStars: profiles.totalStars,
    totalMeetings: profiles.totalInteraction,
  },
  /** Null once its creator's account is deleted. */
  cover: pictureColumns(cover),
  photos: photos.as('photos'),
};

/** Plans with their creator and pictures, in one statement; the caller says which, and in what order. */
export const selectPlans = (database: Database | Transaction) =>
  database
    .select(planColumns)
    .from(plans)
    .innerJoin(profiles, and(eq(profiles.id, plans.creatorId), isNull(profiles.deletedAt)))
    .leftJoin(cover, eq(cover.id, plans.imageId))
    .leftJoin(creatorPicture, eq(creatorPicture.id, profiles.imageId))
    .$dynamic();

/** A plan as `presentPlan` takes it. */
export type PlanRow = Awaited<ReturnType<typeof selectPlans>>[number];

/** The condition of the plans that a viewer may read (§6). */
export const planVisibleTo = (viewer: Viewer): SQL | undefined =>
  and(
    isNull(plans.removedAt),
    visibleTo(viewer, plans.creatorId),
    sql`exists (select from ${profiles} as author where author.id = ${plans.creatorId} and author.deleted_at is null)`,
  );

/** The condition of lists of plans: closed ones are in those of their creator alone. */
export const planListedFor = (viewer: Viewer): SQL | undefined =>
  and(planVisibleTo(viewer), or(isNull(plans.closedAt), eq(plans.creatorId, viewer.profileId)));

/**
 * One plan, with what its viewer may do with it.
 * @throws Problem `plan_not_found`.
 */
export async function planDetail(database: Database, viewer: Viewer, id: string): Promise<PlanDetail> {
  const [[row], [own]] = await Promise.all([
    selectPlans(database).where(and(eq(plans.id, id), planVisibleTo(viewer))),
    database
      .select({
        verified: profiles.verified,
        openInteractionId: sql<string | null>`(select ${planRequests.id} from ${planRequests}
          where ${planRequests.planId} = ${id} and ${planRequests.clientId} = ${viewer.profileId}
            and ${planRequests.stage} in ${[...openStages]})`,
      })
      .from(profiles)
      .where(eq(profiles.id, viewer.profileId)),
  ]);
  if (!row) throw new Problem('plan_not_found');
  return {
    plan: presentPlan(row, viewer),
    creatorRating: presentRating(row.creatorTotals),
    isCreator: row.creator.id === viewer.profileId,
    viewerVerified: own?.verified === true,
    openInteractionId: own?.openInteractionId ?? null,
  };
}

/**
 * One member's plans, newest first, 10 a page (decisions §1). Closed ones are shown to their creator alone.
 * @throws Problem `profile_not_found`, `general_cursor_not_found`.
 */
export async function plansByCreator(
  database: Database,
  viewer: Viewer,
  creatorId: string,
  cursor: string | undefined,
): Promise<PageOf<Plan>> {
  requireVisible(viewer, creatorId, 'profile_not_found');
  const page = await readPage(cursor, {
    size: pageSize.plans,
    sortedBy: { time: plans.createdAt, id: plans.id },
    query: selectPlans(database),
    where: and(eq(plans.creatorId, creatorId), planListedFor(viewer)),
    present: (row) => presentPlan(row, viewer),
    toCursor: (row) => ({ at: row.createdAt, id: row.id }),
  });
  // Only an empty first page can be that of nobody.
  if (page.items.length === 0 && cursor === undefined) await requireProfile(database, creatorId);
  return page;
}

async function requireProfile(database: Database, id: string): Promise<void> {
  const [profile] = await database.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, id));
  if (!profile) throw new Problem('profile_not_found');
}

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
  return readPage(cursor, {
    size: pageSize.plans,
    read({ after, limit }) {
      const hits = newestHits(plans, { texts, condition, before: cursorNumber(after), size: limit });
      return selectPlans(database)
        .innerJoin(hits.table, eq(plans.number, hits.number))
        .orderBy(desc(plans.number));
    },
    present: (row) => presentPlan(row, viewer),
    toCursor: (row) => ({ at: row.createdAt, id: String(row.number) }),
  });
}

/** The creator has no booking on a day of the Philippines. */
const isFreeOn = (day: string) => {
  const start = sql`${day}::timestamp at time zone ${timeZone}`;
  return sql`not is_booked(${plans.creatorId}, ${start}, ${start} + interval '1 day')`;
};
