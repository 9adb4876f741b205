import * as z from 'zod/mini';

/** Query of a keyset-paged list: `cursor` is the opaque value of the page before; its meaning is the server's. */
export const Page = z.object({ cursor: z.optional(z.string().check(z.maxLength(400))) });

/** One page: its items and the cursor of the next, null when there is none. */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) });

export type PageOf<Item> = { items: Item[]; next: string | null };
