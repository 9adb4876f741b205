import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { files, type PictureRow, pictureColumns } from '../files/index.ts';
import { personColumns, profiles } from '../profiles/index.ts';
import { planPhotos, planRequests, plans } from './tables.ts';

const cover = alias(files, 'cover');
const creatorPicture = alias(files, 'creator_picture');

/**
 * Pesos paid out, or owed and confirmed, for the plan, in centavos (decisions §1).
 */
const earned = sql<number | null>`(select sum(${planRequests.earnedCentavos})::bigint from ${planRequests}
  where ${planRequests.planId} = ${plans.id} and ${planRequests.adminSetDoneAt} is not null)`;

/** The photos beside the cover, in their order. */
const photos = sql<PictureRow[]>`(
  select coalesce(json_agg(json_build_object(
    'id', ${files.id}, 'bucket', ${files.bucket}, 'width', ${files.width}, 'height', ${files.height},
    'variants', ${files.variants}, 'thumbhash', ${files.thumbhash}, 'alt', ${files.alt}
  ) order by ${planPhotos.position}), '[]')
  from ${planPhotos} join ${files} on ${eq(files.id, planPhotos.imageId)}
  where ${eq(planPhotos.planId, plans.id)})`;

/** The columns of a plan as `presentPlan` takes it. */
export const planColumns = {
  id: plans.id,
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
  earnedCentavos: earned.as('earned_centavos'),
  creator: personColumns(profiles),
  creatorPicture: pictureColumns(creatorPicture),
  creatorTotals: {
    totalReviews: profiles.totalReviews,
    totalStars: profiles.totalStars,
    totalMeetings: profiles.totalInteraction,
  },
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
