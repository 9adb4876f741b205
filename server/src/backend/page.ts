import type { PageQueries } from '@tara/contract/accounts/accounts';
import * as z from 'zod';
import { Problem } from '../platform/problem.ts';

const Page = z.tuple([z.enum(['limit', 'offset']), z.int().min(0).max(100_000)]);

const usualLimit = 25;
const maxLimit = 100;

/** The method and first value of a query of either syntax: `limit(25)` or `{"method":"limit","values":[25]}`. */
function readQuery(query: string): unknown {
  const [, method, value] = /^(\w+)\((\d{1,6})\)$/.exec(query) ?? [];
  if (method !== undefined) return [method, Number(value)];
  try {
    const { method: name, values } = JSON.parse(query);
    return [name, values[0]];
  } catch {
    // What is neither is refused below.
    return null;
  }
}

/**
 * Reads which part of a list is asked for; without a limit 25 rows, at most 100.
 * @throws Problem `general_argument_invalid` for `queries`
 */
export function readPageQueries(query: PageQueries): { limit: number; offset: number } {
  const sent = [query['queries[0]'] ?? [], query['queries[1]'] ?? [], query['queries[]'] ?? []].flat();
  const page = z.array(Page).safeParse(sent.map(readQuery));
  if (!page.success) {
    const fields = { queries: 'Must be limit and offset, each a whole number' };
    throw new Problem('general_argument_invalid', { fields });
  }
  const { limit = usualLimit, offset = 0 } = Object.fromEntries(page.data);
  return { limit: Math.min(limit, maxLimit), offset };
}
