import { z } from 'zod';

/** `{ id, type, attributes }`: the format of every /v1 resource. Unknown keys are allowed. */
export const resource = <A extends z.ZodType>(attributes: A) =>
  z.looseObject({ id: z.string(), type: z.string(), attributes });

/** `{ data: <resource> }` */
export const one = <T extends z.ZodType>(item: T) => z.looseObject({ data: item });

/** `{ has_more, data: [] }` */
export const many = <T extends z.ZodType>(item: T) =>
  z.looseObject({ has_more: z.boolean().default(false), data: z.array(item) });

export type Page<T> = { items: T[]; hasMore: boolean };

/** Cursor paging of the provider's lists: `before` and `after` are ids, `limit` at most 100. */
export type PageQuery = { limit?: number; before?: string; after?: string };

/** Contact data of the payer, in the provider's format. */
export const Billing = z.looseObject({
  name: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});
export type Billing = z.infer<typeof Billing>;

/** Key-value pairs of strings stored with a resource. */
export type Metadata = Record<string, string>;

/** Unix seconds. */
export const Seconds = z.number().int();

/** Whole centavos. */
export const Centavos = z.number().int();
