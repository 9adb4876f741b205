import type { Client } from 'pg';

/** A table, or what else holds rows, as the catalogue describes it. Names are quoted, and a table's has its schema. */
export interface Table {
  readonly name: string;
  /** Whether its rows are its own, and not those of partitions, of another server or of a query. */
  readonly isPlain: boolean;
  /** The columns that are stored as they are given, not computed of others. */
  readonly columns: readonly string[];
  /** Every column with its type, in the order of their names. */
  readonly shape: string;
}

/** What the catalogue of a database lists in every schema but Postgres' own, without what extensions made. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select format('%I.%I', nspname, relname) as name, relkind = 'r' as "isPlain",
      coalesce(array_agg(quote_ident(attname)::text order by attnum) filter (where attgenerated = ''), '{}') as columns,
      coalesce(string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
        || case when attnotnull then ' not null' else '' end
        || case when attgenerated = '' then '' else ' generated' end, ', ' order by attname), '') as shape
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    left join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind in ('r', 'p', 'f', 'm') and nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    group by nspname, relname, relkind
    order by nspname, relname`);
  return rows;
}

/** The tables whose rows are on the workers of a Citus cluster. */
export async function readDistributed(client: Client): Promise<string[]> {
  const citus = await client.query(`select from pg_extension where extname = 'citus'`);
  if (citus.rows.length === 0) return [];
  const { rows } = await client.query<{ name: string }>(
    `select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The schemas of tables, quoted. */
export const schemasOf = (tables: readonly Table[]) => [
  ...new Set(tables.map(({ name }) => /^("(?:[^"]|"")*"|[^."]+)\./.exec(name)?.[1] ?? '')),
];

/** Why rows of one catalogue cannot be copied into the tables of the other, a line each; empty when they can. */
export function compareTables(source: readonly Table[], target: readonly Table[]): string[] {
  const before = new Map(source.map((table) => [table.name, table]));
  const after = new Map(target.map((table) => [table.name, table]));
  return [
    ...source.flatMap(({ name, isPlain, shape }) => {
      const counterpart = after.get(name);
      if (counterpart === undefined)
        return `${name} is here, and no migration makes it: copy it yourself, and drop it here or move it to another database.`;
      if (!isPlain || !counterpart.isPlain) return `${name} is not a plain table.`;
      return counterpart.shape === shape
        ? []
        : `${name} has other columns: ${shape} here, ${counterpart.shape} there.`;
    }),
    ...target.flatMap(({ name }) => (before.has(name) ? [] : `${name} is in the target and not here.`)),
  ];
}

/** What is suspended while rows are copied: each statement, and the one that takes it back. */
export interface Suspended {
  readonly suspend: string;
  readonly resume: string;
}

/**
 * The foreign keys and triggers of tables. Whoever owns a table may drop its foreign keys and disable its triggers;
 * `session_replication_role`, which does both at once, is a superuser's.
 */
export async function readChecks(client: Client, tables: readonly string[]): Promise<Suspended[]> {
  const { rows } = await client.query<Suspended>(
    `with moved as (select name, name::regclass as id from unnest($1::text[]) as moved (name))
    select format('alter table %s drop constraint %I', name, conname) as suspend,
      format('alter table %s add constraint %I %s', name, conname, pg_get_constraintdef(pg_constraint.oid)) as resume
    from moved join pg_constraint on conrelid = moved.id
    where contype = 'f' and conparentid = 0
    union all
    select format('alter table %s disable trigger %I', name, tgname),
      format('alter table %s enable %s trigger %I', name,
        case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname)
    from moved join pg_trigger on tgrelid = moved.id
    where not tgisinternal and tgenabled <> 'D'`,
    [tables],
  );
  return rows;
}

/** Where a sequence, also that of an identity column, goes on. Its name is quoted and has its schema. */
export interface SequenceState {
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** Every sequence of the database but those of extensions. */
export async function readSequences(client: Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'S' and nspname !~ '^pg_' and not exists (select from pg_depend
      where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by nspname, relname`);
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const state = await client.query<SequenceState>(
      `select $1::text as name, last_value::text as value, is_called as "isCalled" from ${name}`,
      [name],
    );
    states.push(...state.rows);
  }
  return states;
}
