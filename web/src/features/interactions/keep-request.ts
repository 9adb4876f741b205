import type { InfiniteData } from '@tanstack/react-query';
import { type Interaction, InteractionList, interactions } from '@tara/contract/interactions';
import type { PageOf } from '@tara/contract/page';
import { call } from '../../lib/call.ts';
import { pagesOf, queryClient, setQueryDataOf } from '../../lib/queries.ts';
import { listOf } from './list-of.ts';

type Pages = InfiniteData<PageOf<Interaction>, string | null>;

/** The pages of one list of one's requests. Realtime and `useLiveRequests` keep them fresh. */
export const listPages = (list: InteractionList) => ({
  ...pagesOf(interactions.interactionList, { params: { list } }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A list's pages with a request taken in: replaced where it stands, else put first, for lists show the newest change. */
function withRequest(known: Pages, request: Interaction): Pages {
  const stands = known.pages.some(({ items }) => items.some(({ id }) => id === request.id));
  return {
    ...known,
    pages: known.pages.map((page, place) => {
      if (stands) return { ...page, items: page.items.map((one) => (one.id === request.id ? request : one)) };
      return place === 0 ? { ...page, items: [request, ...page.items] } : page;
    }),
  };
}

const withoutRequest = (known: Pages, id: string): Pages => ({
  ...known,
  pages: known.pages.map((page) => ({ ...page, items: page.items.filter((one) => one.id !== id) })),
});

/** Puts a request as it now is into every list on screen: it leaves the one it stood in and enters its own. */
export function keepRequest(request: Interaction, accountId: string): void {
  const own = listOf(request, accountId);
  setQueryDataOf(interactions.interaction, { params: { id: request.id } }, request);
  for (const list of InteractionList.options) {
    queryClient.setQueryData<Pages>(
      listPages(list).queryKey,
      (known) => known && (list === own ? withRequest(known, request) : withoutRequest(known, request.id)),
    );
  }
}

const managedLists = ['friendRequest', 'yourRequest', 'earn', 'expense'] as const;

/** Brings the lists of Plan Manager, unless they are here: their first pages in one request. */
export async function loadManagedLists(): Promise<void> {
  const known = managedLists.map((list) => queryClient.getQueryState(listPages(list).queryKey));
  if (known.some((state) => state?.data === undefined || state.isInvalidated)) await refreshManagedLists();
}

/** Reads the lists of Plan Manager anew, each as far as it was read. */
export async function refreshManagedLists(): Promise<void> {
  const first = await call(interactions.manager);
  for (const list of managedLists) {
    const pages = listPages(list);
    const known = queryClient.getQueryData<Pages>(pages.queryKey);
    // Further pages hang on the cursor of the first.
    if (known && known.pages.length > 1) void queryClient.refetchQueries({ queryKey: pages.queryKey });
    else queryClient.setQueryData<Pages>(pages.queryKey, { pages: [first[list]], pageParams: [null] });
  }
}
