import type { IdentityRow } from '../features/accounts/index.ts';
import { Problem } from '../platform/problem.ts';
import { type Filter, parseQueries, readQueries } from './documents/queries.ts';

/** What identities may be looked for by. Tokens of providers are never stored, so their expiry is empty for all. */
const attributes = {
  $id: ({ id }: IdentityRow) => id,
  userId: ({ accountId }: IdentityRow) => accountId,
  provider: ({ provider }: IdentityRow) => provider,
  providerUid: ({ providerUid }: IdentityRow) => providerUid,
  providerEmail: ({ providerEmail }: IdentityRow) => providerEmail,
  providerAccessTokenExpiry: () => '',
} as const;

const usualLimit = 25;
const maxLimit = 100;

const refuse = (rule: string): never => {
  throw new Problem('general_query_invalid', { fields: { queries: rule } });
};

const isAttribute = (name: string): name is keyof typeof attributes => Object.hasOwn(attributes, name);

function filterRows(rows: readonly IdentityRow[], { attribute, values }: Filter): readonly IdentityRow[] {
  if (!isAttribute(attribute)) return refuse(`identities have no attribute ${attribute}`);
  return rows.filter((row) => values.includes(attributes[attribute](row)));
}

/** Where the page begins that a cursor stands before. @throws Problem `general_cursor_not_found` */
function indexOf(rows: readonly IdentityRow[], id: string): number {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) throw new Problem('general_cursor_not_found');
  return index;
}

/**
 * The identities that queries ask for, of the few that an account has, with the number of all that match.
 * @throws Problem `general_query_invalid` | `general_argument_invalid` | `general_cursor_not_found`
 */
export function pickIdentities(
  rows: readonly IdentityRow[],
  query: Readonly<Record<string, unknown>>,
): { total: number; page: readonly IdentityRow[] } {
  let matching = rows;
  let [limit, offset] = [usualLimit, 0];
  let cursor: { id: string; isAfter: boolean } | undefined;
  for (const part of parseQueries(readQueries(query))) {
    if (part.method === 'limit') limit = Math.min(part.value, maxLimit);
    else if (part.method === 'offset') offset = part.value;
    else if (part.method === 'cursorAfter' || part.method === 'cursorBefore')
      cursor = { id: part.id, isAfter: part.method === 'cursorAfter' };
    else if (part.method === 'equal') matching = filterRows(matching, part);
    else refuse(`${part.method} is not possible for identities`);
  }
  const total = matching.length;
  if (cursor === undefined) return { total, page: matching.slice(offset, offset + limit) };
  const index = indexOf(matching, cursor.id);
  const page = cursor.isAfter
    ? matching.slice(index + 1, index + 1 + limit)
    : matching.slice(Math.max(0, index - limit), index);
  return { total, page };
}
