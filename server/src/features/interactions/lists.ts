import type { Interaction, InteractionList } from '@tara/contract/interactions/interactions';
import { interactionLists, listOf, type ManagerList, managerLists } from '@tara/contract/interactions/stages';
import { steps } from '@tara/contract/interactions/steps';
import { pageSize } from '@tara/contract/limits';
import type { AwaitingPlan } from '@tara/contract/money/confirmations';
import type { PageOf } from '@tara/contract/page';
import { and, eq, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { type Cursor, keyset, presentPage, readPage } from '../../platform/cursor.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { isOpen, isParty, partySides } from './conditions.ts';
import { presentInteraction, presentSteps } from './present.ts';
import { type InteractionRow, selectInteractionsById } from './read.ts';
import { interactions } from './tables.ts';

/** `interactionCan.read` as a condition. */
export const interactionVisibleTo = (viewer: Viewer): SQL | undefined =>
  viewer.admin ? undefined : isParty(viewer);

/** Waits to be confirmed; with the columns of its index. */
export const awaitsAdmin = (): SQL | undefined =>
  and(isNotNull(interactions.userSetDoneAt), isOpen(), inArray(interactions.stage, [...steps.confirm.from]));

/** One's own requests, and for an admin those that wait to be confirmed: a condition for each index. */
export const interactionSides = (viewer: Viewer): (SQL | undefined)[] => [
  ...partySides(viewer),
  ...(viewer.admin ? [awaitsAdmin()] : []),
];

/** The requests of any of these sides. */
export const interactionListedFor = (viewer: Viewer): SQL | undefined => or(...interactionSides(viewer));

/** The conditions of a list, one per index that serves it. */
const listConditions = (list: InteractionList, profileId: string): (SQL | undefined)[] =>
  interactionLists[list].side.map((side) =>
    and(
      eq(side === 'creator' ? interactions.creatorId : interactions.clientId, profileId),
      inArray(interactions.stage, [...interactionLists[list].stages]),
    ),
  );

const toCursor = (row: InteractionRow): Cursor => ({ at: row.request.updatedAt, id: row.request.id });

/** One list of the viewer's requests, newest change first, 10 a page. */
export async function interactionList(
  database: Database,
  viewer: Viewer,
  list: InteractionList,
  cursor: string | undefined,
): Promise<PageOf<Interaction>> {
  return readPage(cursor, {
    size: pageSize.interactions,
    read: ({ after, limit }) => listed(database, [list], viewer.profileId, after).limit(limit),
    present: (row) => presentInteraction(row, viewer.accountId),
    toCursor,
  });
}

/** The first page of each list of Plan Manager, in one statement. */
export async function manager(
  database: Database,
  viewer: Viewer,
): Promise<Record<ManagerList, PageOf<Interaction>>> {
  const rows = await listed(database, managerLists, viewer.profileId, null);
  const page = (list: ManagerList) =>
    presentPage(
      rows.filter(
        ({ request }) =>
          listOf(request.stage, request.creatorId === viewer.profileId ? 'creator' : 'client') === list,
      ),
      pageSize.interactions,
      (row) => presentInteraction(row, viewer.accountId),
      toCursor,
    );
  return {
    friendRequest: page('friendRequest'),
    yourRequest: page('yourRequest'),
    earn: page('earn'),
    expense: page('expense'),
  };
}

/** One page of each condition, by its index. */
function listed(
  database: Database,
  lists: readonly InteractionList[],
  profileId: string,
  cursor: Cursor | null,
) {
  const { where, orderBy } = keyset(interactions.updatedAt, interactions.id, cursor, 'desc');
  const [first, second, ...others] = lists.flatMap((list) =>
    listConditions(list, profileId).map((condition) =>
      database
        .select({ id: interactions.id })
        .from(interactions)
        .where(and(condition, where))
        .orderBy(...orderBy)
        .limit(pageSize.interactions + 1),
    ),
  );
  if (!first) throw new Error('no list was asked for');
  return selectInteractionsById(database, second ? unionAll(first, second, ...others) : first).orderBy(
    ...orderBy,
  );
}

/** Fulfilled requests that wait for an admin, oldest first, 20 a page (§7). */
export async function awaitingPlans(
  database: Database,
  viewer: Viewer,
  cursor: string | undefined,
): Promise<PageOf<AwaitingPlan>> {
  return readPage(cursor, {
    size: pageSize.admin,
    sortedBy: { time: interactions.userSetDoneAt, id: interactions.id, order: 'asc' },
    read({ where, orderBy, limit }) {
      const ids = database
        .select({ id: interactions.id })
        .from(interactions)
        .where(and(awaitsAdmin(), where))
        .orderBy(...orderBy)
        .limit(limit);
      return selectInteractionsById(database, ids).orderBy(...orderBy);
    },
    present: (row) => ({ ...presentInteraction(row, viewer.accountId), steps: presentSteps(row) }),
    toCursor: ({ request }) => ({ at: request.userSetDoneAt ?? request.updatedAt, id: request.id }),
  });
}
