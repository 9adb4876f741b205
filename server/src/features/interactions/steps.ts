import { type Interaction, interactionCan, partyOf } from '@tara/contract/interactions';
import { type Party, type Step, type StepName, steps } from '@tara/contract/stages';
import { and, eq, exists, inArray, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { tasks } from '../../platform/tasks.ts';
import { notify } from '../notices/index.ts';
import { befriend } from '../profiles/index.ts';
import { announceInteraction } from './announce.ts';
import { presentInteraction } from './present.ts';
import { requireInteraction } from './read.ts';
import { interactionLinks, interactions } from './tables.ts';

const isParty: Record<Party, (viewer: Pick<Viewer, 'profileId'>) => SQL | undefined> = {
  client: (viewer) => eq(interactions.clientId, viewer.profileId),
  creator: (viewer) => eq(interactions.creatorId, viewer.profileId),
  other: (viewer) =>
    and(ne(interactions.clientId, viewer.profileId), ne(interactions.creatorId, viewer.profileId)),
};

const hasReceipt = exists(
  sql`(select from ${interactionLinks} where ${interactionLinks.interactionId} = ${interactions.id}
    and ${interactionLinks.receiptId} is not null)`,
);

const flags = {
  cardDown: eq(interactions.cardDown, true),
  reviewSubmitted: eq(interactions.reviewSubmitted, true),
  haveConvoReceipt: hasReceipt,
};

/** A step's row of the state table (contract/src/stages.ts) as a condition: who, from which stages, with which flag. */
export function stepCondition(name: StepName, viewer: Pick<Viewer, 'profileId'>): SQL | undefined {
  const step: Step = steps[name];
  const flag = step.flag && (step.flag.value ? flags[step.flag.name] : not(flags[step.flag.name]));
  return and(
    or(...step.by.map((party) => isParty[party](viewer))),
    inArray(interactions.stage, [...step.from]),
    flag,
  );
}

/** What a step of the two parties changes. Who may take it and when stands in the state table. */
export interface Transition {
  step: StepName;
  set: (viewer: Viewer) => PgUpdateSetSource<typeof interactions>;
  /** What belongs to the same transaction. */
  also?: (transaction: Transaction, changed: typeof interactions.$inferSelect) => Promise<void>;
}

/** The creator accepts, and the two become friends of each other (decisions §1, 'friend list'). */
export const accept: Transition = {
  step: 'accept',
  set: () => ({ acceptedAt: sql`now()` }),
  also: async (transaction, { id, creatorId, clientId }) => {
    await befriend(transaction, creatorId, clientId);
    await notify(transaction, { event: 'accepted', interactionId: id, to: ['client'] });
  },
};

/** Either party cancels what is not paid; its payment link is closed by a job. */
export const cancel: Transition = {
  step: 'cancel',
  set: (viewer) => ({ cancelledAt: sql`now()`, cancelledBy: viewer.profileId }),
  also: async (transaction, { id, clientId, cancelledBy }) => {
    await tasks.archivePaymentLink.enqueue(transaction, { interactionId: id });
    const to = cancelledBy === clientId ? 'creator' : 'client';
    await notify(transaction, { event: 'cancelled', interactionId: id, to: [to] });
  },
};

/** The client says 'Plan is fulfilled' (§4). */
export const fulfil: Transition = {
  step: 'fulfil',
  set: () => ({ userSetDoneAt: sql`now()` }),
  also: async (transaction, { id }) => {
    await notify(transaction, { event: 'fulfilled', interactionId: id, to: ['creator'] });
  },
};

/** 'Put the card down' (§4). */
export const putCardDown: Transition = { step: 'putCardDown', set: () => ({ cardDown: true }) };

/**
 * Takes one step, if the stage allows it at the moment of the update: of two at once, one finds another stage.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason.
 */
export async function applyTransition(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  id: string,
  transition: Transition,
): Promise<Interaction> {
  const changed = await platform.database.transaction(async (database) => {
    const [row] = await database
      .update(interactions)
      .set({ ...transition.set(viewer), updatedAt: sql`now()` })
      .where(and(eq(interactions.id, id), stepCondition(transition.step, viewer)))
      .returning();
    if (row) await transition.also?.(database, row);
    return row;
  });
  if (!changed) throw await refusal(platform.database, viewer, id, transition.step);
  const row = await announceInteraction(platform, id);
  if (!row) throw new Problem('interaction_not_found');
  return presentInteraction(row, viewer.accountId);
}

async function refusal(database: Database, viewer: Viewer, id: string, step: StepName) {
  const state = presentInteraction(await requireInteraction(database, viewer, id), viewer.accountId);
  const verdict = interactionCan[step](state, partyOf(state, viewer.accountId));
  // `true` when the state came to allow it just after the update looked: then trying again is right.
  return new Problem('interaction_not_allowed', { text: verdict === true ? 'Please try again.' : verdict });
}
