import type { InfiniteData, Query } from '@tanstack/react-query';
import type { PageOf } from '@tara/contract/page';
import { queryClient } from './queries.ts';

/**
 * The cached records of one table of calls, wherever they stand: as a single record or in pages of a list.
 * @param path the table's path, the first part of the keys of its calls.
 * @param isRecord false for data of the table's other calls.
 */
export function recordCache<Item extends { id: string }>(
  path: string | undefined,
  isRecord: (query: Query) => boolean = () => true,
) {
  type Pages = InfiniteData<PageOf<Item>>;
  type Change = (item: Item) => Item | null;
  const findQueries = () => queryClient.getQueryCache().findAll({ queryKey: [path], predicate: isRecord });
  const dataOf = (query: Query) => query.state.data as Item | Pages | undefined;

  /** Applies a change to the records in `data`; null removes one. Returns the same object if nothing changed. */
  const withChange = (data: Item | Pages, change: Change): Item | Pages => {
    if (!('pages' in data)) return change(data) ?? data;
    let isChanged = false;
    const pages = data.pages.map((page) => {
      const items = page.items.flatMap((item) => {
        const next = change(item);
        isChanged ||= next !== item;
        return next ?? [];
      });
      return { ...page, items };
    });
    return isChanged ? { ...data, pages } : data;
  };
  const updateQuery = (query: Query, change: Change) => {
    const data = dataOf(query);
    if (!data) return;
    const next = withChange(data, change);
    if (next !== data)
      queryClient.setQueryData(query.queryKey, next, { updatedAt: query.state.dataUpdatedAt });
  };

  return {
    /** Changes records in all cached data. Responses that were already in flight may be older than the change, so it is
     * applied again when they arrive.
     */
    update(change: Change): void {
      const queries = findQueries();
      const inFlight = new Set(queries.filter((query) => query.state.fetchStatus === 'fetching'));
      for (const query of queries) updateQuery(query, change);
      if (inFlight.size === 0) return;
      const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
        if (!inFlight.has(query) || (type === 'updated' && query.state.fetchStatus === 'fetching')) return;
        if (type !== 'updated' && type !== 'removed') return;
        inFlight.delete(query);
        if (inFlight.size === 0) stop();
        if (type === 'updated') updateQuery(query, change);
      });
    },
    /** A record from any cached list or its own page. */
    find(id: string): Item | undefined {
      for (const query of findQueries()) {
        const data = dataOf(query);
        const item =
          data &&
          ('pages' in data ? data.pages.flatMap((page) => page.items).find((item) => item.id === id) : data);
        if (item?.id === id) return item;
      }
      return undefined;
    },
  };
}

/** Puts a new record first in a cached list, once. */
export const prepended =
  <Item extends { id: string }>(item: Item) =>
  (data: InfiniteData<PageOf<Item>> | undefined) => {
    const [first, ...rest] = data?.pages ?? [];
    if (!data || !first || first.items.some(({ id }) => id === item.id)) return data;
    return { ...data, pages: [{ ...first, items: [item, ...first.items] }, ...rest] };
  };
