import { type Interaction, interactionCan, partyOf } from '@tara/contract/interactions';
import type { StepName } from '@tara/contract/stages';
import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import { announceInteraction } from './announce.ts';
import { presentInteraction } from './present.ts';
import { requireInteraction } from './read.ts';
import { stepCondition, type Transition } from './steps.ts';
import { interactions } from './tables.ts';

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
