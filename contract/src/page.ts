import * as z from 'zod/mini';
import { type Access, type Call, type CallOptions, get, type Nothing, type Schema } from './calls.ts';

/** Query of a keyset-paged list: `cursor` is the opaque `next` of the previous page. */
export const Page = z.object({ cursor: z.optional(z.string().check(z.maxLength(400))) });

/** One page: its items, and the cursor of the next page or null. */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });

export type PageOf<Item> = { items: Item[]; next: string | null };

/** A call that answers one page of a list. Its query is `Page`, or what extends it. */
export const getPage = <
  Item extends Schema,
  P extends Schema = Nothing,
  Q extends Schema = typeof Page,
  A extends Access = 'member',
>(
  path: string,
  item: Item,
  options: CallOptions<P, Q, Nothing, never, A>,
): Call<P, NoInfer<Q>, Nothing, ReturnType<typeof pageOf<Item>>, NoInfer<A>> =>
  get(path, {
    ...options,
    query: options.query ?? (Page as unknown as Q),
    reply: pageOf(item),
    isPaged: true,
  });
