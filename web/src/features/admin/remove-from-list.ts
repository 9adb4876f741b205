import type { InfiniteData } from '@tanstack/react-query';
import type { Call } from '@tara/contract/calls';
import type { PageOf } from '@tara/contract/page';
import { queryClient } from '../../lib/queries.ts';

/** Takes a processed row off an admin's list, whatever came of it (§4, §8); asking the list again tells the truth. */
export function removeFromList(list: Call, id: string): void {
  queryClient.setQueriesData<InfiniteData<PageOf<{ id: string }>>>(
    { queryKey: [...list.key, { pages: true }] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
  );
}
