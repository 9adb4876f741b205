import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import {
  Interaction,
  InteractionList,
  interactions,
  partyOf,
} from '@tara/contract/interactions/interactions';
import { listOf, managerLists } from '@tara/contract/interactions/stages';
import type { PageOf } from '@tara/contract/page';
import { channel } from '@tara/contract/wire/realtime';
import { changeQueries, pagesOf, queryClient, queryOf, setQueryData } from '../../lib/queries.ts';
import { useRealtime } from '../../lib/realtime.ts';
import { useRefreshAt } from '../../lib/refresh.ts';
import { useSession } from '../accounts/index.ts';

type Pages = InfiniteData<PageOf<Interaction>, string | null>;

/** The pages of one list of the viewer's requests. Realtime events and `useLiveRequests` update them. */
export const listPages = (list: InteractionList) => ({
  ...pagesOf(interactions.interactionList, { params: { list } }),
  staleTime: Number.POSITIVE_INFINITY,
});

const isOlder = (request: Interaction, than: Interaction | undefined) =>
  than !== undefined && request.updatedAt < than.updatedAt;

/** Replaces a request in the pages of its list, or inserts it first: lists are sorted by the latest change. */
function withRequest(data: Pages, request: Interaction): Pages {
  const isListed = data.pages.some(({ items }) => items.some(({ id }) => id === request.id));
  return {
    ...data,
    pages: data.pages.map((page, index) => {
      if (isListed)
        return {
          ...page,
          items: page.items.map((item) =>
            item.id === request.id && !isOlder(request, item) ? request : item,
          ),
        };
      return index === 0 ? { ...page, items: [request, ...page.items] } : page;
    }),
  };
}

const withoutRequest = (data: Pages, id: string): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
});

/** What changed while Plan Manager's lists are fetched, by the id of the request. */
type Changes = Map<string, () => void>;
const fetches = new Set<Changes>();

/**
 * Updates a request in the cache: it is removed from the list it was in and added to the list of its stage. One that is older
 * than the cached one changes nothing: a reply may arrive after the event of a later change.
 */
export function upsertInteraction(request: Interaction, accountId: string): void {
  const where = { params: { id: request.id } };
  const record = queryOf(interactions.interaction, where).queryKey;
  if (isOlder(request, queryClient.getQueryData(record))) return;
  for (const changes of fetches) changes.set(request.id, () => upsertInteraction(request, accountId));
  setQueryData(interactions.interaction, where, request);
  const findQueries = (queryKey: QueryKey) => queryClient.getQueryCache().findAll({ queryKey, exact: true });
  changeQueries(findQueries(record), () =>
    queryClient.setQueryData(record, (cached) => (isOlder(request, cached) ? cached : request)),
  );
  const ownList = listOf(request.stage, partyOf(request, accountId));
  for (const list of InteractionList.options) {
    const pages = listPages(list).queryKey;
    changeQueries(findQueries(pages), () =>
      queryClient.setQueryData<Pages>(
        pages,
        (data) => data && (list === ownList ? withRequest(data, request) : withoutRequest(data, request.id)),
      ),
    );
  }
}

/** Fetches the first pages of Plan Manager's lists in one request, unless they are cached. */
export async function loadManagerLists(): Promise<void> {
  const states = managerLists.map((list) => queryClient.getQueryState(listPages(list).queryKey));
  if (states.some((state) => state?.data === undefined || state.isInvalidated)) await refreshManagerLists();
}

/** Fetches Plan Manager's lists again; a list with several pages refetches all of them. */
export async function refreshManagerLists(): Promise<void> {
  const changes: Changes = new Map();
  fetches.add(changes);
  const first = await queryClient
    .fetchQuery({ ...queryOf(interactions.manager), staleTime: 0 })
    .finally(() => fetches.delete(changes));
  for (const list of managerLists) {
    const pages = listPages(list);
    const data = queryClient.getQueryData<Pages>(pages.queryKey);
    // The cursors of later pages depend on the first page.
    if (data && data.pages.length > 1) void queryClient.refetchQueries({ queryKey: pages.queryKey });
    else queryClient.setQueryData<Pages>(pages.queryKey, { pages: [first[list]], pageParams: [null] });
  }
  for (const repeat of changes.values()) repeat();
}

/** Updates the lists with the other party's changes: the server sends each of the viewer's requests on the collection's
 * channel. `refresh` fetches what was missed, and what changes with the time.
 */
export function useLiveRequests(requests: readonly Interaction[], refresh: () => Promise<unknown>): void {
  const { account } = useSession();
  useRefreshAt(
    requests.map(({ changesAt }) => changesAt),
    refresh,
  );
  useRealtime(
    [channel.collection('planInteractions')],
    ({ payload }) => {
      const changed = Interaction.safeParse(payload);
      if (changed.success) upsertInteraction(changed.data, account.id);
    },
    // The data on screen stays; the next catch-up refreshes it.
    () => void refresh().catch(() => undefined),
  );
}
