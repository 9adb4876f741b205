import { type PagePath, type PageTables, pages, resolveReads } from '@tara/contract/pages';
import type { ArgsOf } from './call.ts';
import { pagesOf, queryClient, queryOf } from './queries.ts';

type ParamNames<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/**
 * For the loader of a page: loads what `contract/src/pages.ts` says that it reads first. `tables` are those of its calls;
 * of a paged list the first page is loaded. A read that the page is whole without never fails.
 */
export async function loadPage<Path extends PagePath>(
  path: Path,
  tables: PageTables<Path>,
  ...[params]: [ParamNames<Path>] extends [never] ? [] : [params: Readonly<Record<ParamNames<Path>, string>>]
): Promise<void> {
  await Promise.all(
    resolveReads(path, tables, params).map(({ call, isOptional, ...where }) => {
      const args = [where] as ArgsOf<typeof call>;
      if (isOptional) return queryClient.prefetchQuery(queryOf(call, ...args));
      if (call.isPaged) return queryClient.ensureInfiniteQueryData(pagesOf(call, ...args));
      const query = queryOf(call, ...args);
      return 'fresh' in pages[path]
        ? queryClient.fetchQuery({ ...query, staleTime: 0, meta: { isFresh: true } })
        : queryClient.ensureQueryData(query);
    }),
  );
}
