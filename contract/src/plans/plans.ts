import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Day, Id, Picture, queryNumber, Rating, Time, text, wholeNumber } from '../fields.ts';
import { photoIds, requiredText } from '../form-fields.ts';
import { planLength, planMinutes, planPhotoLimit, price, searchLength } from '../limits.ts';
import { adultVerdict, type OwnProfile, Person } from '../members/profiles.ts';
import { getPage, Page } from '../page.ts';

export const Plan = z.object({
  id: z.string(),
  creator: Person,
  title: z.string(),
  desc: z.string(),
  /** Free text such as '6-9 pm' (§1). */
  time: z.string(),
  durationMinutes: z.int(),
  /** Where it takes place, in the creator's words; may be empty. */
  place: z.string(),
  /** Pesos. */
  price: z.number(),
  cover: Picture,
  /** The photos beside the cover, in the creator's order. */
  photos: z.array(Picture),
  terms: z.string(),
  /** Pesos paid out or owed and confirmed; null is shown as 'new' (decisions §1). */
  earned: z.nullable(z.number()),
  rating: Rating,
  createdAt: Time,
  /** When its creator last changed it; null when they never did. */
  editedAt: z.nullable(Time),
  /** Since when it takes no new requests; null while it does. */
  closedAt: z.nullable(Time),
});
export type Plan = z.infer<typeof Plan>;

/** A decimal number: no `0x64`, no `1e3`, no `Infinity`. */
const decimal = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)\s*$/;

/** The rules of a price in pesos. */
const Pesos = z.number().check(
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

/** Anything that is not a number counts as 0 (§5); at most two decimals. */
const Price = z.pipe(
  z.transform((value: unknown) => {
    if (typeof value === 'string') return decimal.test(value) ? Number(value) : 0;
    return typeof value === 'number' && !Number.isNaN(value) ? value : 0;
  }),
  Pesos,
);

/** What the form has in place of a price when the plan is free. */
export const freePrice = 'free';

/**
 * The pesos of a written price: '1,000', '₱750.50', 'PHP 900', '500 pesos'. Null for anything else, such as
 * '1.000,50' or '1,5', of which two readings are possible.
 */
export function readPrice(text: string): number | null {
  const match = /^(?:₱|php|p)?\s*(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(\.\d{0,9})?\s*(?:₱|php|pesos?)?$/i.exec(
    text.trim(),
  );
  return match ? Number(`${match[1]?.replaceAll(',', '')}${match[2] ?? ''}`) : null;
}

/** The price of the form: nobody gives a plan away by a typing error (decisions §2). */
export const WrittenPrice = z.pipe(
  z.string().check(
    z.refine((text) => text.trim() !== '', {
      error: 'Please enter a price, or choose that the plan is free.',
      abort: true,
    }),
    z.refine((text) => text === freePrice || readPrice(text) !== null, {
      error: 'Please write a number, such as 1,000 or 750.50.',
      abort: true,
    }),
    z.refine((text) => text === freePrice || readPrice(text) !== 0, {
      error: 'A plan without a price is free: please choose that it is free.',
      abort: true,
    }),
    z.refine((text) => text === freePrice || centavos(readPrice(text) ?? 0) >= price.minimumCentavos, {
      error: 'The price must be at least ₱100.00.',
      abort: true,
    }),
  ),
  z.pipe(
    z.transform((text: string) => (text === freePrice ? 0 : (readPrice(text) ?? 0))),
    Pesos,
  ),
);

/** Who may do what with a plan. */
export const planCan = {
  /** Publish a plan (§4, §5): a verified adult below the limit, as the server's statement checks too. */
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
  /** Request a plan (§6): a verified adult, of a plan that takes requests. Whether its creator is booked is not part of it. */
  request: (
    client: Pick<OwnProfile, 'id' | 'verified' | 'bDay'>,
    plan: { creator: Pick<Person, 'id' | 'verified'>; closedAt: string | Date | null },
  ):
    | true
    | Exclude<ReturnType<typeof adultVerdict>, true>
    | 'interaction_own_plan'
    | 'plan_creator_unverified'
    | 'plan_closed'
    | 'plan_paused' => {
    if (plan.creator.id === client.id) return 'interaction_own_plan';
    if (client.verified !== true) return 'plan_creator_unverified';
    const isAdult = adultVerdict(client.bDay);
    if (isAdult !== true) return isAdult;
    if (plan.closedAt !== null) return 'plan_closed';
    return plan.creator.verified === true ? true : 'plan_paused';
  },
  /** Edit, close and open again. */
  change: (profileId: string, plan: { creatorId: string }): true | 'user_unauthorized' =>
    plan.creatorId === profileId ? true : 'user_unauthorized',
} as const;

/** Converts pesos to whole centavos, the unit in which money is stored and moved. */
export const centavos = (pesos: number) => Math.round(pesos * 100);
export const pesos = (wholeCentavos: number) => wholeCentavos / 100;

const fields = {
  title: text(planLength.title).check(z.minLength(1, 'Please give the plan a title.')),
  desc: text(planLength.desc),
  time: text(planLength.time),
  durationMinutes: wholeNumber(planMinutes.min, planMinutes.max),
  place: text(planLength.place),
  price: Price,
  terms: requiredText('Terms', planLength.terms.min, planLength.terms.max),
};

const photos = photoIds(planPhotoLimit, 'photos beside the cover');

/** The fields of the plan form beside its photos (§5). */
export const PlanFormFields = z.strictObject(fields);
/** `imageId` is the cover, `imageIds` are the photos beside it in their order. */
export const NewPlan = z.strictObject({
  ...fields,
  durationMinutes: z._default(fields.durationMinutes, planMinutes.default),
  place: z._default(fields.place, ''),
  imageId: Id,
  imageIds: z._default(photos, []),
});
export type NewPlan = z.infer<typeof NewPlan>;
export const PlanChange = z.strictObject({ ...fields, imageId: Id, imageIds: photos, planId: Id });
export type PlanChange = z.infer<typeof PlanChange>;

/** A time that a request of a creator holds, and nothing else of that request. */
export const TakenTime = z.object({ from: Time, until: Time });
export type TakenTime = z.infer<typeof TakenTime>;

/** A review as the page of its plan shows it. */
export const PlanReview = z.object({
  id: z.string(),
  creator: Person,
  /** A whole number 0–10. */
  stars: z.int(),
  caption: z.string(),
  createdAt: Time,
});
export type PlanReview = z.infer<typeof PlanReview>;

/** A plan with the facts that decide what the viewer may do with it; the button shows the reason when it is disabled. */
export const PlanDetail = z.object({
  plan: Plan,
  /** The newest reviews of the plan. */
  reviews: z.array(PlanReview),
  /** The creator's taken times from now on, the next ones. */
  taken: z.array(TakenTime),
  /** Reviews about the creator, and the creator's meetings. */
  creatorRating: Rating,
  isCreator: z.boolean(),
  viewerVerified: z.boolean(),
  /** The viewer's open request for the plan, if any; a member has at most one per plan (decisions §1). */
  openInteractionId: z.nullable(z.string()),
});
export type PlanDetail = z.infer<typeof PlanDetail>;

const largestPrice = price.maximumCentavos / 100;

/** What Explore looks for among plans; all of it is optional. */
export const PlanFilter = z.extend(Page, {
  search: z.optional(text(searchLength)),
  place: z.optional(text(planLength.place)),
  /** Whole pesos. */
  minPrice: z.optional(queryNumber(0, Math.floor(largestPrice))),
  maxPrice: z.optional(queryNumber(0, Math.ceil(largestPrice))),
  /** A day on which the creator is not booked yet. */
  day: z.optional(Day),
});
export type PlanFilter = z.infer<typeof PlanFilter>;

const PlanId = z.object({ id: Id });
const OwnPlanId = z.strictObject({ planId: Id });

export const plans = calls('/api/plan', {
  create: post('/create', {
    summary: 'Publishes a plan; for verified members of 18 years and older, below their plan limit.',
    body: NewPlan,
    reply: Plan,
    errors: [
      'account_consent_missing',
      'plan_creator_unverified',
      'plan_birth_date_missing',
      'plan_under_age',
      'plan_limit_reached',
      'storage_file_not_found',
    ],
  }),
  update: post('/update', {
    summary:
      'Changes your own plan; the photos sent take the place of those before. Requests keep the title, price and terms they were sent with.',
    body: PlanChange,
    reply: Plan,
    errors: ['plan_not_found', 'user_unauthorized', 'storage_file_not_found'],
  }),
  close: post('/close', {
    summary:
      'Takes no new requests for your own plan; open ones go on. A plan that nobody ever requested no longer counts towards your limit. Repeating it changes nothing.',
    body: OwnPlanId,
    reply: Plan,
    errors: ['plan_not_found', 'user_unauthorized'],
    whileSuspended: true,
  }),
  reopen: post('/reopen', {
    summary:
      'Takes requests for your own plan again; a plan that nobody ever requested counts towards your limit again. Repeating it changes nothing.',
    body: OwnPlanId,
    reply: Plan,
    errors: [
      'plan_not_found',
      'user_unauthorized',
      'plan_creator_unverified',
      'plan_birth_date_missing',
      'plan_under_age',
      'plan_limit_reached',
      'plan_price_above_limit',
    ],
  }),
  search: getPage('/search', Plan, {
    summary:
      'Plans that take requests, newest first, 10 a page: with all words in title, place or description, the last one also as a beginning; with all words of `place` in their place; within a price range; of creators without a booking on a day.',
    query: PlanFilter,
  }),
  byCreator: getPage('/by/:id', Plan, {
    summary: 'One member’s plans, newest first, 10 a page; closed ones for their creator alone.',
    params: PlanId,
    errors: ['profile_not_found'],
  }),
  get: get('/one/:id', {
    summary: 'One plan, and what the viewer may do with it.',
    params: PlanId,
    reply: PlanDetail,
    errors: ['plan_not_found'],
  }),
});
