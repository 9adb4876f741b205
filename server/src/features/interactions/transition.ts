import { type Interaction, interactionCan, partyOf } from '@tara/contract/interactions';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceInteraction } from './announce.ts';
import { presentInteraction } from './present.ts';
import { requireInteraction } from './read.ts';
import { interactions } from './tables.ts';

type Changed = typeof interactions.$inferSelect;

/** One step of the state machine: the row of `interactionCan`, and the same as SQL. */
export interface Transition {
  may: 'accept' | 'cancel' | 'fulfil' | 'putCardDown';
  /** The states that allow it, beside being open. */
  when: SQL | undefined;
  /** Who may do it. */
  by: (viewer: Viewer) => SQL | undefined;
  set: (viewer: Viewer) => PgUpdateSetSource<typeof interactions>;
  /** What belongs to the same transaction. */
  also?: (transaction: Transaction, changed: Changed) => Promise<void>;
}

/** Neither completed nor cancelled. */
const open = and(isNull(interactions.completedAt), isNull(interactions.cancelledAt));

/**
 * Takes one step, if the state allows it at the moment of the update: of two at once, one finds the state gone.
 * @throws Problem `interaction_not_found`, `interaction_not_allowed` with the reason.
 */
export async function take(
  platform: Pick<Platform, 'database' | 'bus'>,
  viewer: Viewer,
  id: string,
  step: Transition,
): Promise<Interaction> {
  const changed = await platform.database.transaction(async (transaction) => {
    const [row] = await transaction
      .update(interactions)
      .set({ ...step.set(viewer), updatedAt: sql`now()` })
      .where(and(eq(interactions.id, id), open, step.by(viewer), step.when))
      .returning();
    if (row) await step.also?.(transaction, row);
    return row;
  });
  if (!changed) throw await refusal(platform.database, viewer, id, step.may);
  const row = await announceInteraction(platform, id);
  if (!row) throw new Problem('interaction_not_found');
  return presentInteraction(row, viewer.accountId);
}

async function refusal(database: Database, viewer: Viewer, id: string, may: Transition['may']) {
  const state = presentInteraction(await requireInteraction(database, viewer, id), viewer.accountId);
  const verdict = interactionCan[may](state, partyOf(state, viewer.accountId));
  // `true` when the state came to allow it just after the update looked: then trying again is right.
  return new Problem('interaction_not_allowed', { text: verdict === true ? 'Please try again.' : verdict });
}
