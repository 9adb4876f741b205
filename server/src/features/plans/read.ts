import { openStages } from '@tara/contract/interactions/stages';
import { pageSize, planPageLimit, timeZone } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { centavos, type Plan, type PlanDetail, type PlanFilter } from '@tara/contract/plans/plans';
import { and, desc, eq, gte, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { cursorNumber, readPage } from '../../platform/cursor.ts';
import { jsonObject } from '../../platform/database/columns.ts';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { hasWords, newestHits } from '../../platform/database/search.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { files, type PictureRow, pictureColumns, picturesOf } from '../files/index.ts';
import { type PersonRow, personColumns, presentPerson, presentRating, profiles } from '../profiles/index.ts';
import {
  contentVisibleTo,
  type Reader,
  requireVisible,
  unplannedViewer,
  visibleTo,
} from '../visibility/index.ts';
import { presentPlan } from './present.ts';
import { bookedTimes, planPhotos, planRequests, planReviews, plans } from './tables.ts';

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

/** Plans with their creator and pictures, and what else the caller wants of them, in one statement. */
const selectPlansWith = <More extends Record<string, SQL.Aliased>>(
  database: Database | Transaction,
  more: More,
) =>
  database
    .select({ ...planColumns, ...more })
    .from(plans)
    .innerJoin(profiles, eq(profiles.id, plans.creatorId))
    .leftJoin(cover, eq(cover.id, plans.imageId))
    .leftJoin(creatorPicture, eq(creatorPicture.id, profiles.imageId))
    .$dynamic();

/** Plans with their creator and pictures, in one statement; the caller says which, and in what order. */
export const selectPlans = (database: Database | Transaction) => selectPlansWith(database, {});

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

/** A time of an object of JSON. */
type JsonTime = string;

/** When the creator of each plan is booked from now on. */
const taken = sql<{ from: JsonTime; until: JsonTime }[]>`(
  select coalesce(json_agg(json_build_object('from', meets_at, 'until', meets_until) order by meets_at), '[]')
  from (
    select ${bookedTimes.meetsAt}, ${bookedTimes.meetsUntil} from ${bookedTimes}
    where ${bookedTimes.creatorId} = ${plans.creatorId}
      and tstzrange(${bookedTimes.meetsAt}, ${bookedTimes.meetsUntil}) && tstzrange(now(), null)
    order by ${bookedTimes.meetsAt} limit ${planPageLimit.takenTimes}) as booked)`;

const writer = alias(profiles, 'writer');
const writerPicture = alias(files, 'writer_picture');

interface ReviewOfPlan {
  id: string;
  stars: number;
  caption: string;
  createdAt: JsonTime;
  creator: PersonRow;
  picture: PictureRow | null;
}

/** The newest reviews of each plan that the viewer may see, each with its writer. */
const reviewsFor = (viewer: Viewer) => sql<ReviewOfPlan[]>`(
  select coalesce(json_agg(json_build_object(
    'id', newest.id, 'stars', newest.stars, 'caption', newest.caption, 'createdAt', newest.created_at,
    'creator', ${jsonObject(personColumns(writer))},
    'picture', case when ${writerPicture.id} is not null then ${jsonObject(pictureColumns(writerPicture))} end
  ) order by newest.created_at desc, newest.id desc), '[]')
  from (
    select * from ${planReviews}
    where ${and(eq(planReviews.planId, plans.id), contentVisibleTo(viewer, planReviews.creatorId))}
    order by ${planReviews.createdAt} desc, ${planReviews.id} desc limit ${planPageLimit.reviews}) as newest
  join ${profiles} as ${writer} on ${writer.id} = newest.creator_id
  left join ${files} as ${writerPicture} on ${writerPicture.id} = ${writer.imageId})`;

/**
 * One plan, with what its viewer may do with it, its newest reviews and its creator's taken times, in one statement.
 * @throws Problem `plan_not_found`.
 */
export async function planDetail(database: Database, viewer: Viewer, id: string): Promise<PlanDetail> {
  const own = alias(profiles, 'own');
  const [row] = await selectPlansWith(database, {
    reviews: reviewsFor(viewer).as('reviews'),
    taken: taken.as('taken'),
    viewerVerified: sql<boolean | null>`(
      select ${own.verified} from ${profiles} as ${own} where ${own.id} = ${viewer.profileId})`.as(
      'viewer_verified',
    ),
    openInteractionId: sql<string | null>`(select ${planRequests.id} from ${planRequests}
      where ${planRequests.planId} = ${plans.id} and ${planRequests.clientId} = ${viewer.profileId}
        and ${planRequests.stage} in ${[...openStages]})`.as('open_interaction_id'),
  }).where(and(eq(plans.id, id), planVisibleTo(viewer)));
  if (!row) throw new Problem('plan_not_found');
  return {
    plan: presentPlan(row, viewer),
    reviews: row.reviews.map(({ creator, picture, createdAt, ...review }) => ({
      ...review,
      creator: presentPerson(creator, picture),
      createdAt: new Date(createdAt).toISOString(),
    })),
    taken: row.taken.map(({ from, until }) => ({
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
    })),
    creatorRating: presentRating(row.creatorTotals),
    isCreator: row.creator.id === viewer.profileId,
    viewerVerified: row.viewerVerified === true,
    openInteractionId: row.openInteractionId,
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

/** Which plans a search finds: those that take requests, of creators whom the reader sees and did not mute. */
const isOfferedTo = (reader: Reader) =>
  and(
    isNull(plans.removedAt),
    isNull(plans.closedAt),
    contentVisibleTo(reader, plans.creatorId),
    sql`exists (select from ${profiles} as author where author.id = ${plans.creatorId} and author.verified
      and author.deleted_at is null)`,
  );

/** A plan as a row of a short list. */
export interface ForemostPlan {
  id: string;
  title: string;
  priceCentavos: number;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  cover: PictureRow | null;
}

/** The newest few of `searchPlans` with all words of a text, as JSON: part of a prepared statement, as `foremostPeople`. */
export function foremostPlans(count: number): SQL<ForemostPlan[]> {
  const texts = [sql.placeholder('search')];
  const hits = newestHits(plans, {
    texts,
    condition: isOfferedTo(unplannedViewer),
    before: null,
    size: count,
  });
  return sql`(
    select coalesce(json_agg(json_build_object(
      'id', ${plans.id}, 'title', ${plans.title}, 'priceCentavos', ${plans.priceCentavos},
      'creator', ${jsonObject(personColumns(profiles))},
      'creatorPicture', case when ${creatorPicture.id} is not null then ${jsonObject(pictureColumns(creatorPicture))} end,
      'cover', case when ${cover.id} is not null then ${jsonObject(pictureColumns(cover))} end
    ) order by ${plans.number} desc), '[]')
    from ${plans} join ${hits.table} on ${plans.number} = ${hits.number}
    join ${profiles} on ${profiles.id} = ${plans.creatorId}
    left join ${files} as ${creatorPicture} on ${creatorPicture.id} = ${profiles.imageId}
    left join ${files} as ${cover} on ${cover.id} = ${plans.imageId})`;
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
    isOfferedTo(viewer),
    place ? hasWords(plans.place, place) : undefined,
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
