/** The kind of a step that waits: what names single jobs, calls and events is left out. */
export function crashPoint(name: string): string {
  const statement = /^(?:core|browsing|background) \d+ (.*)$/.exec(name)?.[1];
  if (statement === undefined)
    return name
      .replace(/^[^:]*: /, '')
      .replace(/ \(evt_.*$/, '')
      .replace(/\bjob \d+ /, 'job ')
      .replace('payment_links', 'links')
      .replace(/the answer \d+ to/, 'the answer to');
  const [write] =
    /^(?:insert into|update|delete from) "?\w+"?|^select from graphile_worker\.\w+|\bstore_message\b/.exec(
      statement,
    ) ?? [];
  if (write) return write;
  const [written] = /^with .*?\b((?:insert into|update|delete from) "?\w+"?)/.exec(statement)?.slice(1) ?? [];
  return written ?? statement.replace(/ .*$/, '');
}
