import { join } from 'node:path';
import { migrationsFolder, readConfig } from './config.ts';
import { chatDistributions } from './features/messages/index.ts';
import { proveLedger } from './features/payments/index.ts';
import {
  completeUrl,
  connectionOptions,
  DatabaseAddressError,
  settleTls,
} from './platform/database/address.ts';
import { readCluster } from './platform/database/cluster.ts';
import { connect } from './platform/database/connect.ts';
import { DistributeRefused, distributeTables, readPlacements } from './platform/database/distribute.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { pendingMigrations } from './platform/database/migrate.ts';
import { moveDatabase } from './platform/database/move/move.ts';
import { MoveRefused } from './platform/database/move/refused.ts';
import { quietLog } from './platform/log.ts';

/** ms that one rule of the ledger may take: it reads all of it. */
const proofTimeoutMs = 3_600_000;

interface Source {
  readonly url: string;
  /** Folder of the embedded database. */
  readonly folder: string | null;
  close(): Promise<void>;
}

/** The configured database. The embedded one is started for the move alone. @throws FolderInUse while a server runs on it */
async function openSource(): Promise<Source> {
  const { databaseUrl, dataDir } = readConfig(process.env, []);
  if (databaseUrl !== undefined)
    return { url: await settleTls(databaseUrl), folder: null, close: async () => {} };
  if ((await readCluster(dataDir).catch(() => undefined)) === undefined)
    throw new MoveRefused(`There is no database in ${dataDir} yet: start Tara once with npm start.`);
  const { url, stop } = await startEmbedded({ dataDir, log: quietLog() });
  return { url, folder: join(dataDir, 'postgres'), close: stop };
}

/** The address of the target as both drivers take it. @throws MoveRefused */
async function readTarget(address: string): Promise<string> {
  try {
    return await settleTls(completeUrl(address, undefined), 'The target');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = error instanceof DatabaseAddressError ? `URL ${error.message}.` : error.message;
    throw new MoveRefused(text, { cause: error });
  }
}

/** What is wrong in the ledger of a database by its own records, a line each. */
async function findLedgerDifferences(url: string): Promise<string[]> {
  const { database, close } = connect(url, { size: 1, statementTimeout: proofTimeoutMs });
  try {
    const { differences } = await proveLedger(database);
    return differences.map(({ rule, subject, text }) => `  ${subject}: ${text} (${rule})`);
  } finally {
    await close();
  }
}

/**
 * Copies the configured database into the one at `address`. `again` begins one anew that broke off.
 * @returns what was moved, and what is to be done next
 * @throws MoveRefused
 */
export async function moveConfigured(
  address: string,
  again: boolean,
  say: (text: string) => void,
): Promise<string> {
  const target = await readTarget(address);
  const source = await openSource();
  try {
    const moved = await moveDatabase({
      ...{ source: source.url, target, again, say },
      migrations: migrationsFolder,
      proveLedger: findLedgerDifferences,
    });
    const { host, port, database } = connectionOptions(target);
    const former = source.folder === null ? 'the database before' : source.folder;
    return [
      `${moved.tables} tables with ${moved.rows} rows are in ${database} of ${host}:${port}: counts, checksums and the ledger are the same on both sides.`,
      ...(moved.differences.length === 0
        ? []
        : ['The ledger does not add up on either:', ...moved.differences]),
      'What is left to do:',
      '  1. Set DATABASE_URL to the address that you gave, for npm start and for npm run admin.',
      '  2. Start Tara with npm start. Files and keys are where they were, in DATA_DIR.',
      `  3. Remove ${former} once you have seen that everything is there. It is as it was: a start on it would go on with the old rows.`,
    ].join('\n');
  } finally {
    await source.close();
  }
}

/** The configured database, which is one of its own: the embedded one is never part of a cluster. */
async function readConfiguredUrl(): Promise<string> {
  const { databaseUrl } = readConfig(process.env, []);
  if (databaseUrl === undefined)
    throw new DistributeRefused(
      'The embedded database has no workers: move it to the coordinator of a Citus cluster first, with database move URL.',
    );
  return settleTls(databaseUrl);
}

/**
 * Moves the tables of chats of the configured database onto the workers of its cluster, also while Tara runs.
 * @returns what was done
 * @throws DistributeRefused
 */
export async function distributeConfigured(say: (text: string) => void): Promise<string> {
  const url = await readConfiguredUrl();
  const pending = await pendingMigrations(url, migrationsFolder);
  if (pending.length > 0)
    throw new DistributeRefused(
      'The database is older than this version of Tara: start it once with npm start.',
    );
  const moved = await distributeTables(url, chatDistributions, { say });
  if (moved === 0) return 'The tables of chats are on the workers already: nothing changed.';
  return `${moved} tables are on the workers. npm run admin -- database status shows how evenly.`;
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Where the tables of chats of the configured database are, and how evenly its workers are filled: lines for an operator. */
export async function describePlacements(): Promise<string> {
  const tables = chatDistributions.map(({ table }) => table);
  const { workers, placements } = await readPlacements(await readConfiguredUrl(), tables);
  const lines = placements.flatMap(({ table, bytes, workers: places }) => [
    `  ${table}: ${megabytes(bytes)} ${places.length === 0 ? 'here' : `on ${places.length} workers`}`,
    ...places.map((place) => `    ${place.worker}: ${place.shards} shards, ${megabytes(place.bytes)}`),
  ]);
  if (workers === null) return ['The database is one Postgres, which has all tables:', ...lines].join('\n');
  const filled = workers.map((worker) =>
    placements
      .flatMap((placement) => placement.workers)
      .filter((place) => place.worker === worker)
      .reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const mean = filled.reduce((sum, bytes) => sum + bytes, 0) / filled.length;
  const share = mean > 0 ? (Math.max(...filled) / mean).toFixed(2) : null;
  return [
    `The database is a Citus cluster with ${workers.length} workers. Tables of chats, with their indexes:`,
    ...lines,
    share === null
      ? 'None of them is on a worker yet: npm run admin -- database distribute moves them.'
      : `The fullest worker has ${share} times as much as they have on average.`,
  ].join('\n');
}
