import type { Plan } from '@tara/contract/plans';
import { pesos } from '@tara/contract/plans';
import type { Viewer } from '../../platform/http/viewer.ts';
import { initialsPicture, type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson, presentRating } from '../profiles/index.ts';
import { isPlanCreator } from './policy.ts';

/** A plan with what was joined to it by `selectPlans`. */
export interface PlanRow {
  id: string;
  /** Counts the plans. */
  number: number;
  title: string;
  description: string;
  time: string;
  durationMinutes: number;
  place: string;
  priceCentavos: number;
  terms: string;
  totalReviews: number;
  totalStars: number;
  totalMeetings: number;
  createdAt: Date;
  editedAt: Date | null;
  closedAt: Date | null;
  /** Centavos; null while no request for it is confirmed. */
  earnedCentavos: number | null;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  creatorTotals: Parameters<typeof presentRating>[0];
  /** Null once its creator's account is deleted. */
  cover: PictureRow | null;
  photos: PictureRow[];
}

/** A plan as a member sees it: its earnings are its creator's alone (decisions §2). */
export function presentPlan(row: PlanRow, viewer: Pick<Viewer, 'profileId'>): Plan {
  const earned = isPlanCreator(viewer, { creatorId: row.creator.id }) ? row.earnedCentavos : null;
  return {
    id: row.id,
    creator: presentPerson(row.creator, row.creatorPicture),
    title: row.title,
    desc: row.description,
    time: row.time,
    durationMinutes: row.durationMinutes,
    place: row.place,
    price: pesos(row.priceCentavos),
    cover: row.cover ? presentPicture(row.cover) : initialsPicture(row.title),
    photos: row.photos.map(presentPicture),
    terms: row.terms,
    rating: presentRating(row),
    earned: earned === null ? null : pesos(earned),
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
  };
}
