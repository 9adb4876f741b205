import { PlanWords } from '@tara/contract/plans';
import * as z from 'zod/mini';

/** The form of a plan: its words, its cover once stored, and the terms of Tara (§5). */
export const PlanForm = z.extend(PlanWords, {
  imageId: z.string().check(z.minLength(1, 'Please add a cover photo.')),
  accepted: z.boolean().check(z.refine((ticked) => ticked, 'Please accept the terms and conditions.')),
});
export type PlanFormIn = z.input<typeof PlanForm>;
export type PlanFormOut = z.output<typeof PlanForm>;

export const blankPlan = {
  title: '',
  desc: '',
  time: '',
  price: '',
  terms: '',
  imageId: '',
  accepted: false,
};
