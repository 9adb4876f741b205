import type { Interaction } from '@tara/contract/interactions';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';
import { mayReadInteraction } from './policy.ts';
import { type InteractionRow, presentInteraction } from './present.ts';
import { findInteraction } from './select.ts';

type Reader = Pick<Viewer, 'accountId' | 'admin'>;

/** @throws Problem `interaction_not_found`, also for one that the viewer may not know of. */
export async function requireInteraction(
  database: Database,
  viewer: Reader,
  id: string,
): Promise<InteractionRow> {
  const row = await findInteraction(database, id);
  const readable =
    row &&
    mayReadInteraction(viewer, {
      clientAccountId: row.client.accountId,
      creatorAccountId: row.creator.accountId,
    });
  if (!readable) throw new Problem('interaction_not_found');
  return row;
}

/** One request as the viewer may see it. @throws Problem `interaction_not_found`. */
export async function readInteraction(database: Database, viewer: Reader, id: string): Promise<Interaction> {
  return presentInteraction(await requireInteraction(database, viewer, id), viewer.accountId);
}
