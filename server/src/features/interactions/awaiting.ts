import type { Interaction } from '@tara/contract/interactions';
import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { steps } from '@tara/contract/stages';
import { and, inArray } from 'drizzle-orm';
import { keyset, presentPage, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { presentInteraction } from './present.ts';
import { selectInteractions } from './select.ts';
import { interactions } from './tables.ts';

/** Fulfilled requests that wait for an admin, oldest first, 20 a page (§7). */
export async function awaitingPlans(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<Interaction>> {
  const { where, orderBy } = keyset(interactions.userSetDoneAt, interactions.id, readCursor(cursor), 'asc');
  const rows = await selectInteractions(database)
    .where(and(inArray(interactions.stage, [...steps.confirm.from]), where))
    .orderBy(...orderBy)
    .limit(pageSize.admin + 1);
  return presentPage(
    rows,
    pageSize.admin,
    (row) => presentInteraction(row, viewer.accountId),
    ({ request }) => ({ at: request.userSetDoneAt ?? request.updatedAt, id: request.id }),
  );
}
