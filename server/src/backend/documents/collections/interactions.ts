import { NewInteraction } from '@tara/contract/interactions/interactions';
import { sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import * as z from 'zod';
import {
  accept,
  applyTransition,
  createInteraction,
  fulfil,
  interactionLinks,
  interactionListedFor,
  interactionSides,
  interactionVisibleTo,
  needsNumberToPay,
  putCardDown,
  interactions as table,
} from '../../../features/interactions/index.ts';
import { cancelRequest } from '../../../features/payments/index.ts';
import { profiles } from '../../../features/profiles/index.ts';
import { hiddenMembers } from '../../../features/visibility/index.ts';
import {
  type Attribute,
  attribute,
  type Collection,
  change,
  creation,
  grants,
  recordOf,
} from '../collection.ts';
import { person } from './people.ts';
import { pesos, planRelation } from './plans.ts';

const client = alias(profiles, 'client');
const creator = alias(profiles, 'creator');

/** The account of a party, shown to members who are not hidden from it. */
const partyAccount = (column: PgColumn): Attribute => ({
  ...attribute('string', column, { indexed: true }),
  present: ([account], { viewer }) =>
    viewer?.hiddenAccountIds.includes(String(account)) === true ? null : account,
});

/** One of the two blocked the other: then a request shows the plan's title alone. */
const hidden = sql`exists (select from ${hiddenMembers}
  where ${hiddenMembers.viewerId} = ${table.clientId} and ${hiddenMembers.profileId} = ${table.creatorId})`;

/** A state of §4 is true once it is reached, and null before. */
const reached = (moment: PgColumn) =>
  attribute('boolean', sql`case when ${moment} is not null then true end`, { indexed: true });

const receiptId = sql<string | null>`(select ${interactionLinks.receiptId} from ${interactionLinks}
  where ${interactionLinks.interactionId} = ${table.id})`;

/** The page where it is paid: the client's alone, while there is something to pay and nothing to be said before. */
const checkoutUrl: Attribute = {
  type: 'string',
  column: null,
  cells: [
    table.checkoutUrl,
    table.paidAt,
    table.cancelledAt,
    table.priceCentavos,
    table.refundNumber,
    table.refundWindowDays,
    sql`coalesce(${table.dayStartsAt}, ${table.meetsAt})`,
    client.accountId,
  ],
  present: ([url, paidAt, cancelledAt, price, refundNumber, refundWindowDays, day, payer], { viewer }) => {
    if (viewer?.accountId !== payer || paidAt !== null || cancelledAt !== null) return null;
    const payable = { paidAt: null, cancelledAt: null, dayStartsAt: null };
    const isNumberMissing = needsNumberToPay({
      ...payable,
      priceCentavos: Number(price),
      refundNumber: refundNumber === null ? null : String(refundNumber),
      refundWindowDays: Number(refundWindowDays),
      meetsAt: day === null ? null : new Date(String(day)),
    });
    return isNumberMissing ? null : url;
  },
};

const step = z.literal(true, 'Can only be set to true.').optional();

/** The steps of §4 that a document's change can say, one at a time. */
const steps = z
  .strictObject({ accepted: step, userSetDone: step, cardDown: step, cancelled: step })
  .refine((data) => Object.keys(data).length <= 1, 'One step at a time.');

/** Requests (§3), for their two parties and for admins who confirm them. A change is one step of §4. */
export const planInteractions: Collection = {
  source: {
    collectionId: 'planInteractions',
    ...recordOf(table),
    parties: [client.accountId, creator.accountId],
    permissions: (parties) => [
      ...parties.map(grants.readBy),
      grants.readByAdmins,
      ...parties.map(grants.updateBy),
    ],
    attributes: {
      whoSentReq: person(table.clientId, 'client', { indexed: true }),
      creator: person(table.creatorId, 'creator', { indexed: true }),
      planId: attribute('string', table.planId, { indexed: true }),
      plan: planRelation(table.planId, 'plan', hidden),
      planTitle: attribute('string', table.planTitle),
      price: pesos(sql`${table.priceCentavos}`),
      paid: attribute('boolean', sql`(${table.paidAt} is not null)`, { indexed: true }),
      paymentId: attribute('string', table.paymentId),
      referenceNumber: attribute('string', table.referenceNumber),
      webhookId: attribute('string', table.webhookId),
      checkoutUrl,
      conversationReceipt: attribute(
        'string',
        sql`case when not (${hidden} and ${table.stage} in ('completed', 'cancelled')) then ${receiptId} end`,
      ),
      haveConvoReceipt: attribute('boolean', sql`(${receiptId} is not null)`),
      accepted: reached(table.acceptedAt),
      userSetDone: reached(table.userSetDoneAt),
      adminSetDone: reached(table.adminSetDoneAt),
      completed: reached(table.completedAt),
      cancelled: reached(table.cancelledAt),
      stage: attribute('string', table.stage, { indexed: true }),
      cardDown: attribute('boolean', table.cardDown, { indexed: true }),
      reviewSubmitted: attribute('boolean', table.reviewSubmitted, { indexed: true }),
      clientAccountId: partyAccount(client.accountId),
      creatorAccountId: partyAccount(creator.accountId),
      meetsAt: attribute('time', table.meetsAt),
      meetsUntil: attribute('time', table.meetsUntil),
      place: attribute('string', table.place),
    },
  },
  readable: { list: interactionListedFor, one: interactionVisibleTo, sides: interactionSides },
  announced: false,
  create: creation({
    fields: z.strictObject({
      planId: NewInteraction.shape.planId,
      meetsAt: NewInteraction.shape.meetsAt,
      place: NewInteraction.shape.place,
    }),
    sets: ({ profileId, accountId }, { planId }) => ({
      ...{ plan: planId, whoSentReq: profileId, clientAccountId: accountId },
      ...{ paid: false, paymentId: null, referenceNumber: null, webhookId: null, checkoutUrl: null },
      ...{ conversationReceipt: null, haveConvoReceipt: false, cardDown: false, reviewSubmitted: false },
      ...{ accepted: null, userSetDone: null, adminSetDone: null, completed: null, cancelled: null },
    }),
    relatedSets: async ({ planId }, read) => {
      const { creator, title, price } = await read('plans', planId);
      const { accountId } = Object(creator);
      // A free request counts as paid (decisions §1).
      return { creator, planTitle: title, price, creatorAccountId: accountId, paid: price === 0 };
    },
    run: async (context, viewer, { data, documentId }) =>
      (await createInteraction(context, viewer, data, documentId ?? undefined)).id,
    perMinute: 30,
  }),
  update: change({
    fields: steps,
    whileSuspended: ['userSetDone', 'cardDown', 'cancelled'],
    run: async (context, viewer, { data, document: { $id: id } }) => {
      if (data.accepted) await applyTransition(context, viewer, id, accept(context.config));
      if (data.userSetDone) await applyTransition(context, viewer, id, fulfil);
      if (data.cardDown) await applyTransition(context, viewer, id, putCardDown);
      if (data.cancelled) await cancelRequest(context, viewer, { interactionId: id, note: '' });
    },
    perMinute: 30,
  }),
};
