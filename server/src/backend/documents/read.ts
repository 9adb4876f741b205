import type { Document } from '@tara/contract/wire/documents';
import { and, asc, desc, getTableName, type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PgTable, QueryBuilder } from 'drizzle-orm/pg-core';
import type { StoredRow } from '../../platform/database/columns.ts';
import type { Database } from '../../platform/database/connect.ts';
import { runStatement } from '../../platform/database/prepared.ts';
import type { LastState } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { MemoryCache } from '../../platform/memory-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem.ts';
import {
  type DocumentSource,
  type Expression,
  isRelation,
  type ReadableCollection,
  type Reader,
} from './collection.ts';
import { compileReader, type DocumentReader, selectAttributes } from './present.ts';
import { beyondCursor, commaList, type ListRequest, orderBy, pageOrders } from './sql.ts';

/** Most documents that a total counts. */
const mostCounted = 5_000;
/** ms that a total of announced records is kept, unless a change is announced before. */
const totalsKeptMs = 5_000;
/** ms after which a statement is cancelled. */
export const documentTimeoutMs = 2_000;

const dialect = new PgDialect();

interface Compiled {
  reader: DocumentReader;
  /** `select … from … join …`, without parameters. */
  selection: string;
  from: string;
  /** `from … join …` of the record alone, without the documents inside it: what conditions and orders need. */
  fromRecord: string;
}

/** A table as `from` names it, with its alias. */
function named(table: PgTable): SQL {
  const { sql: text } = new QueryBuilder().select({ one: sql`1` }).from(table).toSQL();
  return sql.raw(text.replace(/^select 1 from /, ''));
}

/** The name of a table, also of an alias of it. */
const originalName = (table: PgTable): string =>
  /^"([^"]+)"/.exec(dialect.sqlToQuery(named(table)).sql)?.[1] ?? getTableName(table);

const ownJoins = ({ joins = [] }: DocumentSource): SQL[] =>
  joins.map(({ table, on }) => sql` left join ${named(table)} on ${on}`);

/** The tables of a source and of the documents inside it. */
const joinsOf = (source: DocumentSource): SQL[] => [
  ...ownJoins(source),
  ...Object.values(source.attributes).flatMap((entry) =>
    isRelation(entry)
      ? [sql` left join ${named(entry.source.table)} on ${entry.on}`, ...joinsOf(entry.source)]
      : [],
  ),
];

function compile({ source }: ReadableCollection): Compiled {
  const reader = compileReader(source);
  const from = sql`from ${named(source.table)}${sql.join(joinsOf(source))}`;
  const { sql: text, params } = dialect.sqlToQuery(sql`select ${commaList(reader.cells)} ${from}`);
  if (params.length > 0) throw new TypeError(`${source.collectionId} is read by expressions with values`);
  const fromRecord = sql`from ${named(source.table)}${sql.join(ownJoins(source))}`;
  const [fromText, fromRecordText] = [from, fromRecord].map((part) => dialect.sqlToQuery(part).sql);
  return { reader, selection: text, from: fromText ?? '', fromRecord: fromRecordText ?? '' };
}

const compiled = new WeakMap<ReadableCollection, Compiled>();
function compileCollection(collection: ReadableCollection): Compiled {
  const statement = compiled.get(collection) ?? compile(collection);
  compiled.set(collection, statement);
  return statement;
}

/** A part of a statement, with its parameters from `$1` on. */
interface Fragment {
  sql: string;
  params: unknown[];
}

const toFragment = (part: SQL | undefined): Fragment | null => (part ? dialect.sqlToQuery(part) : null);

const shiftParams = (text: string, shift: number) =>
  shift === 0 ? text : text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + shift}`);

/** The conditions that all hold, as the `where` of a statement that has so many parameters before it. */
function whereAll(conditions: readonly (Fragment | null)[], before = 0): Fragment {
  const params: unknown[] = [];
  const texts = conditions.flatMap((condition) => {
    if (condition === null) return [];
    const shift = before + params.length;
    params.push(...condition.params);
    return [`(${shiftParams(condition.sql, shift)})`];
  });
  return { sql: texts.length === 0 ? '' : ` where ${texts.join(' and ')}`, params };
}

/** Runs a statement whose parameters are texts. @throws Problem `database_timeout` */
const run = (database: Database, { sql: text, params }: Fragment): Promise<unknown[][]> =>
  runStatement(database, text, params.map(String), documentTimeoutMs);

interface RequestParts {
  filter: Fragment | null;
  /** ` order by …` */
  order: string;
  /** ` limit … offset …` */
  range: string;
  /** `select` of a record's id and of what the list is ordered by, and the order by those. */
  ids: { selection: string; order: string };
}

/** What does not depend on the caller of a request: callers that send the same queries share it. */
const requestParts = new WeakMap<ListRequest, RequestParts>();
function partsOf({ source }: ReadableCollection, request: ListRequest): RequestParts {
  const known = requestParts.get(request);
  if (known) return known;
  const columns = pageOrders(request).map((order, index) => ({ ...order, name: sql.raw(`order${index}`) }));
  const text = (part: SQL) => dialect.sqlToQuery(part).sql;
  const parts = {
    filter: toFragment(request.filter),
    order: text(sql` order by ${orderBy(request)}`),
    range: ` limit ${request.limit} offset ${request.offset}`,
    ids: {
      selection: text(
        sql`select ${commaList([sql`${source.id} as id`, ...columns.map(({ column, name }) => sql`${column} as ${name}`)])}`,
      ),
      order: text(
        sql` order by ${commaList(columns.map(({ name, descending }) => (descending ? desc(name) : asc(name))))}`,
      ),
    },
  };
  requestParts.set(request, parts);
  return parts;
}

/**
 * The statement of one page of the records that meet all conditions. Where the collection has sides, it reads the ids of a
 * page of each first, and joins the records of the page alone.
 */
function pageStatement(
  collection: ReadableCollection,
  request: ListRequest,
  conditions: readonly (Fragment | null)[],
  sides: readonly (Fragment | null)[] | undefined,
): Fragment {
  const { selection, from } = compileCollection(collection);
  const { order, range, ids } = partsOf(collection, request);
  if (sides === undefined) {
    const where = whereAll(conditions);
    return { sql: `${selection}${where.sql}${order}${range}`, params: where.params };
  }
  const params: unknown[] = [];
  const pages = sides.map((side) => {
    const where = whereAll([side, ...conditions], params.length);
    params.push(...where.params);
    return `(${ids.selection} ${from}${where.sql}${order} limit ${request.limit + request.offset})`;
  });
  const page = `select id from (${pages.join(' union ')}) as pages${ids.order}${range}`;
  const id = dialect.sqlToQuery(sql`${collection.source.id}`).sql;
  return { sql: `${selection} where ${id} = any(array(${page}))${order}`, params };
}

/** A record that was read, and the documents that different readers see of it. */
export interface StoredRecord {
  /** Accounts that may see more of it than others. */
  parties: readonly string[];
  present(reader: Reader): Document | null;
}

const storedRecord = (documents: DocumentReader, row: unknown[]): StoredRecord => ({
  parties: documents.parties(row),
  present: (reader) => documents.read(row, reader),
});

/** A statement in which rows stand for their tables: each hides the table of its name. */
function withRows(rows: LastState, { sql: text, params }: Fragment): Fragment {
  const tables = Object.keys(rows).map((name, index) => {
    const table = dialect.escapeName(name);
    return `${table} as (select * from jsonb_populate_recordset(null::${table}, $${index + 1}::jsonb))`;
  });
  if (tables.length === 0) return { sql: text, params };
  return {
    sql: `with ${tables.join(', ')} ${shiftParams(text, tables.length)}`,
    params: [...Object.values(rows).map((some) => JSON.stringify(some)), ...params],
  };
}

/** The rows of a record's own tables that meet the rest of a statement, each once. */
async function readWorkerRows(
  database: Database,
  collection: ReadableCollection,
  rest: Fragment,
): Promise<LastState> {
  const { table, joins = [] } = collection.source;
  const tables = [table, ...joins.map((join) => join.table)];
  const cells = tables.map((one) => `to_jsonb(${dialect.escapeName(getTableName(one))})::text`);
  const { fromRecord } = compileCollection(collection);
  const matches = await run(database, {
    sql: `select ${cells.join(', ')} ${fromRecord}${rest.sql}`,
    params: rest.params,
  });
  return Object.fromEntries(
    tables.map((one, index) => {
      const texts = new Set(matches.flatMap((row) => (typeof row[index] === 'string' ? row[index] : [])));
      return [originalName(one), [...texts].map((text): StoredRow => JSON.parse(text))];
    }),
  );
}

/** Which database is read, and whether it may be a Citus cluster. */
export type ReadContext = Pick<Platform, 'database' | 'sharded'>;

/**
 * Reads one record that a viewer reads; null when it does not exist for them.
 * @param key by which a record of the workers is spread, if it is known: else each of them is asked
 */
export async function findRecord(
  { database, sharded }: ReadContext,
  collection: ReadableCollection,
  id: string,
  viewer: Viewer,
  key?: unknown,
): Promise<StoredRecord | null> {
  const { selection, reader: documents } = compileCollection(collection);
  const { createdAt } = collection.source;
  const spread = sharded ? collection.spread : undefined;
  const isKey =
    spread?.records === 'workers' && typeof key === 'string' ? sql`${spread.key} = ${key}` : undefined;
  const condition = and(sql`${collection.source.id} = ${id}`, isKey, collection.readable.one(viewer));
  // Composite ids (§3) are those of one viewer's records; of two alike the older one has it.
  const rest = dialect.sqlToQuery(sql` where ${condition} order by ${createdAt} limit 1`);
  const statement = { sql: `${selection}${rest.sql}`, params: rest.params };
  const read = async () => {
    if (spread === undefined) return run(database, statement);
    if (spread.records === 'coordinator')
      return run(database, withRows(await spread.readRows(database, viewer, id), statement));
    const rows = await readWorkerRows(database, collection, rest);
    return run(database, withRows(rows, { sql: selection, params: [] }));
  };
  const [row] = await read();
  return row === undefined ? null : storedRecord(documents, row);
}

/**
 * Reads a deleted record as it was, for a viewer who could read it: its own rows are those of its last state, all else is
 * as it is now, blocks among it.
 */
export async function readLastState(
  database: Database,
  collection: ReadableCollection,
  last: LastState,
  viewer: Viewer,
): Promise<StoredRecord | null> {
  const { selection, reader: documents } = compileCollection(collection);
  const where = whereAll([toFragment(collection.readable.one(viewer))]);
  const statement = { sql: `${selection}${where.sql}`, params: where.params };
  const [row] = await run(database, withRows(last, statement));
  return row === undefined ? null : storedRecord(documents, row);
}

/** A document that a viewer reads; null when it does not exist for them. */
export async function findDocument(
  context: ReadContext,
  collection: ReadableCollection,
  id: string,
  viewer: Viewer,
  form: Omit<Reader, 'viewer'>,
): Promise<Document | null> {
  const record = await findRecord(context, collection, id, viewer);
  return record === null ? null : record.present({ ...form, viewer });
}

export interface DocumentPage {
  total: number;
  documents: Document[];
}

/** The lists of all collections. Totals of announced records are kept until the bus announces a change. */
export function documentLists({ database, sharded, bus }: ReadContext & Pick<Platform, 'bus'>) {
  const totals = new MemoryCache<string, number>({ max: 2_000, ttl: totalsKeptMs });
  const changes = new Map<string, number>();
  bus.subscribe('document', ({ collection }) => {
    changes.set(collection, (changes.get(collection) ?? 0) + 1);
  });
  bus.subscribe('messagesMissed', () => totals.clear());

  const isOnWorkers = ({ spread }: ReadableCollection) => sharded && spread?.records === 'workers';

  async function countAll(collection: ReadableCollection, rows: LastState, where: Fragment): Promise<number> {
    const { from, fromRecord } = compileCollection(collection);
    const { collectionId } = collection.source;
    const source = isOnWorkers(collection) ? fromRecord : from;
    const text = `select count(*) from (select 1 ${source}${where.sql} limit ${mostCounted}) as found`;
    const key = JSON.stringify([collectionId, changes.get(collectionId) ?? 0, where]);
    const known = collection.announced ? totals.get(key) : undefined;
    if (known !== undefined) return known;
    const [[total] = []] = await run(database, withRows(rows, { sql: text, params: where.params }));
    if (collection.announced) totals.set(key, Number(total));
    return Number(total);
  }

  /** Why nothing is beyond a cursor: its document does not exist, has no value to continue from, or is the last. */
  async function checkCursor(
    collection: ReadableCollection,
    rows: LastState,
    { orders }: ListRequest,
    cursorOf: (column: Expression) => SQL,
  ): Promise<void> {
    const values = commaList(orders.map(({ column }) => sql`${cursorOf(column)} is null`));
    const statement = dialect.sqlToQuery(sql`select ${cursorOf(collection.source.id)} is null, ${values}`);
    const [row = []] = await run(database, withRows(rows, statement));
    if (row[0] === true) throw new Problem('general_cursor_not_found');
    if (row.includes(true)) throw new Problem('database_query_order_null');
  }

  return async (
    collection: ReadableCollection,
    viewer: Viewer,
    request: ListRequest,
    options: Omit<Reader, 'viewer'> & { counted: boolean },
  ): Promise<DocumentPage> => {
    const { from, fromRecord, selection, reader } = compileCollection(collection);
    const { cursor, limit, offset, select } = request;
    const { filter } = partsOf(collection, request);
    const condition = collection.readable.list(viewer);
    const readable = toFragment(condition);
    const cursorOf = (column: Expression) =>
      sql`(select ${column} ${sql.raw(isOnWorkers(collection) ? fromRecord : from)} where ${and(sql`${collection.source.id} = ${cursor?.id ?? ''}`, condition)} limit 1)`;
    const beyond = cursor === null ? null : toFragment(beyondCursor(request, cursorOf));
    const sides = collection.readable.sides?.(viewer).map(toFragment);
    const conditions = [filter, ...(sides ? [] : [readable]), beyond];
    const spread = sharded ? collection.spread : undefined;
    const rows: LastState =
      spread?.records === 'coordinator' ? await spread.readRows(database, viewer, null) : {};
    const count = () => (options.counted ? countAll(collection, rows, whereAll([filter, readable])) : 0);
    const isLater = cursor !== null || offset > 0;
    const readPage = async () => {
      if (!isOnWorkers(collection))
        return run(database, withRows(rows, pageStatement(collection, request, conditions, sides)));
      const { order, range } = partsOf(collection, request);
      const where = whereAll(conditions);
      const rest = { sql: `${where.sql}${order}${range}`, params: where.params };
      const stored = await readWorkerRows(database, collection, rest);
      return run(database, withRows(stored, { sql: `${selection}${order}`, params: [] }));
    };
    const [page, counted] = await Promise.all([readPage(), isLater ? count() : null]);
    if (cursor && page.length === 0) await checkCursor(collection, rows, request, cursorOf);
    const readers = { ...options, viewer };
    const documents = page.flatMap((row) => {
      const document = reader.read(row, readers);
      return document ? [selectAttributes(document, select)] : [];
    });
    if (cursor?.before) documents.reverse();
    // A first page that is not full holds all there are.
    const whole = options.counted && page.length < limit ? page.length : count();
    return { total: counted ?? (await whole), documents };
  };
}
