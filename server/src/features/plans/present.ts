import type { Plan } from '@tara/contract/plans/plans';
import { pesos } from '@tara/contract/plans/plans';
import type { Viewer } from '../../platform/http/viewer.ts';
import { initialsPicture, presentPicture } from '../files/index.ts';
import { presentPerson, presentRating } from '../profiles/index.ts';
import { planCan } from './policy.ts';
import type { PlanRow } from './read.ts';

/** A plan as a member sees it: its earnings are its creator's alone (decisions §2). */
export function presentPlan(row: PlanRow, viewer: Pick<Viewer, 'profileId'>): Plan {
  const earned = planCan.seeEarned(viewer, { creatorId: row.creator.id }) ? row.earnedCentavos : null;
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
