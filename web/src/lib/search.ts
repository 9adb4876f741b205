/** Search params stay the strings they are: a secret of digits must not become a number. */
export function parseSearch(written: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(written));
}

export function stringifySearch(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  const written = search.toString();
  return written === '' ? '' : `?${written}`;
}

/**
 * `validateSearch` of a route: the params it knows, each a text or not there; all others fall away.
 * Not a zod schema, because routes are in the first load and zod is not.
 */
export function textParams<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [N in Name]?: string } => {
    const known: { [N in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') known[name] = value;
    }
    return known;
  };
}
