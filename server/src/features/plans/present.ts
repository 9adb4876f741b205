import type { Plan } from '@tara/contract/plans';
import { pesos } from '@tara/contract/plans';
import { type PictureRow, presentPicture } from '../files/index.ts';
import { type PersonRow, presentPerson } from '../profiles/index.ts';

/** A plan with what was joined to it by `selectPlans`. */
export interface PlanRow {
  id: string;
  title: string;
  description: string;
  time: string;
  priceCentavos: number;
  terms: string;
  createdAt: Date;
  /** Centavos; null while no request for it is confirmed. */
  earnedCentavos: number | null;
  creator: PersonRow;
  creatorPicture: PictureRow | null;
  cover: PictureRow;
}

/** A plan, the same for every member (§6). */
export function presentPlan(row: PlanRow): Plan {
  return {
    id: row.id,
    creator: presentPerson(row.creator, row.creatorPicture),
    title: row.title,
    desc: row.description,
    time: row.time,
    price: pesos(row.priceCentavos),
    cover: presentPicture(row.cover),
    terms: row.terms,
    earned: row.earnedCentavos === null ? null : pesos(row.earnedCentavos),
    createdAt: row.createdAt.toISOString(),
  };
}
