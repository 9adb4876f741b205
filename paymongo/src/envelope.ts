import { z } from 'zod';
import { PaymongoUnreachable, requireParameters } from './errors.ts';

/** `{ id, type, attributes }`: the format of every /v1 resource. Unknown keys are allowed. */
export const resource = <A extends z.ZodType>(attributes: A) =>
  z.looseObject({ id: z.string(), type: z.string(), attributes });

/** `{ data: <resource> }` */
export const one = <T>(item: z.ZodType<T>): z.ZodType<{ data: T }> => z.object({ data: item });

export type Page<T> = { items: T[]; hasMore: boolean };

/** A page of a list: `{ has_more, data: [] }`. */
export const many = <T extends z.ZodType>(item: T) =>
  z
    .looseObject({ has_more: z.boolean().default(false), data: z.array(item) })
    .transform(({ data, has_more }): Page<z.output<T>> => ({ items: data, hasMore: has_more }));

/** The path of one resource of a list. @throws MissingParameter without an id. */
export function resourcePath(list: string, id: string): string {
  requireParameters({ id });
  return `${list}/${encodeURIComponent(id)}`;
}

/** Cursor paging of the provider's lists: `before` and `after` are ids, `limit` at most 100. */
export type PageQuery = { limit?: number; before?: string; after?: string };

const pageSize = 100;
/** A list that is longer was not filtered as asked, and reading it would take minutes. */
const maxPages = 100;
/** Of a list that ends at a date. */
export const mostPages = 10_000;

/**
 * Every item of a list. The end is a page that is not full and has no successor.
 * @throws PaymongoUnreachable when the list cannot be read to its end, so that nothing is taken for absent.
 */
export async function readAll<T extends { id: string }>(
  call: string,
  readPage: (query: PageQuery) => Promise<Page<T>>,
  pages = maxPages,
): Promise<T[]> {
  const byId = new Map<string, T>();
  let after: string | undefined;
  for (let page = 0; page < pages; page++) {
    const { items, hasMore } = await readPage({ limit: pageSize, after });
    const before = byId.size;
    for (const item of items) byId.set(item.id, item);
    if (!hasMore && items.length !== pageSize) return [...byId.values()];
    // A page that adds nothing: the provider ignores `after`.
    if (byId.size === before) break;
    after = items.at(-1)?.id;
  }
  throw new PaymongoUnreachable('unreadable', call);
}

/**
 * The items of a list, which is newest first, that were made since then: Unix seconds. Read to the first page that has an older
 * one, since pages are named by ids. An item without a time counts as new.
 * @throws PaymongoUnreachable when the list cannot be read so far.
 */
export function readSince<T extends { id: string; attributes: { created_at?: number | null | undefined } }>(
  call: string,
  readPage: (query: PageQuery) => Promise<Page<T>>,
  since: number,
  pages = mostPages,
): Promise<T[]> {
  const isOld = ({ attributes }: T) => (attributes.created_at ?? since) < since;
  return readUntilOld(call, readPage, isOld, pages);
}

/** The items of a list, which is newest first, to the first page that has an old one. @throws PaymongoUnreachable */
export function readUntilOld<T extends { id: string }>(
  call: string,
  readPage: (query: PageQuery) => Promise<Page<T>>,
  isOld: (item: T) => boolean,
  pages: number,
): Promise<T[]> {
  const readYoung = async (query: PageQuery): Promise<Page<T>> => {
    const { items, hasMore } = await readPage(query);
    return items.some(isOld)
      ? { items: items.filter((item) => !isOld(item)), hasMore: false }
      : { items, hasMore };
  };
  return readAll(call, readYoung, pages);
}

/** Contact data of the payer, in the provider's format. */
export const Billing = z.looseObject({
  name: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  address: z
    .looseObject({
      line1: z.string().nullish(),
      line2: z.string().nullish(),
      city: z.string().nullish(),
      state: z.string().nullish(),
      postal_code: z.string().nullish(),
      /** Two letters, such as PH. */
      country: z.string().nullish(),
    })
    .nullish(),
});
export type Billing = z.infer<typeof Billing>;

/** Key-value pairs of strings stored with a resource. */
export type Metadata = Record<string, string>;

/** The provider's only currency. */
export const CURRENCY = 'PHP';

/** §9: the wallet of payments that name none. */
export const DEFAULT_WALLET = 'gcash';

/** Unix seconds. */
export const Seconds = z.number().int();

/** Whole centavos. */
export const Centavos = z.number().int();
