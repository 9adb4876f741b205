import * as z from 'zod';

/** Query of a keyset-paged list: `cursor` is the opaque value of the page before; its meaning is the server's. */
export const Page = z.object({ cursor: z.string().max(400).optional() });

/** One page: its items and the cursor of the next, null when there is none. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next: z.string().nullable() });

export type PageOf<Item> = { items: Item[]; next: string | null };
