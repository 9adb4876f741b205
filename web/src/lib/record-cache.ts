import type { InfiniteData, Query, QueryCacheNotifyEvent } from '@tanstack/react-query';
import type { Call, Schema } from '@tara/contract/calls';
import type { PageOf } from '@tara/contract/page';
import type * as z from 'zod/mini';
import { changeQueries, queryClient } from './queries.ts';
import type { RealtimeEvent } from './realtime.ts';

type Results<Item> = { items: Item[] };

/** A call that replies a record, a page of them, or the results of a search. */
type RecordCall<Item> = Call<Schema, Schema, Schema, z.core.$ZodType<Item | Results<Item>>>;

/** The cached records of all these calls: as a single record, in pages of a list, or in search results. */
export function recordCache<Item extends { id: string; liked?: boolean; totalLikes?: number }>(
  ...calls: readonly [RecordCall<Item>, ...RecordCall<Item>[]]
) {
  type Pages = InfiniteData<PageOf<Item>>;
  type Cached = Item | Pages | Results<Item>;
  type Change = (item: Item) => Item | null;
  const findQueries = () =>
    calls.flatMap(({ key }) => queryClient.getQueryCache().findAll({ queryKey: key }));
  const dataOf = (query: Query) => query.state.data as Cached | undefined;

  /** Applies a change to the records in `data`; null removes one. Returns the same object if nothing changed. */
  const withChange = (data: Cached, change: Change): Cached => {
    let isChanged = false;
    const changeItems = <List extends Results<Item>>(list: List): List => {
      const items = list.items.flatMap((item) => {
        const next = change(item);
        isChanged ||= next !== item;
        return next ?? [];
      });
      return { ...list, items };
    };
    if ('items' in data) {
      const results = changeItems(data);
      return isChanged ? results : data;
    }
    if (!('pages' in data)) return change(data) ?? data;
    const pages = data.pages.map(changeItems);
    return isChanged ? { ...data, pages } : data;
  };
  const itemsIn = (data: Cached): Item[] => {
    if ('pages' in data) return data.pages.flatMap(({ items }) => items);
    return 'items' in data ? data.items : [data];
  };
  const updateQuery = (query: Query, change: Change) => {
    const data = dataOf(query);
    if (!data) return;
    const next = withChange(data, change);
    if (next !== data)
      queryClient.setQueryData(query.queryKey, next, { updatedAt: query.state.dataUpdatedAt });
  };
  /** Changes records in all cached data. */
  const update = (change: Change): void =>
    changeQueries(findQueries(), (query) => updateQuery(query, change));
  const change = (id: string, part: Partial<Item>) =>
    update((item) => (item.id === id ? { ...item, ...part } : item));
  const remove = (id: string) => update((item) => (item.id === id ? null : item));

  /** Which records the viewer likes or not, as the server does not know it yet, by their ids. */
  let readLikes = (): ReadonlyMap<string, boolean> => new Map();
  const showLikesIn = (queries: readonly Query[]) => {
    const likes = readLikes();
    if (likes.size === 0) return;
    for (const query of queries)
      updateQuery(query, (item) => {
        const { liked, totalLikes = 0 } = item;
        const wanted = likes.get(item.id);
        if (liked === undefined || wanted === undefined || liked === wanted) return item;
        return { ...item, liked: wanted, totalLikes: Math.max(0, totalLikes + (wanted ? 1 : -1)) };
      });
  };

  return {
    /** Changes fields of a record wherever it is cached. */
    change,
    /** Takes a deleted record out of all cached data. */
    remove,
    /** Shows likes that the server does not know yet in all data that arrives; returns what shows them when they changed. */
    showLikes(read: typeof readLikes): () => void {
      readLikes = read;
      queryClient.getQueryCache().subscribe((event) => {
        const { queryKey } = event.query;
        const isOurs = calls.some(({ key }) => key.every((part, index) => part === queryKey[index]));
        if (isOurs && bringsData(event)) showLikesIn([event.query]);
      });
      return () => showLikesIn(findQueries());
    },
    /**
     * Shows what an event of the collection deleted or changed; false for any other event.
     * @param schema of the fields that an event may change: those that are the same for all viewers.
     */
    receive(
      { events: [name = ''], payload }: RealtimeEvent,
      schema: { safeParse: (payload: unknown) => { data?: Partial<Item> | undefined } },
    ): boolean {
      const id = String(payload.id ?? payload.$id);
      if (name.endsWith('.delete')) remove(id);
      else if (name.endsWith('.update')) {
        const { totalLikes, ...others } = schema.safeParse(payload).data ?? {};
        // A like of the viewer that is under way is shown already; its reply has the new total.
        const isLiking = readLikes().has(id);
        change(
          id,
          (totalLikes === undefined || isLiking ? others : { ...others, totalLikes }) as Partial<Item>,
        );
      } else return false;
      return true;
    },
    /** A record from any cached list or its own page. */
    find(id: string): Item | undefined {
      for (const query of findQueries()) {
        const data = dataOf(query);
        const item = data && itemsIn(data).find((item) => item.id === id);
        if (item) return item;
      }
      return undefined;
    },
  };
}

/** Whether a query has new data: of the server, of a write, or stored by an earlier load. */
const bringsData = (event: QueryCacheNotifyEvent) =>
  event.type === 'added' || (event.type === 'updated' && ['success', 'setState'].includes(event.action.type));

/** Puts a new record first in a cached list, once. */
export const prepended =
  <Item extends { id: string }>(item: Item) =>
  (data: InfiniteData<PageOf<Item>> | undefined) => {
    const [first, ...rest] = data?.pages ?? [];
    if (!data || !first || first.items.some(({ id }) => id === item.id)) return data;
    return { ...data, pages: [{ ...first, items: [item, ...first.items] }, ...rest] };
  };
