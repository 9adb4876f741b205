import type { Interaction, InteractionList } from '@tara/contract/interactions';
import { pageSize } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { and, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { type Cursor, pageOfRows, readCursor } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { type InteractionRow, presentInteraction } from './present.ts';
import { selectInteractions } from './select.ts';
import { interactions } from './tables.ts';

const asCreator = (profileId: string) => eq(interactions.creatorId, profileId);
const asClient = (profileId: string) => eq(interactions.clientId, profileId);
const notCancelled = isNull(interactions.cancelledAt);
const pending = and(isNull(interactions.acceptedAt), notCancelled);
const scheduled = and(isNotNull(interactions.acceptedAt), isNull(interactions.userSetDoneAt), notCancelled);
/** What is fulfilled (§4); and what was cancelled, since its money may still be on the way back. */
const past = or(isNotNull(interactions.userSetDoneAt), isNotNull(interactions.cancelledAt));

/** What each list holds, one row per index that serves it. */
const arms: Record<InteractionList, (profileId: string) => (SQL | undefined)[]> = {
  friendRequest: (id) => [and(asCreator(id), pending)],
  yourRequest: (id) => [and(asClient(id), pending)],
  earn: (id) => [and(asCreator(id), scheduled)],
  expense: (id) => [and(asClient(id), scheduled)],
  history: (id) => [and(asCreator(id), past), and(asClient(id), past)],
};

const newestFirst = [desc(interactions.updatedAt), desc(interactions.id)];
const after = (cursor: Cursor | null) =>
  cursor
    ? sql`(${interactions.updatedAt}, ${interactions.id}) < (${cursor.at.toISOString()}::timestamptz, ${cursor.id})`
    : undefined;
const place = (row: InteractionRow): Cursor => ({ at: row.request.updatedAt, id: row.request.id });

/** One list of the viewer's requests, newest change first, 10 a page. */
export async function interactionList(
  database: Database,
  viewer: Viewer,
  list: InteractionList,
  cursor: string | undefined,
): Promise<PageOf<Interaction>> {
  const rows = await listed(database, [list], viewer.profileId, readCursor(cursor)).limit(
    pageSize.interactions + 1,
  );
  return pageOfRows(rows, pageSize.interactions, (row) => presentInteraction(row, viewer.accountId), place);
}

/** The lists of what is neither fulfilled nor cancelled, by the viewer's side of the request. */
const managed = ['friendRequest', 'yourRequest', 'earn', 'expense'] as const;
type Managed = (typeof managed)[number];

function managedList({ request }: InteractionRow, profileId: string): Managed {
  if (request.creatorId === profileId) return request.acceptedAt ? 'earn' : 'friendRequest';
  return request.acceptedAt ? 'expense' : 'yourRequest';
}

/** The first page of each list of Plan Manager, in one statement. */
export async function manager(
  database: Database,
  viewer: Viewer,
): Promise<Record<Managed, PageOf<Interaction>>> {
  const rows = await listed(database, managed, viewer.profileId, null);
  const page = (list: Managed) =>
    pageOfRows(
      rows.filter((row) => managedList(row, viewer.profileId) === list),
      pageSize.interactions,
      (row) => presentInteraction(row, viewer.accountId),
      place,
    );
  return {
    friendRequest: page('friendRequest'),
    yourRequest: page('yourRequest'),
    earn: page('earn'),
    expense: page('expense'),
  };
}

/** Each arm is cut to one page by its index before anything is joined. */
function listed(
  database: Database,
  lists: readonly InteractionList[],
  profileId: string,
  cursor: Cursor | null,
) {
  const [first, second, ...others] = lists.flatMap((list) =>
    arms[list](profileId).map((condition) =>
      database
        .select({ id: interactions.id })
        .from(interactions)
        .where(and(condition, after(cursor)))
        .orderBy(...newestFirst)
        .limit(pageSize.interactions + 1),
    ),
  );
  if (!first) throw new Error('no list was asked for');
  return selectInteractions(database)
    .where(inArray(interactions.id, second ? unionAll(first, second, ...others) : first))
    .orderBy(...newestFirst);
}
