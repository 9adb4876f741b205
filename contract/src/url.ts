/** Paths that belong to the server's calls: an unknown one there is an error, not a page. */
export const serverPaths = /^\/(api|v1|sandbox|mailbox|docs|healthz|readyz)(\/|$)/;

/** A call's path with its parameters: `/one/:id` becomes `/one/` and what `encodedValue('id')` gives, which must be encoded. */
export const fillPath = (path: string, encodedValue: (name: string) => string): string =>
  path.replace(/(?<=\/):(\w+)/g, (_, name: string) => encodedValue(name));

const entriesOf = (values: unknown): [string, unknown][] =>
  typeof values === 'object' && values !== null ? Object.entries(values) : [];

/** The URL of a call below the server's root: `:name` filled from `params`, `query` behind it, each value encoded. */
export function callUrl(
  { path }: { path: string },
  { params, query }: { params?: unknown; query?: unknown } = {},
): string {
  const values = new Map(entriesOf(params));
  const filled = fillPath(path, (name) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of entriesOf(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** The path of `devices.renew`, which the service worker calls without the schemas of its table. */
export const pushRenewalPath = '/api/device/renew';
