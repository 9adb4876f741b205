import * as z from 'zod/mini';

/** Query of a keyset-paged list: `cursor` is the opaque `next` of the previous page. */
export const Page = z.object({ cursor: z.optional(z.string().check(z.maxLength(400))) });

/** One page: its items, and the cursor of the next page or null. */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });

export type PageOf<Item> = { items: Item[]; next: string | null };
