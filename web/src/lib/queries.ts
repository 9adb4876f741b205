import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UseMutationOptions,
  type UseSuspenseInfiniteQueryOptions,
  type UseSuspenseQueryOptions,
  useMutation,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import type { Call } from '@tara/contract/calls';
import { queryGarbageCollection, retry } from '@tara/contract/limits';
import type { PageOf } from '@tara/contract/page';
import { useMemo } from 'react';
import { type ArgsOf, type CallArgs, call, type Reply } from './call.ts';
import { isAbort, isProblem, notFoundNotice, OfflineError, ProblemError, showErrorToast } from './failure.ts';

/** What the server refused it will refuse again; only its own trouble and a lost connection are retried (§8). */
function shouldRetry(failures: number, error: unknown): boolean {
  if (error instanceof ProblemError && error.code < 500) return false;
  // The browser knows that there is no network: the error screen says so, and goes on once it is back.
  if (error instanceof OfflineError && !navigator.onLine) return false;
  return !isAbort(error) && failures < retry.times;
}

const sessionEndListeners = new Set<() => void>();

/** Runs when any query learns that the session is over. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (isProblem(error, 'general_unauthorized_scope'))
        for (const listener of sessionEndListeners) listener();
    },
  }),
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      // Without a network a query fails at once, which a screen can say; 'online' would wait without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retryDelay: (failures) => Math.min(retry.firstDelay * 2 ** failures, retry.longestDelay),
      gcTime: queryGarbageCollection,
      // Going back to a screen within half a minute shows it as it was, without asking again.
      staleTime: 30_000,
    },
  },
});

type Where = { params?: unknown; query?: unknown };

/** The key of one answer: the call's own, then the arguments. A key with less in it matches all with more. */
function queryKey({ key }: Call, { params, query }: Where = {}, more: Record<string, unknown> = {}) {
  return [...key, { ...(params ? { params } : {}), ...(query ? { query } : {}), ...more }] as const;
}

/** `useQuery(queryOf(posts.get, { params: { id } }))`. */
export function queryOf<C extends Call>(endpoint: C, ...[args]: ArgsOf<C>) {
  const where: Where = args ?? {};
  return queryOptions({
    queryKey: queryKey(endpoint, where),
    // The same arguments as came in, with the query's own signal.
    queryFn: ({ signal }): Promise<Reply<C>> => call(endpoint, ...([{ ...args, signal }] as ArgsOf<C>)),
  });
}

type ItemOf<C extends Call> = Reply<C> extends PageOf<infer Item> ? Item : never;

/** `useInfiniteQuery(pagesOf(posts.feed))`: each page by the cursor of the one before; `allItems(data)` flattens. */
export function pagesOf<C extends Call>(endpoint: C, ...[args]: ArgsOf<C>) {
  const where: Where = args ?? {};
  return infiniteQueryOptions({
    queryKey: queryKey(endpoint, where, { pages: true }),
    queryFn: ({ pageParam, signal }): Promise<PageOf<ItemOf<C>>> => {
      const query = { ...(where.query ?? {}), ...(pageParam === null ? {} : { cursor: pageParam }) };
      const pageArgs = [{ ...args, query, signal }] as unknown as ArgsOf<C>;
      return call(endpoint, ...pageArgs) as Promise<PageOf<ItemOf<C>>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
}

/**
 * Reads what the route's loader has brought; asked for again in the background when it is stale. A record that is gone
 * since then is thrown, for the not-found screen; any other failure leaves the data as it is.
 */
export function useLoaded<Data, Key extends QueryKey>(
  query: UseSuspenseQueryOptions<Data, Error, Data, Key>,
): Data {
  const { data, error } = useSuspenseQuery(query);
  if (notFoundNotice(error)) throw error;
  return data;
}

/**
 * Reads a list whose first page the route's loader has brought: `items` of all pages so far, each once, and what
 * `InfiniteList` needs to fetch the next.
 */
export function useLoadedPages<Item extends { id: string }, Key extends QueryKey>(
  list: UseSuspenseInfiniteQueryOptions<PageOf<Item>, Error, InfiniteData<PageOf<Item>>, Key, string | null>,
) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useSuspenseInfiniteQuery(list);
  const items = useMemo(() => allItems(data), [data]);
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

/** All items of the pages so far, each once: one that changed while the pages were read stands in two of them. */
export function allItems<Item extends { id: string }>(data: InfiniteData<PageOf<Item>> | undefined): Item[] {
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Marks the answers of these calls as old: what is on screen is fetched again. */
export async function invalidate(...endpoint: Call[]): Promise<void> {
  await Promise.all(endpoint.map((endpoint) => queryClient.invalidateQueries({ queryKey: endpoint.key })));
}

/** Marks the answers of a call as old without fetching them while they are on screen: the next screen that asks does. */
export function invalidateWithoutRefetch(endpoint: Call): void {
  void queryClient.invalidateQueries({ queryKey: [endpoint.path], refetchType: 'none' });
}

/** Puts a known answer where `queryOf` with the same arguments will find it. */
export function setQueryDataOf<C extends Call>(endpoint: C, where: Where, reply: Reply<C>): void {
  queryClient.setQueryData(queryKey(endpoint, where), reply);
}

type CallMutation<C extends Call> = Omit<UseMutationOptions<Reply<C>, unknown, CallArgs<C>>, 'mutationFn'> & {
  /** The lists and records that this changes. */
  invalidates?: Call[];
  /** Leave the toast of a failure to `onError`. */
  quiet?: boolean;
};

/**
 * A call that changes something: `const save = useCall(posts.save, { invalidates: [posts.feed] })`,
 * then `save.mutate({ body: { postId } })`. A failure is told in a toast unless `quiet`.
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
      // The person closed the prompt for the password: they know, and nothing happened.
      if (isProblem(args[0], 'user_recent_password_required')) return;
      if (!quiet) showErrorToast(args[0]);
      return options.onError?.(...args);
    },
  });
}
