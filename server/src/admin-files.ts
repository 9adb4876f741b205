import { join } from 'node:path';
import { nowMs } from '@tara/contract/clock';
import { Refused } from './admin-refused.ts';
import { readConfig } from './config.ts';
import { checkStore, type StoreCheck } from './features/file-check/index.ts';
import { findChecksums, isKept, mayBeIdentity } from './features/files/index.ts';
import type { Connection } from './platform/database/connect.ts';
import { rotateDocumentsKey } from './platform/files/documents-key.ts';
import { openFolderStore } from './platform/files/folder.ts';
import { moveFiles } from './platform/files/move.ts';
import { filesFolder, proveStore } from './platform/files/open.ts';
import type { S3Settings, S3Store } from './platform/files/s3.ts';
import { StoreAway } from './platform/files/store.ts';
import { noteDocumentsKeys } from './platform/keys/keys.ts';

/** Longest pause of an S3 store that a command waits for, ms. */
const storeTimeoutMs = 30_000;
/** How often a command sends a request to an S3 store that fails, such as one that is asked too often. */
const storeAttempts = 5;
/** Most names of files in a line of a report. */
const mostNames = 20;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Calls `work` with the configured S3 store. @throws StoreAway when it does not answer */
async function withStore<Result>(
  settings: S3Settings,
  work: (store: S3Store) => Promise<Result>,
): Promise<Result> {
  const { openS3Store } = await import('./platform/files/s3.ts');
  const store = openS3Store(settings, { timeoutMs: storeTimeoutMs, attempts: storeAttempts });
  try {
    if (!(await proveStore(store)))
      throw new StoreAway('The store at S3_ENDPOINT does not answer: nothing was done.');
    return await work(store);
  } finally {
    store.close();
  }
}

const openFolder = (dataDir: string) => openFolderStore(filesFolder(dataDir), { isShared: true });

/** Copies all files of the folder into the store, or back. */
export async function moveStoredFiles({ database }: Connection, source: 'folder' | 'store'): Promise<string> {
  const { s3, dataDir } = readConfig(process.env, []);
  if (s3 === undefined) throw new Refused('S3_ENDPOINT must be set, and the four settings beside it.');
  return withStore(s3, async (store) => {
    const folder = await openFolder(dataDir);
    const [from, to] = source === 'folder' ? [folder, store] : [store, folder];
    const moved = await moveFiles({
      ...{ from, to, journal: join(dataDir, 'files-move') },
      title: `from ${source}: ${filesFolder(dataDir)}, ${s3.endpoint} ${s3.bucket}`,
      findChecksums: (keys) => findChecksums(database, keys),
    });
    const { copied, proven, bytes, failures } = moved;
    const done = `${copied} files (${megabytes(bytes)}) were copied and read back with the same SHA-256; ${proven} were copied by an earlier run and are the same.`;
    if (failures.length > 0)
      throw new Refused(
        [done, ...describeFailures('were not moved as they were stored', failures)].join('\n'),
      );
    const next =
      source === 'folder'
        ? 'Start Tara with the settings of the store; the folder is no longer needed then.'
        : 'Start Tara without the settings of the store; the bucket is no longer needed then.';
    return `${done}\n${next} If it ran meanwhile, stop it and run this once more first.`;
  });
}

const describeFailures = (what: string, failures: readonly { key: string; reason: string }[]) => [
  `${failures.length} files ${what}:`,
  ...failures.slice(0, mostNames).map(({ key, reason }) => `  ${key}: ${reason}`),
];

/** Compares records and files, and removes files without records. */
export async function checkFiles({ database }: Connection): Promise<string> {
  const { s3, dataDir } = readConfig(process.env, []);
  if (s3 === undefined)
    return describeCheck(await checkStore({ database, files: await openFolder(dataDir) }), 0);
  return withStore(s3, async (store) => {
    const check = await checkStore({ database, files: store });
    const aborted = await store.abortUploads(new Date(nowMs() - 24 * 3600_000)).catch((error: Error) => {
      check.failures.push({ key: 'uploads that never ended', reason: error.message });
      return 0;
    });
    return describeCheck(check, aborted);
  });
}

/** @throws Refused with the same words when a file is missing, or could not be checked */
function describeCheck(check: StoreCheck, aborted: number): string {
  const { counts, missing, parked, removed, foreign, failures } = check;
  const named = (what: string, keys: readonly string[]) =>
    keys.length === 0
      ? []
      : [`${keys.length} ${what}:`, ...keys.slice(0, mostNames).map((key) => `  ${key}`)];
  const lines = [
    `Compared: ${counts.expected} files of records with ${counts.objects} stored ones.`,
    ...named('are missing, and their records are there', missing),
    ...named('have no record and go after 7 days', parked),
    ...named('had no record and were removed', removed),
    ...named('have names that Tara does not give; they stay', foreign),
    ...(aborted > 0 ? [`${aborted} uploads to the store that never ended were removed.`] : []),
    ...(failures.length > 0 ? describeFailures('could not be checked', failures) : []),
  ];
  if (missing.length + failures.length > 0) throw new Refused(lines.join('\n'));
  return lines.join('\n');
}

/** Encrypts identity pictures with a new key. With files in a folder it needs no database: only the keys and the files. */
export async function rotate(connection: Connection | null): Promise<string> {
  const { documentsKey, dataDir, s3 } = readConfig(process.env, []);
  const changed =
    s3 === undefined || connection === null
      ? await rotateDocumentsKey(documentsKey, dataDir)
      : await withStore(s3, (store) =>
          rotateDocumentsKey(documentsKey, dataDir, {
            store,
            isKept: (key) => isKept(connection.database, key),
            isDocument: mayBeIdentity,
            noteKeys: (known) => noteDocumentsKeys({ database: connection.database, dataDir }, known),
          }),
        );
  const rest = documentsKey
    ? 'Once no server runs with the old key first, restart with DOCUMENTS_KEY=NEW alone.'
    : `The new key is in ${dataDir}/documents.key: back it up. A running server uses it already.`;
  return `${changed} files are wrapped with the new key. ${rest}`;
}
