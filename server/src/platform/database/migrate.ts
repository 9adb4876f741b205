import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Log } from '../log.ts';
import { StartRefused } from '../start-refused.ts';
import { openDriver } from './address.ts';

interface Migration {
  readonly name: string;
  readonly statements: string;
  /** SHA-256 of the file: an applied migration must never change. */
  readonly checksum: string;
}

/** The migrations do not fit the database or each other; the message says which and why. */
export class MigrationError extends StartRefused {
  override readonly name = 'MigrationError';
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  return Promise.all(
    names.map(async (name) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
      if (!number) throw new MigrationError(`${name} must be named like 0001_accounts.sql.`);
      if (numbers.has(number)) throw new MigrationError(`Two migrations have the number ${number}.`);
      numbers.add(number);
      const statements = await readFile(join(folder, name), 'utf8');
      return { name, statements, checksum: createHash('sha256').update(statements).digest('hex') };
    }),
  );
}

function pending(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  const lost = [...applied.keys()].find((name) => !known.has(name));
  if (lost) {
    throw new MigrationError(
      `The database has ${lost}, which this version does not know: it is newer than the code.`,
    );
  }
  const last = [...applied.keys()].sort().at(-1) ?? '';
  return migrations.filter(({ name, checksum }) => {
    const before = applied.get(name);
    if (before === undefined && name < last) {
      throw new MigrationError(`${name} comes before ${last}, which is applied: migrations only go forward.`);
    }
    if (before !== undefined && before !== checksum) {
      throw new MigrationError(`${name} was changed after it was applied; write a new migration instead.`);
    }
    return before === undefined;
  });
}

/**
 * The names of the migrations that the database does not have yet; nothing is applied.
 * @throws MigrationError when history does not fit
 */
export async function pendingMigrations(url: string, folder: string): Promise<string[]> {
  const sql = openDriver(url, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    const [table] = await sql`select to_regclass('schema_migrations') is not null as there`;
    const applied = table?.there === true ? await readApplied(sql) : new Map<string, string>();
    return pending(await readMigrations(folder), applied).map(({ name }) => name);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Checksums of the applied migrations by their names. */
async function readApplied(sql: ReturnType<typeof openDriver>): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`;
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Any number of our own, the same in every version: it names the advisory lock. */
const migrationLock = 7_420_001;

/**
 * Brings the database forward: applies the files `NNNN_name.sql` of the folder that it does not have yet, each in one
 * transaction and with a line in the log. Several nodes may start at once: one migrates, the others wait for it.
 * @returns the names applied now.
 * @throws MigrationError when a file fails or history does not fit.
 */
export async function migrate(url: string, folder: string, log?: Log): Promise<string[]> {
  const sql = openDriver(url, {
    max: 1,
    max_lifetime: null,
    onnotice: () => {},
    connect_timeout: 10,
  });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await sql`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const todo = pending(await readMigrations(folder), await readApplied(sql));
    for (const { name, statements, checksum } of todo) {
      const startedAt = performance.now();
      try {
        await sql.begin(async (transaction) => {
          await transaction.unsafe(statements);
          await transaction`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`;
        });
      } catch (error) {
        throw new MigrationError(`${name} failed and changed nothing: ${describe(error, statements)}`, {
          cause: error,
        });
      }
      log?.info({ migration: name, ms: Math.round(performance.now() - startedAt) }, 'applied a migration');
    }
    return todo.map(({ name }) => name);
  } finally {
    await sql.end({ timeout: 1 }); // Ends the session, and with it the lock.
  }
}

function describe(error: unknown, statements: string): string {
  if (!(error instanceof postgres.PostgresError)) return String(error);
  const position = Number(error.position);
  const line = position ? ` (line ${statements.slice(0, position).split('\n').length})` : '';
  return `${error.message}${line}${error.detail ? ` ${error.detail}` : ''}`;
}
