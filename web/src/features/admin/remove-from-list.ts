import type { InfiniteData } from '@tanstack/react-query';
import type { Call } from '@tara/contract/calls';
import type { PageOf } from '@tara/contract/page';
import { invalidate, queryClient } from '../../lib/queries.ts';
import { firstCalls } from '../accounts/index.ts';

/**
 * Removes a processed row from an admin's list, also after a failure (§4, §8); a refetch of the list corrects it. The
 * navigation counts again.
 */
export function removeFromList(list: Call, id: string): void {
  void invalidate(firstCalls.workCounts);
  queryClient.setQueriesData<InfiniteData<PageOf<{ id: string }>>>(
    { queryKey: [...list.key, { pages: true }] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
  );
}
