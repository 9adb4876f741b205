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

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>;

/**
 * The pages of a list, each item once. The end is a page that is not full and has no successor.
 * @throws PaymongoUnreachable when the list cannot be read to its end, so that nothing is taken for absent.
 */
async function* readPages<T extends { id: string }>(
  call: string,
  readPage: ReadPage<T>,
  pages: number,
): AsyncGenerator<T[]> {
  const ids = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < pages; page++) {
    const { items, hasMore } = await readPage({ limit: pageSize, after });
    const before = ids.size;
    yield items.filter(({ id }) => !ids.has(id) && ids.add(id));
    if (!hasMore && items.length !== pageSize) return;
    // A page that adds nothing: the provider ignores `after`.
    if (ids.size === before) break;
    after = items.at(-1)?.id;
  }
  throw new PaymongoUnreachable('unreadable', call);
}

async function collect<T>(pages: AsyncGenerator<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const items of pages) all.push(...items);
  return all;
}

/** Every item of a list. @throws PaymongoUnreachable when the list cannot be read to its end. */
export async function readAll<T extends { id: string }>(
  call: string,
  readPage: ReadPage<T>,
  pages = maxPages,
): Promise<T[]> {
  return collect(readPages(call, readPage, pages));
}

/** What has a time of creation: Unix seconds in /v1, an ISO time in /v2. */
type Created =
  | { attributes: { created_at?: number | null | undefined } }
  | { created_at?: string | null | undefined };

/** Unix seconds; null without one. */
function createdSeconds(item: Created): number | null {
  if ('attributes' in item) return item.attributes.created_at ?? null;
  return item.created_at == null ? null : Date.parse(item.created_at) / 1000;
}

/**
 * The pages of a list, which is newest first, with what was made since then: Unix seconds. The last page is the first that has
 * an older item, since pages are named by ids. An item without a time counts as new.
 * @throws PaymongoUnreachable when the list cannot be read so far.
 */
export function pagesSince<T extends { id: string } & Created>(
  call: string,
  readPage: ReadPage<T>,
  since: number,
  pages = 10_000,
): AsyncGenerator<T[]> {
  const isOld = (item: T) => (createdSeconds(item) ?? since) < since;
  const readYoung = async (query: PageQuery): Promise<Page<T>> => {
    const { items, hasMore } = await readPage(query);
    return items.some(isOld)
      ? { items: items.filter((item) => !isOld(item)), hasMore: false }
      : { items, hasMore };
  };
  return readPages(call, readYoung, pages);
}

/** All items of these pages. @throws PaymongoUnreachable when the list cannot be read so far. */
export async function readSince<T extends { id: string } & Created>(
  call: string,
  readPage: ReadPage<T>,
  since: number,
): Promise<T[]> {
  return collect(pagesSince(call, readPage, since));
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
