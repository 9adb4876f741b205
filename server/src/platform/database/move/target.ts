import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { MoveRefused } from './refused.ts';

/** Extensions that the migrations make, all of which come with Postgres itself (contrib). */
export const neededExtensions = ['btree_gist', 'unaccent'];

/** The oldest Postgres that Tara runs on. */
const oldestVersion = 15;

interface Server {
  version: string;
  number: number;
  encoding: string;
  /** The rules of the letters in its texts. */
  locale: string;
  /** A replica, or a database that is set to read alone. */
  isReadOnly: boolean;
  user: string;
  database: string;
  mayCreateSchemas: boolean;
  /** Whether it may make tables in `public`; null when there is no such schema. */
  mayCreateTables: boolean | null;
  isSuperuser: boolean;
}

async function readServer(client: Client): Promise<Server> {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_encoding_to_char(encoding) as encoding, datctype as locale,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      quote_ident(current_user)::text as user, quote_ident(datname)::text as database,
      has_database_privilege(datname, 'create') as "mayCreateSchemas",
      (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public') as "mayCreateTables",
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser"
    from pg_database where datname = current_database()`);
  const [row] = rows;
  if (row === undefined) throw new MoveRefused('The target does not describe itself.');
  return row;
}

/** Whether its locale knows letters beyond those of English, as searches need it. Only UTF8 has them all. */
async function knowsLetters(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isKnown: boolean }>(`
    select bool_and(lower(large) = small and small ~ '^[[:alnum:]]$') as "isKnown"
    from (values ('I', 'i'), ('É', 'é'), ('Ñ', 'ñ'), ('Ж', 'ж')) as letters (large, small)`);
  return rows[0]?.isKnown === true;
}

interface Extension {
  name: string;
  /** The schema that it is in; null where the database does not have it yet. */
  schema: string | null;
  /** Whether the server has its files. */
  isAvailable: boolean;
  /** Whether the owner of a database may make it. */
  isTrusted: boolean;
}

async function readExtensions(client: Client): Promise<Extension[]> {
  const { rows } = await client.query<Extension>(
    `select needed as name, nspname::text as schema,
      exists (select from pg_available_extensions where name = needed) as "isAvailable",
      exists (select from pg_available_extension_versions where name = needed and trusted) as "isTrusted"
    from unnest($1::text[]) as needed
    left join pg_extension on extname = needed left join pg_namespace on pg_namespace.oid = extnamespace
    order by needed`,
    [neededExtensions],
  );
  return rows;
}

function extensionProblem(server: Server, { name, schema, isAvailable, isTrusted }: Extension): string[] {
  const inDatabase = `in the database ${server.database}`;
  if (schema !== null && schema !== 'public')
    return [
      `Its extension ${name} is in the schema ${schema}. Ask its administrator to run ${inDatabase}: alter extension ${name} set schema public;`,
    ];
  if (schema !== null) return [];
  if (!isAvailable)
    return [
      `It does not have the extension ${name}. Ask its administrator to install Postgres' own extensions on that server (package postgresql-contrib on many systems).`,
    ];
  if (server.isSuperuser || (isTrusted && server.mayCreateSchemas)) return [];
  return [
    `${server.user} may not make the extension ${name}. Ask its administrator to run ${inDatabase}: create extension ${name} schema public;`,
  ];
}

/** Why Tara cannot run in the database, a line each, with what to ask its administrator for; empty when it can. */
async function findProblems(client: Client, server: Server): Promise<string[]> {
  const { version, number, encoding, locale, user, database } = server;
  if (number < oldestVersion * 10_000)
    return [`It is Postgres ${version}; Tara needs ${oldestVersion} or newer.`];
  const create = `create database NAME owner ${user} template template0 encoding 'UTF8' locale 'C.UTF-8';`;
  const problems: string[] = [];
  if (encoding !== 'UTF8')
    problems.push(
      `Its encoding is ${encoding}; Tara needs UTF8. Make another database, whose encoding cannot be changed later: ${create}`,
    );
  else if (!(await knowsLetters(client)))
    problems.push(
      `Its locale ${locale} does not know letters such as É, which searches need in lower case. Make another database: ${create}`,
    );
  if (server.isReadOnly) problems.push('It is read-only: a replica, or default_transaction_read_only is on.');
  if (!server.mayCreateSchemas)
    problems.push(
      `${user} may not make schemas in it. Ask its administrator to run: grant create on database ${database} to ${user};`,
    );
  if (server.mayCreateTables === null)
    problems.push(
      `It has no schema public. Ask its administrator to run in the database ${database}: create schema public authorization ${user};`,
    );
  else if (!server.mayCreateTables)
    problems.push(
      `${user} may not make tables in it. Ask its administrator to run in the database ${database}: grant create on schema public to ${user};`,
    );
  for (const extension of await readExtensions(client)) problems.push(...extensionProblem(server, extension));
  return problems;
}

/** What is in the schemas that a move fills, but for what extensions made; the first five names. */
export async function findContent(client: Client, schemas: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `with filled as (select oid, nspname from pg_namespace where quote_ident(nspname) = any($1::text[])),
    content as (
      select 'pg_class'::regclass as class, pg_class.oid as id, format('%I.%I', nspname, relname) as name
      from pg_class join filled on filled.oid = relnamespace where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      union all select 'pg_proc'::regclass, pg_proc.oid, format('%I.%I()', nspname, proname)
      from pg_proc join filled on filled.oid = pronamespace
      union all select 'pg_type'::regclass, pg_type.oid, format('%I.%I', nspname, typname)
      from pg_type join filled on filled.oid = typnamespace where typtype in ('e', 'd', 'r')
      union all select 'pg_namespace'::regclass, oid, format('the schema %I', nspname) from filled where nspname <> 'public')
    select name from content where not exists (select from pg_depend
      where classid = class and objid = id and deptype = 'e')
    order by name limit 5`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/**
 * Whether two connections are to one database, whatever addresses they have: a lock that only the first can know of
 * is held in the second. It needs no rights.
 */
export async function isSameDatabase(one: Client, other: Client): Promise<boolean> {
  const key = randomBytes(8).readBigInt64BE().toString();
  await one.query('select pg_advisory_lock($1::bigint)', [key]);
  try {
    const { rows } = await other.query<{ isFree: boolean }>(
      'select pg_try_advisory_lock($1::bigint) as "isFree"',
      [key],
    );
    if (rows[0]?.isFree !== true) return true;
    await other.query('select pg_advisory_unlock($1::bigint)', [key]);
    return false;
  } finally {
    await one.query('select pg_advisory_unlock($1::bigint)', [key]);
  }
}

/** @returns the version. @throws MoveRefused that lists all that is wrong */
export async function checkTarget(client: Client): Promise<string> {
  const server = await readServer(client);
  const problems = await findProblems(client, server);
  if (problems.length > 0)
    throw new MoveRefused(['The target cannot be used; nothing was changed.', ...problems].join('\n'));
  return server.version;
}
