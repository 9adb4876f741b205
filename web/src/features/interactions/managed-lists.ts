import type { InfiniteData } from '@tanstack/react-query';
import { type Interaction, interactions } from '@tara/contract/interactions';
import type { PageOf } from '@tara/contract/page';
import { call } from '../../lib/call.ts';
import { queryClient } from '../../lib/queries.ts';
import { listPages } from './keep-request.ts';

type Pages = InfiniteData<PageOf<Interaction>, string | null>;

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
