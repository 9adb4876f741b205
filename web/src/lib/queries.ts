import {
  type InfiniteData,
  infiniteQueryOptions,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UseMutationOptions,
  type UseQueryOptions,
  type UseSuspenseInfiniteQueryOptions,
  type UseSuspenseQueryOptions,
  useMutation,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import type { Call } from '@tara/contract/calls';
import { queryGarbageCollection, retry } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { useMemo } from 'react';
import {
  type ArgsOf,
  type CallArgs,
  call,
  isAbort,
  isProblem,
  notFoundNotice,
  OfflineError,
  ProblemError,
  promptOf,
  type Reply,
  showErrorToast,
} from './call.ts';
import { readOrRestore } from './stored-replies.ts';

/** Retries server errors and lost connections only (§8): a refused request would be refused again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (error instanceof ProblemError && error.code < 500) return false;
  // The browser is offline: the error screen is shown at once and retries when the network is back.
  if (error instanceof OfflineError && !navigator.onLine) return false;
  return !isAbort(error) && failures < retry.times;
}

/** How long the server asked to wait before the next try. */
const requestedDelayMs = (error: unknown) =>
  error instanceof ProblemError ? error.retryAfterSeconds * 1_000 : 0;

const sessionEndListeners = new Set<() => void>();

/** Calls the listener when a query fails, or an outbox stops, because the session has ended. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
}

/** Calls those listeners: a call was refused because the session has ended. */
export function reportSessionEnd(): void {
  for (const listener of sessionEndListeners) listener();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (isProblem(error, 'general_unauthorized_scope')) reportSessionEnd();
    },
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      // Queries fail at once without a network, so that the screen can show it; 'online' would wait silently.
      networkMode: 'always',
      refetchOnReconnect: true,
      retryDelay: (failures, error) =>
        Math.min(Math.max(retry.firstDelayMs * 2 ** failures, requestedDelayMs(error)), retry.longestDelayMs),
      gcTime: queryGarbageCollection,
      // Data is fresh for 30 s: going back to a screen does not refetch it.
      staleTime: 30_000,
    },
  },
});

type Where = { params?: unknown; query?: unknown };

/** The query key: the call's key, then its arguments. A key matches all keys that extend it. */
function queryKey({ key }: Call, { params, query }: Where = {}, more: Record<string, unknown> = {}) {
  return [...key, { ...(params ? { params } : {}), ...(query ? { query } : {}), ...more }] as const;
}

interface ReadArgs extends Where {
  signal?: AbortSignal;
  isFresh?: true | undefined;
}

/**
 * The reply of a read for a query of its key. Where the server cannot be reached and the query has no data yet, the reply of
 * last time, unless it must be the server's of now.
 */
export function readReply<C extends Call>(
  endpoint: C,
  { signal, isFresh, ...where }: ReadArgs,
): Promise<Reply<C>> {
  const key = queryKey(endpoint, where);
  return readOrRestore(endpoint, key, {
    // The caller's arguments, with the query's abort signal.
    read: () => call(endpoint, ...([{ ...where, signal }] as unknown as ArgsOf<C>)),
    isNeeded: () => !isFresh && queryClient.getQueryData(key) === undefined,
  });
}

/** `useQuery(queryOf(posts.get, { params: { id } }))`. */
export function queryOf<C extends Call>(endpoint: C, ...[args]: ArgsOf<C>) {
  const where: Where = args ?? {};
  return queryOptions({
    queryKey: queryKey(endpoint, where),
    queryFn: ({ signal, meta }) => readReply(endpoint, { ...where, signal, isFresh: meta?.isFresh }),
  });
}

type ItemOf<C extends Call> = Reply<C> extends PageOf<infer Item> ? Item : never;

/** `useInfiniteQuery(pagesOf(posts.feed))`: each page by the cursor of the one before; `allItems(data)` flattens. */
export function pagesOf<C extends Call>(endpoint: C, ...[args]: ArgsOf<C>) {
  const where: Where = args ?? {};
  return infiniteQueryOptions({
    queryKey: queryKey(endpoint, where, { pages: true }),
    queryFn: ({ pageParam, signal, queryKey: key }): Promise<PageOf<ItemOf<C>>> => {
      const query = { ...(where.query ?? {}), ...(pageParam === null ? {} : { cursor: pageParam }) };
      const pageArgs = [{ ...args, query, signal }] as unknown as ArgsOf<C>;
      const read = () => call(endpoint, ...pageArgs) as Promise<PageOf<ItemOf<C>>>;
      // Of a list its first page is there without a network.
      if (pageParam !== null) return read();
      return readOrRestore(endpoint, key, {
        read,
        isNeeded: () => queryClient.getQueryData(key) === undefined,
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
}

/** Reads the data that the route's loader fetched; refetched in the background when stale. If the record was deleted
 * since then, throws for the not-found screen; any other error keeps the data.
 */
export function useLoaded<Data, Key extends QueryKey>(
  query: UseSuspenseQueryOptions<Data, Error, Data, Key>,
): Data {
  const { data, error } = useSuspenseQuery(query);
  if (notFoundNotice(error)) throw error;
  return data;
}

/** Reads what stands beside the main content of a screen: null until it is known, and where it cannot be read, because of the
 * network or because the record is gone. A loader that waits for it uses `queryClient.prefetchQuery`, which never fails.
 */
export function useOptional<Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
): Data | null {
  return useQuery(query).data ?? null;
}

/** As `useOptional`, where people are told that it could not be read: a form that is sent once, without what it would offer. */
export function useRetryable<Data, Key extends QueryKey>(query: UseQueryOptions<Data, Error, Data, Key>) {
  const { data = null, errorUpdateCount, isFetching, refetch } = useQuery(query);
  // Also while it is read again.
  return { data, hasFailed: errorUpdateCount > 0 && data === null, isFetching, retry: () => void refetch() };
}

/** Reads a list whose first page the route's loader fetched: the unique `items` of all pages so far, and the props that
 * `InfiniteList` needs to fetch the next page.
 */
export function useLoadedPages<Item extends { id: string }, Key extends QueryKey>(
  list: UseSuspenseInfiniteQueryOptions<PageOf<Item>, Error, InfiniteData<PageOf<Item>>, Key, string | null>,
  keyOf: (item: Item) => string = idOf,
) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useSuspenseInfiniteQuery(list);
  const items = useMemo(() => allItems(data, keyOf), [data, keyOf]);
  return {
    items,
    refetch,
    more: {
      hasMore: hasNextPage,
      pending: isFetchingNextPage,
      failed: isFetchNextPageError,
      loadMore: () => void fetchNextPage(),
    },
  };
}

const idOf = ({ id }: { id: string }) => id;

/** The unique items of all pages: an item that moved between two page requests is in both pages. */
export function allItems<Item extends { id: string }>(
  data: InfiniteData<PageOf<Item>> | undefined,
  keyOf: (item: Item) => string = idOf,
): Item[] {
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Invalidates the data of these calls and refetches what is on screen. */
export async function invalidate(...endpoint: Call[]): Promise<void> {
  await Promise.all(endpoint.map((endpoint) => queryClient.invalidateQueries({ queryKey: endpoint.key })));
}

/** Invalidates the data of a call without refetching what is on screen; the next screen refetches it. */
export function invalidateWithoutRefetch(endpoint: Call): void {
  void queryClient.invalidateQueries({ queryKey: endpoint.key, refetchType: 'none' });
}

/** Sets the cached data of `queryOf` with the same arguments. */
export function setQueryData<C extends Call>(endpoint: C, where: Where, reply: Reply<C>): void {
  queryClient.setQueryData(queryKey(endpoint, where), reply);
}

/**
 * Changes the data of cached queries now, and again when replies arrive that were under way: they may be older than the
 * change.
 */
export function changeQueries(queries: readonly Query[], change: (query: Query) => void): void {
  const inFlight = new Set(queries.filter((query) => query.state.fetchStatus === 'fetching'));
  for (const query of queries) change(query);
  if (inFlight.size === 0) return;
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (!inFlight.has(query) || (type === 'updated' && query.state.fetchStatus === 'fetching')) return;
    if (type !== 'updated' && type !== 'removed') return;
    inFlight.delete(query);
    if (inFlight.size === 0) stop();
    if (type === 'updated') change(query);
  });
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The reply must be the server's of now. */
      isFresh?: true;
    };
  }
}

type CallMutation<C extends Call> = Omit<UseMutationOptions<Reply<C>, unknown, CallArgs<C>>, 'mutationFn'> & {
  /** The lists and records that this changes. */
  invalidates?: Call[];
  /** Shows no toast for an error: `onError` handles it. */
  quiet?: boolean;
};

/**
 * A call that changes something: `const save = useCall(posts.save, { invalidates: [posts.feed] })`,
 * then `save.mutate({ body: { postId } })`. An error is shown in a toast unless `quiet`.
 */
export function useCall<C extends Call>(
  endpoint: C,
  { invalidates = [], quiet, ...options }: CallMutation<C>,
) {
  return useMutation({
    ...options,
    mutationFn: (args: CallArgs<C>) => call(endpoint, ...([args] as unknown as ArgsOf<C>)),
    onSuccess: async (...args) => {
      await options.onSuccess?.(...args);
      await invalidate(...invalidates);
    },
    onError: (...args) => {
      // The person closed the prompt: no error to show.
      if (promptOf(args[0])) return;
      if (!quiet) showErrorToast(args[0]);
      return options.onError?.(...args);
    },
  });
}
