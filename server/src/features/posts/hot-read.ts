import { type AnyColumn, is, Placeholder, SQL } from 'drizzle-orm';
import type { Database, Sql } from '../../platform/database/connect.ts';

type Leaf = AnyColumn | SQL;
type Group = Record<string, Leaf>;
/** As given to `select`: expressions, and columns grouped by the table they are of. */
type Selection = Record<string, SQL | Group>;

interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

type Cells = readonly unknown[];
type Read = (cells: Cells) => unknown;

function clientOf(database: Database): Sql {
  const client: unknown = Reflect.get(database, '$client');
  if (typeof client !== 'function' || !('unsafe' in client))
    throw new TypeError('a pool of connections is needed');
  return client as Sql;
}

/** How one cell is read; text, whole numbers and booleans are what the driver gives. */
function readCell(leaf: Leaf, at: number): Read {
  if (leaf instanceof SQL || ['string', 'number', 'boolean'].includes(leaf.dataType))
    return (cells) => cells[at];
  return (cells) => (cells[at] === null ? null : leaf.mapFromDriverValue(cells[at]));
}

/** How a table's columns are read; null where the first, its key, is: the joined row is not there. */
function readGroup(group: Group, from: number): Read {
  const fields = Object.entries(group).map(([name, leaf], index) => ({
    name,
    read: readCell(leaf, from + index),
  }));
  return (cells) => {
    if (cells[from] === null) return null;
    const row: Record<string, unknown> = {};
    for (const field of fields) row[field.name] = field.read(cells);
    return row;
  };
}

interface Statement {
  text: string;
  /** Its parameters by the names of their placeholders. */
  fill(values: Record<string, string>): (string | null)[];
}

/**
 * The text of a query for `prepare`, with whole numbers written out: with its limit as a parameter Postgres makes a new
 * plan at each call, which takes longer than the reading.
 */
export function statementOf({ toSQL }: { toSQL(): { sql: string; params: unknown[] } }): Statement {
  const { sql, params } = toSQL();
  const places: (string | Placeholder)[] = [];
  const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
    const param = params[Number(number) - 1];
    if (Number.isSafeInteger(param)) return String(param);
    places.push(is(param, Placeholder) ? param : String(param));
    return `$${places.length}`;
  });
  return {
    text,
    fill: (values) =>
      places.map((place) => (typeof place === 'string' ? place : (values[place.name] ?? null))),
  };
}

/**
 * Prepares a statement for the hottest reads: its rows are those of the query builder, put together by a plan made
 * once; the builder's own mapping costs as much as the whole statement. Each group must begin with its key.
 * `query` must select `selection`; its placeholders are given at each call by name.
 */
export function hotRead<Row>(
  database: Database,
  selection: Selection,
  query: Query & PromiseLike<Row[]>,
): (values: Record<string, string>) => Promise<Row[]> {
  const client = clientOf(database);
  const statement = statementOf({ toSQL: () => query.toSQL() });
  let at = 0;
  const fields = Object.entries(selection).map(([name, part]) => {
    const from = at;
    const single = part instanceof SQL;
    at += single ? 1 : Object.keys(part).length;
    return { name, read: single ? readCell(part, from) : readGroup(part, from) };
  });
  return async (values) => {
    const rows = await client.unsafe(statement.text, statement.fill(values), { prepare: true }).values();
    return rows.map((cells: Cells) => {
      const row: Record<string, unknown> = {};
      for (const field of fields) row[field.name] = field.read(cells);
      // Of this shape because `query` selects `selection`.
      return row as Row;
    });
  };
}
