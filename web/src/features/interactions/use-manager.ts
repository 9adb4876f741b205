import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Interaction, interactions } from '@tara/contract/interactions';
import type { PageOf } from '@tara/contract/page';
import { call } from '../../lib/call.ts';
import { queryClient, queryOf } from '../../lib/queries.ts';
import { listPages } from './keep-request.ts';
import { useLiveRequests } from './use-live-requests.ts';

type Pages = InfiniteData<PageOf<Interaction>, string | null>;

const managed = ['friendRequest', 'yourRequest', 'earn', 'expense'] as const;
type Managed = (typeof managed)[number];

/** The first pages of all four lists in one request, each put where its list keeps its pages. */
const managerQuery = {
  ...queryOf(interactions.manager),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const first = await call(interactions.manager, { signal });
    for (const list of managed) {
      const pages = listPages(list);
      const known = queryClient.getQueryData<Pages>(pages.queryKey);
      // Further pages hang on the cursor of the first: then the list is fetched as far as it was read.
      if (known && known.pages.length > 1)
        void queryClient.fetchInfiniteQuery({ ...pages, pages: known.pages.length, staleTime: 0 });
      else queryClient.setQueryData<Pages>(pages.queryKey, { pages: [first[list]], pageParams: [null] });
    }
    return first;
  },
  // Coming back shows what is known at once and asks what is new.
  staleTime: 0,
};

/** Only what hangs below the first page is fetched by the list itself. */
const useList = (list: Managed) => useInfiniteQuery({ ...listPages(list), enabled: false });
export type ManagedList = ReturnType<typeof useList>;

/** The lists of Plan Manager (§2), live. */
export function useManager() {
  const first = useQuery(managerQuery);
  const lists = {
    friendRequest: useList('friendRequest'),
    yourRequest: useList('yourRequest'),
    earn: useList('earn'),
    expense: useList('expense'),
  };
  useLiveRequests(() => void first.refetch());
  return { first, lists };
}
