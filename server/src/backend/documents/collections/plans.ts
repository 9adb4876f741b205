import { NewPlan, PlanChange, pesos as toPesos } from '@tara/contract/plans/plans';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import {
  closePlan,
  createPlan,
  planListedFor,
  planPhotos,
  planRequests,
  planVisibleTo,
  reopenPlan,
  plans as table,
  updatePlan,
} from '../../../features/plans/index.ts';
import { profiles } from '../../../features/profiles/index.ts';
import { newestHits } from '../../../platform/database/search.ts';
import { validate } from '../../../platform/http/validation.ts';
import { requireNotSuspended } from '../../../platform/http/viewer.ts';
import {
  type Attribute,
  attribute,
  type Collection,
  change,
  creation,
  type DocumentSource,
  derivedByServer,
  grants,
  type Relation,
  recordOf,
  related,
  texts,
} from '../collection.ts';
import { imageUrl, person } from './people.ts';

const creator = alias(profiles, 'creator');

type PlanTable = typeof table;

/** Whole centavos, which the wire has as pesos. */
export const pesos = (centavos: SQL): Attribute => ({
  ...attribute('number', sql`(${centavos} / 100.0)`),
  cells: [centavos],
  present: ([whole]) => (whole === null ? null : toPesos(Number(whole))),
});

/** What a plan says of itself. */
const offer = (plan: PlanTable) => ({
  title: attribute('string', plan.title),
  desc: attribute('string', plan.description),
  time: attribute('string', plan.time),
  durationMinutes: attribute('integer', plan.durationMinutes),
  place: attribute('string', plan.place),
  price: pesos(sql`${plan.priceCentavos}`),
  imageId: attribute('string', plan.imageId, { indexed: true }),
  /** The title's initials where its creator left. */
  imageCover: imageUrl(plan.imageId, plan.title),
  terms: attribute('string', plan.terms),
});

/** A plan inside a document, by the column with its id; null once it is removed or `hidden`. */
export function planRelation(column: Relation['column'], name: string, hidden = sql`false`): Relation {
  const plan = alias(table, name) as unknown as PlanTable;
  const source: DocumentSource = {
    collectionId: 'plans',
    ...recordOf(plan),
    parties: [],
    permissions: () => [grants.readByMembers],
    attributes: offer(plan),
  };
  const on = and(eq(plan.id, sql`${column}`), isNull(plan.removedAt), sql`not ${hidden}`);
  return related(column, source, on ?? sql`true`, { indexed: true });
}

const earnedCentavos = sql`(select sum(${planRequests.earnedCentavos}) from ${planRequests}
  where ${planRequests.planId} = ${table.id} and ${planRequests.adminSetDoneAt} is not null)`;

/** Plans that a search finds at most. */
const mostFound = 30;

const { planId: _planId, ...changeable } = PlanChange.shape;
/** What a change goes on from. */
const Shown = z.object(changeable);

/** Plans (§3). `closed` ends new requests. */
export const plans: Collection = {
  source: {
    collectionId: 'plans',
    ...recordOf(table),
    parties: [creator.accountId],
    permissions: ([owner = '']) => [grants.readByMembers, grants.updateBy(owner)],
    attributes: {
      creator: person(table.creatorId, 'creator', { indexed: true }),
      creatorId: attribute('string', table.creatorId, { indexed: true }),
      ...offer(table),
      title: attribute('string', table.title, {
        // The product's own search: the newest.
        search: (text, viewer) => {
          const condition = planListedFor(viewer);
          const hits = newestHits(table, { texts: [text], condition, before: null, size: mostFound });
          return sql`${table.number} in (select ${hits.number} from ${hits.table})`;
        },
      }),
      imageIds: texts(sql`(select json_agg(${planPhotos.imageId} order by ${planPhotos.position})
        from ${planPhotos} where ${planPhotos.planId} = ${table.id})`),
      closed: attribute('boolean', sql`(${table.closedAt} is not null)`, { indexed: true }),
      earned: { ...pesos(earnedCentavos), private: true },
    },
  },
  readable: { list: planListedFor, one: planVisibleTo },
  announced: true,
  create: creation({
    fields: z.strictObject({ ...NewPlan.shape, imageCover: derivedByServer }),
    sets: ({ profileId }) => ({ creator: profileId, creatorId: profileId, earned: null, closed: false }),
    run: async (context, viewer, { data: { imageCover: _imageCover, ...form }, documentId }) =>
      (await createPlan(context, viewer, form, documentId ?? undefined)).id,
    perMinute: 30,
  }),
  update: change({
    fields: z.strictObject({ ...changeable, closed: z.boolean(), imageCover: derivedByServer }).partial(),
    run: async (context, viewer, { data: { closed, imageCover: _imageCover, ...changed }, document }) => {
      const planId = document.$id;
      // Closing ends something; opening again does not.
      if (closed === false) requireNotSuspended(viewer);
      // What is not sent stays.
      if (Object.keys(changed).length > 0) {
        // A plan of before a rule of the form is told that rule, as by the form.
        const form = validate(Shown, 'data', { ...document, ...changed });
        await updatePlan(context, viewer, { ...form, planId });
      }
      if (closed !== undefined) await (closed ? closePlan : reopenPlan)(context, viewer, planId);
    },
    perMinute: 30,
    whileSuspended: ['closed'],
  }),
};
