import { searchLength } from '@tara/contract/limits';

/** Search params stay strings: a secret of digits must not become a number. */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

export function stringifySearch(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const query = search.toString();
  return query === '' ? '' : `?${query}`;
}

/** `validateSearch` of a route: its known params, each a string or absent; all others are dropped.
 * Not a zod schema, because routes are in the first load and zod is not.
 */
export function textParams<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [N in Name]?: string } => {
    const params: { [N in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') params[name] = value;
    }
    return params;
  };
}

/** `validateSearch` of a screen with a search box: its text, cut to what can be searched for. */
export function searchParam(params: Record<string, unknown>): { search?: string } {
  const { search } = textParams('search')(params);
  return search === undefined ? {} : { search: search.slice(0, searchLength) };
}

/** `validateSearch` of Explore: its text, the kind that is shown, and the filter of plans. */
export const exploreParams = (params: Record<string, unknown>) => ({
  ...searchParam(params),
  ...textParams('show', 'place', 'min', 'max', 'day')(params),
});
