import pg, { type Client } from 'pg';
import { migrateJobs } from '../../jobs/migrate.ts';
import { quietLog } from '../../log.ts';
import { safeMessage } from '../../log-errors.ts';
import { ownParts, SecondNode } from '../../nodes/admission.ts';
import { holdDatabase } from '../../nodes/hold.ts';
import { connectionOptions } from '../address.ts';
import { migrate, pendingMigrations } from '../migrate.ts';
import {
  compareTables,
  readChecks,
  readDistributed,
  readSequences,
  readTables,
  schemasOf,
  type Table,
} from './catalogue.ts';
import { readMark, removeMark, setMark } from './mark.ts';
import { MoveRefused } from './refused.ts';
import { copyRows, type Summary, summarize } from './rows.ts';
import { checkTarget, findContent, isSameDatabase } from './target.ts';

interface MoveOptions {
  /** Address of the database whose rows are copied; it is only read. */
  readonly source: string;
  /** Address of the database that gets them. Both have a definite `sslmode` (`settleTls`). */
  readonly target: string;
  /** Folder of the migrations. */
  readonly migrations: string;
  /** Whether one that broke off is begun anew. */
  readonly again: boolean;
  /** Is told of each step, a line each. */
  readonly say: (text: string) => void;
  /** What is wrong in the ledger of a database, a line each; it must be the same on both sides. */
  readonly proveLedger: (url: string) => Promise<string[]>;
}

/** Without limits of time, which a role or a database may have, and with the same text of every value on both sides. */
const sessionSettings = `
  select set_config(name, '0', false) from pg_settings where name in ('statement_timeout', 'lock_timeout',
    'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout');
  set client_encoding to 'UTF8';
  set timezone to 'UTC';
  set datestyle to 'ISO, YMD';
  set intervalstyle to 'postgres';
  set bytea_output to 'hex';
  set extra_float_digits to 1;
  set row_security to off`;

async function open(url: string): Promise<Client> {
  const client = new pg.Client({
    ...connectionOptions(url),
    application_name: 'tara database move',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // One that is lost fails the statement under way, which says so; unheard, it would end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query(sessionSettings);
  return client;
}

/** ms that a server, or a move that was killed, has to end. */
const endingTimeoutMs = 500;

/**
 * Keeps every server away from a database while the work goes on, which can ask whether that is so still.
 * @throws MoveRefused when one runs on it
 */
async function withoutServers<Result>(
  url: string,
  which: string,
  work: (requireHold: () => void) => Promise<Result>,
): Promise<Result> {
  let isLost = false;
  const onLost = () => {
    isLost = true;
  };
  const hold = await holdDatabase(url, {
    log: quietLog(),
    parts: ownParts,
    timeoutMs: endingTimeoutMs,
    onLost,
  }).catch((error: unknown) => {
    if (!(error instanceof SecondNode)) throw error;
    throw new MoveRefused(`A server is running on the ${which}: stop it, and then move the database.`);
  });
  try {
    return await work(() => {
      if (isLost)
        throw new MoveRefused(
          `A server was started on the ${which} meanwhile. Stop it, and run the same command with --again.`,
        );
    });
  } finally {
    await hold.release();
  }
}

/** What was moved. */
export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** What is wrong in the ledger, on both sides alike. */
  readonly differences: readonly string[];
}

/**
 * Copies a whole database into an empty one: its tables by the migrations, its rows from one snapshot in one transaction,
 * which is undone as a whole when anything breaks off. Counts and checksums of all tables and the ledger are compared.
 * @throws MoveRefused
 */
export async function moveDatabase(options: MoveOptions): Promise<Moved> {
  const source = await open(options.source);
  try {
    const target = await open(options.target);
    try {
      if (await isSameDatabase(source, target))
        throw new MoveRefused('The target is the database that is moved: name another one.');
      return await withoutServers(options.source, 'database that is moved', (requireSource) =>
        withoutServers(options.target, 'target', (requireTarget) =>
          move(source, target, {
            ...options,
            requireHold: () => {
              requireSource();
              requireTarget();
            },
          }),
        ),
      );
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

async function move(
  source: Client,
  target: Client,
  options: MoveOptions & { requireHold: () => void },
): Promise<Moved> {
  const { say, migrations, requireHold } = options;
  if ((await readMark(source)) !== null)
    throw new MoveRefused('The database that is moved is itself the target of a move that is not done.');
  const distributed = await readDistributed(source);
  if (distributed.length > 0)
    throw new MoveRefused(
      `The rows of ${distributed.join(', ')} are on the workers of a Citus cluster, of which there is no common snapshot: bring them back to the coordinator first (docs/operations.md, Chats on the workers of a Citus cluster).`,
    );
  const pending = await pendingMigrations(options.source, migrations);
  if (pending.length > 0)
    throw new MoveRefused(
      `The database that is moved is of an older version (it lacks ${pending[0]}): start Tara once, stop it, and then move it.`,
    );
  const version = await checkTarget(target);
  await source.query('begin isolation level repeatable read read only');
  const tables = await readTables(source);
  await begin(target, schemasOf(tables), options.again);
  say(`Making the tables in Postgres ${version} …`);
  await migrateJobs(options.target);
  await migrate(options.target, migrations);
  await compareCatalogues(target, tables);
  const summaries = await copyAll(source, target, tables, say);
  const differences = await compareLedgers(options);
  await target.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
  // What a server wrote meanwhile was not copied, or would be written over.
  requireHold();
  await removeMark(target);
  return {
    tables: tables.length,
    rows: summaries.reduce((sum, { rows }) => sum + rows, 0),
    differences,
  };
}

/** Marks an empty target; one that is marked is used again when that is wanted. @throws MoveRefused */
async function begin(target: Client, schemas: readonly string[], again: boolean): Promise<void> {
  const begunAt = await readMark(target);
  if (begunAt !== null && again) return;
  if (begunAt !== null)
    throw new MoveRefused(
      `A move into the target began at ${begunAt} UTC and is not done. Run the same command with --again: it empties the tables that the move made there, and copies everything anew.`,
    );
  const content = await findContent(target, schemas);
  if (content.length > 0)
    throw new MoveRefused(
      `The target is not empty, and nothing in it was changed: it has ${content.join(', ')}. Make a database for Tara alone.`,
    );
  await setMark(target);
}

async function compareCatalogues(target: Client, tables: readonly Table[]): Promise<void> {
  const schemas = schemasOf(tables).map((schema) => `${schema}.`);
  const created = (await readTables(target)).filter(({ name }) =>
    schemas.some((schema) => name.startsWith(schema)),
  );
  const problems = compareTables(tables, created);
  if (problems.length > 0)
    throw new MoveRefused(
      ['The tables are not those that the migrations make; no row was copied.', ...problems].join('\n'),
    );
}

/** Copies and compares all rows in one transaction of the target. @throws MoveRefused after which none is there */
async function copyAll(
  source: Client,
  target: Client,
  tables: readonly Table[],
  say: (text: string) => void,
): Promise<Summary[]> {
  let current = 'the first table';
  try {
    await target.query('begin');
    const names = tables.map(({ name }) => name);
    const checks = await readChecks(target, names);
    for (const { suspend } of checks) await target.query(suspend);
    // What the migrations wrote.
    await target.query(`truncate ${names.join(', ')}`);
    const summaries: Summary[] = [];
    for (const table of tables) {
      current = table.name;
      await copyRows(source, target, table);
      const [before, after] = await Promise.all([summarize(source, table), summarize(target, table)]);
      if (before.rows !== after.rows || before.checksum !== after.checksum)
        throw new MoveRefused(
          `${current} is not the same on both sides: ${before.rows} rows here, ${after.rows} there, checksums ${before.checksum} and ${after.checksum}.`,
        );
      say(`${current}: ${after.rows} rows`);
      summaries.push(after);
    }
    current = 'the sequences';
    for (const { name, value, isCalled } of await readSequences(source))
      await target.query('select setval($1::regclass, $2::bigint, $3)', [name, value, isCalled]);
    current = 'the foreign keys and triggers';
    for (const { resume } of checks) await target.query(resume);
    await target.query('commit');
    return summaries;
  } catch (error) {
    await target.query('rollback').catch(() => {}); // Its connection is lost: Postgres does it.
    const reason = error instanceof Error ? safeMessage(error) : String(error);
    throw new MoveRefused(
      `The move broke off at ${current}, and no row was copied: ${reason}\nRun the same command with --again once the cause is gone.`,
      { cause: error },
    );
  }
}

/** Proves both ledgers. @throws MoveRefused when they differ */
async function compareLedgers({ source, target, proveLedger }: MoveOptions): Promise<string[]> {
  const before = await proveLedger(source);
  const after = await proveLedger(target);
  if (before.join('\n') === after.join('\n')) return after;
  throw new MoveRefused(
    ['The ledger is not the same on both sides.', 'Here:', ...before, 'There:', ...after].join('\n'),
  );
}
