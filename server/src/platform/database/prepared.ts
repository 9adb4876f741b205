import { type AnyColumn, is, Placeholder, SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { hasCode } from '../error-code.ts';
import { MemoryCache } from '../memory-cache.ts';
import { Problem } from '../problem.ts';
import type { Database, Sql, SqlByCaller, Transaction } from './connect.ts';
import type { SentStatement } from './line.ts';

/** Characters of all texts that a pool prepares: a connection keeps their plans, of about a hundred bytes a character. */
const mostCharacters = { own: 1_000_000, callers: 100_000 } as const;

/**
 * What says of a statement's text whether it came before and is to be prepared, until those are too long together: then each
 * connection parses and plans it once. Planning takes more than running it where many tables are joined: a request with what
 * belongs to it is planned in 6 ms, and in 30 ms on a connection that has not planned for a while, and read in 0.4 ms. Only
 * reads: when a migration has changed what a prepared statement returns, the driver repeats it with other values.
 */
export function frequentTexts(whose: keyof typeof mostCharacters): (text: string) => boolean {
  const seen = new MemoryCache<string, true>({ max: 2_000 });
  const prepared = new Set<string>();
  let characters = 0;
  return (text) => {
    if (prepared.has(text)) return true;
    const isRead = /^\(?select\b/.test(text);
    if (!isRead || characters + text.length > mostCharacters[whose]) return false;
    if (!seen.has(text)) {
      seen.set(text, true);
      return false;
    }
    prepared.add(text);
    characters += text.length;
    return true;
  };
}

type Leaf = AnyColumn | SQL;
type Group = Record<string, Leaf>;
/** As given to `select`: expressions, and columns grouped by the table they are of. */
type Selection = Record<string, SQL | Group>;

interface Query {
  toSQL(): { sql: string; params: unknown[] };
}

type Cells = readonly unknown[];
type Read = (cells: Cells) => unknown;

function driver(database: Database): Sql & SqlByCaller {
  const client: unknown = Reflect.get(database, '$client');
  if (typeof client !== 'function' || !('unsafe' in client))
    throw new TypeError('a pool of connections is needed');
  return client as Sql & SqlByCaller;
}

/** How one cell is read; text, whole numbers and booleans are what the driver gives. */
function readCell(leaf: Leaf, index: number): Read {
  if (leaf instanceof SQL || ['string', 'number', 'boolean'].includes(leaf.dataType))
    return (cells) => cells[index];
  return (cells) => (cells[index] === null ? null : leaf.mapFromDriverValue(cells[index]));
}

/** How a table's columns are read; null where the first, its key, is: the joined row does not exist. */
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
 * plan at each call. Measured for a feed page (2026-11-21, noisy machine): 320 µs of CPU in Postgres, against 3,160 µs.
 */
export function compileStatement({ toSQL }: { toSQL(): { sql: string; params: unknown[] } }): Statement {
  const { sql, params } = toSQL();
  const slots: (string | Placeholder)[] = [];
  const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
    const param = params[Number(number) - 1];
    if (Number.isSafeInteger(param)) return String(param);
    slots.push(is(param, Placeholder) ? param : String(param));
    return `$${slots.length}`;
  });
  return {
    text,
    fill: (values) => slots.map((slot) => (typeof slot === 'string' ? slot : (values[slot.name] ?? null))),
  };
}

/**
 * Prepares a statement for the most frequent reads. Its rows are those of the query builder, put together by a plan made
 * once: measured for a feed page (2026-11-21, noisy machine), 219 µs of CPU in Node against 331 µs by the builder's own
 * prepared query (decision 0017). Each group must begin with its key. `query` must select `selection`; its placeholders
 * are given at each call by name.
 */
export function prepareRead<Row>(
  database: Database,
  selection: Selection,
  query: Query & PromiseLike<Row[]>,
): (values: Record<string, string>) => Promise<Row[]> {
  const client = driver(database);
  const statement = compileStatement({ toSQL: () => query.toSQL() });
  let next = 0;
  const fields = Object.entries(selection).map(([name, part]) => {
    const from = next;
    const single = part instanceof SQL;
    next += single ? 1 : Object.keys(part).length;
    return { name, read: single ? readCell(part, from) : readGroup(part, from) };
  });
  return async (values) => {
    const rows = await client.unsafe(statement.text, statement.fill(values), { prepare: true }).values();
    return rows.map((cells: Cells) => {
      const row: Record<string, unknown> = {};
      for (const field of fields) row[field.name] = field.read(cells);
      // In this shape because `query` selects `selection`.
      return row as Row;
    });
  };
}

/**
 * Prepares a raw statement: each connection parses and plans it once. Its rows are the driver's, with times as text;
 * its placeholders are given at each call by name.
 */
export function prepareSql<Row>(
  database: Database | Transaction,
  name: string,
  statement: SQL,
): (values: Record<string, string>) => Promise<Row[]> {
  const query = new PgDialect().sqlToQuery(statement);
  const prepared = database._.session.prepareQuery<{ execute: Row[]; all: Row[]; values: unknown[] }>(
    query,
    undefined,
    name,
    false,
  );
  return (values) => prepared.execute(values);
}

/** ms within which a cancelled statement ends, unless the way to the database is blocked: then its caller waits no longer. */
const cancelMs = 1_000;

/**
 * Asks Postgres to cancel a statement that was sent. The driver's `cancel` opens a connection for it and drops the promise: where
 * that connection fails, the unhandled rejection ends the process.
 */
async function cancelSent(statement: SentStatement): Promise<void> {
  const cancel: unknown = Reflect.get(statement, 'canceller');
  if (typeof cancel !== 'function') throw new TypeError('the driver has no way to cancel a statement');
  await cancel(statement);
}

/**
 * Runs a statement of text parameters whose text a caller chose, and returns its rows as cells; one that takes longer is
 * cancelled.
 * @throws Problem `database_timeout`
 */
export async function runStatement(
  database: Database,
  text: string,
  params: string[],
  timeoutMs: number,
): Promise<unknown[][]> {
  const late = new AbortController();
  const ended = Promise.withResolvers<never>();
  let statement: SentStatement | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    late.abort();
    // A connection whose first statement is cancelled while it opens would never be used again: that one runs to its end.
    const isSent = statement !== undefined && Reflect.get(statement, 'state') !== null;
    if (statement === undefined || !isSent) ended.reject(new Problem('database_timeout'));
    else {
      // Without a connection to ask by, the server's own limit ends it.
      cancelSent(statement).catch((cause: unknown) =>
        ended.reject(new Problem('database_timeout', { cause })),
      );
      giveUp = setTimeout(() => ended.reject(new Problem('database_timeout')), cancelMs);
    }
  }, timeoutMs);
  const read = async () => {
    const { query } = await driver(database).sendByCaller(text, params, late.signal);
    statement = query;
    return query.values();
  };
  try {
    return await Promise.race([read(), ended.promise]);
  } catch (error) {
    if (hasCode(error, '57014')) throw new Problem('database_timeout', { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(giveUp);
  }
}
