import * as z from 'zod/mini';
import { calls, get, post } from './calls.ts';
import { Id, Picture, Rating, Time, text, tooLong } from './fields.ts';
import { planLength, price } from './limits.ts';
import { Page, pageOf } from './page.ts';
import { adultVerdict, type OwnProfile, Person } from './profiles.ts';

export const Plan = z.object({
  id: z.string(),
  creator: Person,
  title: z.string(),
  desc: z.string(),
  /** Free text such as '6-9 pm' (§1). */
  time: z.string(),
  /** Pesos. */
  price: z.number(),
  cover: Picture,
  terms: z.string(),
  /** Pesos paid out or owed and confirmed; null is shown as 'new' (decisions §1). */
  earned: z.nullable(z.number()),
  rating: Rating,
  createdAt: Time,
});
export type Plan = z.infer<typeof Plan>;

/** A decimal number: no `0x64`, no `1e3`, no `Infinity`. */
const decimal = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/;

/** Anything that is not a number counts as 0 (§5); at most two decimals. */
const Price = z
  .pipe(
    z.transform((value: unknown) => {
      if (typeof value === 'string') return decimal.test(value) ? Number(value) : 0;
      return typeof value === 'number' && !Number.isNaN(value) ? value : 0;
    }),
    z.number(),
  )
  .check(
    z.refine((pesos) => pesos >= 0, 'The price cannot be negative.'),
    z.refine(
      (pesos) => Math.abs(pesos * 100 - Math.round(pesos * 100)) < 1e-6,
      'The price has at most two decimals.',
    ),
    z.refine(
      (pesos) => pesos === 0 || centavos(pesos) >= price.minimumCentavos,
      'The price must be at least ₱100.00, or 0 for a free plan.',
    ),
    z.refine((pesos) => centavos(pesos) <= price.maximumCentavos, 'The price must be at most ₱9,999,999.99.'),
  );

/** Who may publish a plan (§4, §5): a verified adult below the limit. The server's update statement checks the same. */
export const planCan = {
  create: ({
    verified,
    bDay,
    totalPlan,
    limitedPlan,
  }: Pick<OwnProfile, 'verified' | 'bDay' | 'totalPlan' | 'limitedPlan'>):
    | true
    | Exclude<ReturnType<typeof adultVerdict>, true>
    | 'plan_creator_unverified'
    | 'plan_limit_reached' => {
    if (verified !== true) return 'plan_creator_unverified';
    const isAdult = adultVerdict(bDay);
    if (isAdult !== true) return isAdult;
    return totalPlan < limitedPlan ? true : 'plan_limit_reached';
  },
} as const;

/** Converts pesos to whole centavos, the unit in which money is stored and moved. */
export const centavos = (pesos: number) => Math.round(pesos * 100);
export const pesos = (wholeCentavos: number) => wholeCentavos / 100;

const fields = {
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Please give the plan a title.'),
      z.maxLength(planLength.title, tooLong(planLength.title)),
    ),
  desc: text(planLength.desc),
  time: text(planLength.time),
  price: Price,
  terms: z
    .string()
    .check(
      z.trim(),
      z.minLength(planLength.terms.min, `Terms must be at least ${planLength.terms.min} characters.`),
      z.maxLength(planLength.terms.max, `Terms must be at most ${planLength.terms.max} characters.`),
    ),
};

/** The fields of the plan form beside its cover (§5). */
export const PlanFormFields = z.strictObject(fields);
export const NewPlan = z.strictObject({ ...fields, imageId: Id });
export type NewPlan = z.infer<typeof NewPlan>;

/** A plan with the facts that decide what the viewer may do with it; the button shows the reason when it is disabled. */
export const PlanDetail = z.object({
  plan: Plan,
  isCreator: z.boolean(),
  viewerVerified: z.boolean(),
  /** The viewer's open request for the plan, if any; a member has at most one per plan (decisions §1). */
  openInteractionId: z.nullable(z.string()),
});
export type PlanDetail = z.infer<typeof PlanDetail>;

const PlanId = z.object({ id: Id });

export const plans = calls('/api/plan', {
  create: post('/create', {
    summary: 'Publishes a plan; for verified members of 18 years and older, below their plan limit.',
    body: NewPlan,
    reply: Plan,
    errors: [
      'plan_creator_unverified',
      'plan_birth_date_missing',
      'plan_under_age',
      'plan_limit_reached',
      'storage_file_not_found',
    ],
  }),
  byCreator: get('/by/:id', {
    summary: 'One member’s plans, newest first, 10 a page.',
    params: PlanId,
    query: Page,
    reply: pageOf(Plan),
    errors: ['profile_not_found'],
  }),
  get: get('/one/:id', {
    summary: 'One plan, and what the viewer may do with it.',
    params: PlanId,
    reply: PlanDetail,
    errors: ['plan_not_found'],
  }),
});
