import { type Interaction, partyOf } from '@tara/contract/interactions';
import { noAnswerDays, objectionHours } from '@tara/contract/limits';
import type { Party } from '@tara/contract/stages';
import { type Step, type StepFlag, type StepName, steps } from '@tara/contract/steps';
import { endStep } from '@tara/contract/verdicts';
import { and, eq, exists, inArray, isNotNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { notify, shareDetails } from '../notices/index.ts';
import { befriend } from '../profiles/index.ts';
import { agreedDay, closeProposals, type DayConfig, days, meetingDetails } from './days.ts';
import { interactionCan } from './policy.ts';
import { presentInteraction } from './present.ts';
import { announceFriendship, announceInteraction, findInteraction, requireInteraction } from './read.ts';
import { interactionLinks, interactions } from './tables.ts';

const partyConditions: Record<Party, (viewer: Pick<Viewer, 'profileId'>) => SQL | undefined> = {
  client: (viewer) => eq(interactions.clientId, viewer.profileId),
  creator: (viewer) => eq(interactions.creatorId, viewer.profileId),
  other: (viewer) =>
    and(ne(interactions.clientId, viewer.profileId), ne(interactions.creatorId, viewer.profileId)),
};

const hasReceipt = exists(
  sql`(select from ${interactionLinks} where ${interactionLinks.interactionId} = ${interactions.id}
    and ${interactionLinks.receiptId} is not null)`,
);

/** Each flag of the state table as a condition; `clockFlags` in present.ts says the same of a row. */
const flags: Record<StepFlag, SQL> = {
  timePassed: sql`coalesce(${interactions.meetsAt} <= now(), false)`,
  dayReached: sql`coalesce(${interactions.dayStartsAt} <= now(), false)`,
  weekPassed: sql`coalesce(${interactions.dayStartsAt} + ${days(noAnswerDays)} <= now(), false)`,
  withdrawable: sql`(${interactions.priceCentavos} = 0 or ${interactions.paidAt} is null
    or ${interactions.dayStartsAt} is null or ${interactions.dayStartsAt} > now())`,
  objectionOpen: sql`(${interactions.userSetDoneAt} is null
    or ${interactions.userSetDoneAt} + ${sql.raw(`interval '${objectionHours} hours'`)} > now())`,
  frozen: isNotNull(interactions.frozenAt),
  free: eq(interactions.priceCentavos, 0),
  creatorMet: isNotNull(interactions.creatorMetAt),
  cardDown: eq(interactions.cardDown, true),
  reviewSubmitted: eq(interactions.reviewSubmitted, true),
  haveConvoReceipt: hasReceipt,
};

/** A step's row of the state table (contract/src/steps.ts) as a condition: who, from which stages, with which flag. */
export function stepCondition(name: StepName, viewer: Pick<Viewer, 'profileId'>): SQL | undefined {
  const step: Step = steps[name];
  return and(
    or(...step.by.map((party) => partyConditions[party](viewer))),
    inArray(interactions.stage, [...step.from]),
    ...(step.flags ?? []).map(({ name, value }) => (value ? flags[name] : not(flags[name]))),
  );
}

/** What a step of the two parties changes. The state table says who may take it and when. */
export interface Transition {
  /** Several exclude each other by party and stage. */
  steps: readonly StepName[];
  set: (viewer: Viewer) => PgUpdateSetSource<typeof interactions>;
  /** What belongs to the same transaction. */
  also?: (transaction: Transaction, changed: typeof interactions.$inferSelect) => Promise<void>;
}

/** The creator accepts, and the two become friends of each other (decisions §1, 'friend list'). */
export const accept = (config: DayConfig): Transition => ({
  steps: ['accept'],
  set: () => ({ acceptedAt: sql`now()`, ...agreedDay(config, interactions.meetsAt) }),
  also: async (transaction, request) => {
    const { id, creatorId, clientId } = request;
    // The creator takes the standing day.
    await closeProposals(transaction, id);
    await befriend(transaction, creatorId, clientId);
    const details = meetingDetails(request);
    await notify(transaction, { event: 'accepted', interactionId: id, to: ['client'], details });
  },
});

/** The client says 'Plan is fulfilled' (§4). */
export const fulfil: Transition = {
  steps: ['fulfil'],
  set: () => ({ userSetDoneAt: sql`now()` }),
  also: async (transaction, { id, priceCentavos, platformFeeBasisPoints }) => {
    const details = shareDetails(priceCentavos, platformFeeBasisPoints);
    await notify(transaction, { event: 'fulfilled', interactionId: id, to: ['creator'], details });
  },
};

/** The creator says that they met; the client is asked to answer. */
export const sayMet: Transition = {
  steps: ['sayMet'],
  set: () => ({ creatorMetAt: sql`now()` }),
  also: async (transaction, { id }) => {
    await notify(transaction, { event: 'creatorMet', interactionId: id, to: ['client'] });
  },
};

/** 'Put the card down' (§4). */
export const putCardDown: Transition = { steps: ['putCardDown'], set: () => ({ cardDown: true }) };

/**
 * Takes one step, if the stage allows it at the moment of the update: of two at once, one finds another stage.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason, `interaction_time_taken` when the
 * creator is booked at that time.
 */
export async function applyTransition(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  id: string,
  transition: Transition,
): Promise<Interaction> {
  const changed = await whenBooked(platform.database, async (database) => {
    await lockCreator(database, eq(interactions.id, id));
    const [row] = await database
      .update(interactions)
      .set({ ...transition.set(viewer), updatedAt: sql`now()` })
      .where(and(eq(interactions.id, id), or(...transition.steps.map((name) => stepCondition(name, viewer)))))
      .returning();
    if (row) await transition.also?.(database, row);
    return row;
  });
  if (!changed) throw await refusal(platform.database, viewer, id, transition.steps);
  const row = await announceInteraction(platform, id);
  if (!row) throw new Problem('interaction_not_found');
  if (transition.steps.includes('accept')) announceFriendship(platform.bus, row);
  return presentInteraction(row, viewer.accountId);
}

/** @throws Problem `interaction_time_taken` in place of the constraint's error. */
export async function whenBooked<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(work);
  } catch (error) {
    if (violates(error, oneBooking)) throw new Problem('interaction_time_taken');
    throw error;
  }
}

/** The exclusion constraint of migration 0076. */
export const oneBooking = 'interactions_one_booking';

/**
 * Lets bookings of one creator follow each other: two that wait for each other inside the exclusion constraint would be a
 * deadlock. First in its transaction.
 */
export async function lockCreator(transaction: Transaction, which: SQL): Promise<void> {
  await transaction.execute(sql`
    select pg_advisory_xact_lock(hashtextextended(${interactions.creatorId}, 76)) from ${interactions} where ${which}`);
}

/** Why an admin may not take a step of a request: a problem of `type` where its state forbids it. */
export async function adminRefusal(
  database: Database,
  admin: Viewer,
  id: string,
  stepOf: (request: Interaction) => 'confirm' | 'refund' | 'decideDispute' | 'decideNoAnswer',
  type: 'plan_confirm_failed' | 'request_decision_not_possible',
): Promise<Problem> {
  const row = await findInteraction(database, id);
  if (!row) return new Problem('interaction_not_found');
  const request = presentInteraction(row, '');
  const party = partyOf(request, admin.accountId);
  if (party !== 'other') return new Problem('admin_own_record');
  const verdict = interactionCan[stepOf(request)](request, party);
  return new Problem(type, verdict === true ? {} : { text: verdict });
}

export async function refusal(database: Database, viewer: Viewer, id: string, names: readonly StepName[]) {
  const state = presentInteraction(await requireInteraction(database, viewer, id), viewer.accountId);
  const party = partyOf(state, viewer.accountId);
  const [only] = names;
  const step = names.length > 1 || only === undefined ? endStep(state, party) : only;
  const verdict = interactionCan[step](state, party);
  // `true` when the state came to allow it just after the update looked: then trying again is right.
  return new Problem('interaction_not_allowed', { text: verdict === true ? 'Please try again.' : verdict });
}
