import { type Interaction, partyOf } from '@tara/contract/interactions/interactions';
import { endStep, type Party, type StepName } from '@tara/contract/interactions/stages';
import { type Step, steps } from '@tara/contract/interactions/steps';
import { shareDetails } from '@tara/contract/notifications/facts';
import { and, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { notify } from '../notifications/index.ts';
import { befriend } from '../profiles/index.ts';
import { agreedDay, closeProposals, type DayConfig, meetingDetails } from './days.ts';
import { flagCondition } from './flags.ts';
import { presentInteraction } from './present.ts';
import { announceFriendship, announceInteraction, findInteraction, readInteraction } from './read.ts';
import { interactions } from './tables.ts';

const partyConditions: Record<Party, (viewer: Pick<Viewer, 'profileId'>) => SQL | undefined> = {
  client: (viewer) => eq(interactions.clientId, viewer.profileId),
  creator: (viewer) => eq(interactions.creatorId, viewer.profileId),
  other: (viewer) =>
    and(ne(interactions.clientId, viewer.profileId), ne(interactions.creatorId, viewer.profileId)),
};

/** A step's row of the state table (contract/src/interactions/steps.ts) as a condition: who, from which stages, with which flag. */
export function stepCondition(name: StepName, viewer: Pick<Viewer, 'profileId'>): SQL | undefined {
  const step: Step = steps[name];
  return and(
    or(...step.by.map((party) => partyConditions[party](viewer))),
    inArray(interactions.stage, [...step.from]),
    ...(step.flags ?? []).map(({ name, value }) => flagCondition(name, value)),
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
  const request = presentInteraction(row, admin.accountId);
  if (partyOf(request, admin.accountId) !== 'other') return new Problem('admin_own_record');
  const verdict = request.can[stepOf(request)];
  return new Problem(type, verdict === true ? {} : { text: verdict });
}

/** Why a viewer may not take one of these steps. */
export async function refusal(database: Database, viewer: Viewer, id: string, names: readonly StepName[]) {
  const request = await readInteraction(database, viewer, id);
  const [only] = names;
  const party = partyOf(request, viewer.accountId);
  const step = names.length > 1 || only === undefined ? endStep(request.stage, party) : only;
  const verdict = request.can[step];
  // `true` when the state came to allow it just after the update looked: then trying again is right.
  return new Problem('interaction_not_allowed', { text: verdict === true ? 'Please try again.' : verdict });
}
