import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { ZipFile } from 'yazl';
import * as z from 'zod';
import type { Database } from '../../platform/database/connect.ts';
import { readProven } from '../../platform/files/checksum.ts';
import { FileNotFound, type FileStore } from '../../platform/files/store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sealer } from '../../platform/seal.ts';
import { files, originalPicture, type StoredPicture } from '../files/index.ts';
import { exportStatement } from '../payments/index.ts';
import { profiles } from '../profiles/index.ts';
import { hiddenName } from '../visibility/index.ts';
import { type Exported, type MemberIds, type PersonalTable, primaryKey } from './entry.ts';
import { personalTables } from './list.ts';

export type ZipContext = Pick<Platform, 'database' | 'files'> & {
  /** The file store, decrypting: for identity pictures. */
  documents: FileStore;
};

/** Rows that are read at once. */
const batchSize = 500;

/** A member's data as a zip, made while it is read. */
export function personalDataZip(context: ZipContext, member: MemberIds, signal: AbortSignal): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) =>
    void output.destroy(error instanceof Error ? error : new Error(String(error)));
  const add = (path: string, rows: AsyncIterable<string | Buffer>, compress: boolean) =>
    zip.addReadStreamLazy(path, { compress }, (done) =>
      // The zip does not listen: an error of what it reads would end the process.
      done(null, Readable.from(rows, { objectMode: false }).once('error', fail)),
    );
  zip.addBuffer(Buffer.from(readme), 'README.txt');
  for (const entry of personalTables) {
    const { exported } = entry;
    if ('none' in exported) continue;
    add(
      `${nameOf(entry.table)}.json`,
      jsonOf(context.database, { ...entry, exported }, member, signal),
      true,
    );
  }
  add('statement.json', writeStatement(context.database, member), true);
  // The pictures' entries are only known by reading, so they are added before the zip is closed.
  void addPictures(context, member, signal, add).then(() => zip.end(), fail);
  zip.on('error', fail);
  return output;
}

const nameOf = (table: PgTable) => getTableConfig(table).name;

const readme = [
  'Your data from Tara',
  'Each .json file is one kind of record, as a list; times are in UTC, amounts in centavos.',
  'The pictures are in the folder pictures, named by the ids of files.json.',
  'It contains neither what others wrote nor who blocked whom.',
].join('\n');

/** What an export puts in place of a row's ids of members. */
function presentMembers(
  { table, members }: PersonalTable,
  without: readonly string[],
  { accountId, profileId }: MemberIds,
) {
  const columns = members
    .filter((name) => !without.includes(name))
    .map((name) => ({ name, value: sql`${table}.${sql.identifier(name)}` }));
  const isAccount = ({ name }: { name: string }) => name.includes('account');
  const profileColumns = columns
    .filter((column) => !isAccount(column))
    .map((column) => ({ ...column, hidden: hiddenName(sql`${profileId}`, column.value) }));
  const fields = [
    // Of accounts the member knows its own alone.
    ...columns
      .filter(isAccount)
      .map(({ name, value }) => sql`, ${name}::text, case when ${value} = ${accountId} then ${value} end`),
    // Beside each id of a profile the name by which the member knows people: the one that the row stored, or that they had
    // when one of the two blocked the other, who then has no id.
    ...profileColumns.map(({ name, value, hidden }) => {
      const label = name.replace(/(_id)?$/, '_name');
      return sql`, ${name}::text, case when ${hidden} is null then ${value} end,
        ${label}::text, coalesce(to_jsonb(${table}) ->> ${label}::text, ${hidden},
          (select ${profiles.name} from ${profiles} where ${profiles.id} = ${value}))`;
    }),
  ];
  return { fields, isVisible: and(...profileColumns.map(({ hidden }) => sql`${hidden} is null`)) };
}

/** A table's rows of a member as a JSON list, read in batches by the primary key. */
async function* jsonOf(
  database: Database,
  entry: PersonalTable & { exported: Exported },
  member: MemberIds,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { table, own, exported } = entry;
  const { without, onlyFor = {}, omitsHidden } = exported;
  const key = primaryKey(table);
  const { fields, isVisible } = presentMembers(entry, without, member);
  let after: unknown[] | null = null;
  let isFirst = true;
  yield '[';
  for (;;) {
    signal.throwIfAborted();
    const stored: StoredRows[] = await database.execute<StoredRows>(sql`
      select to_jsonb(${table}) as row, jsonb_build_array(${key}) as key from ${table} where ${and(
        own(member),
        after === null
          ? undefined
          : sql`(${key}) > (${sql.join(
              after.map((value) => sql`${value}`),
              sql`, `,
            )})`,
      )}
      order by ${key} limit ${batchSize}`);
    // Under the name of their table: on a Citus cluster chats are not joined with the members whom they name.
    const rows = await database.execute<{ row: Record<string, unknown> }>(sql`
      with ${table} as (
        select * from jsonb_populate_recordset(null::${table}, ${JSON.stringify(stored.map(({ row }) => row))}::text::jsonb))
      select to_jsonb(${table}) || jsonb_build_object('_', null::text ${sql.join(fields)}) - '_' as row
      from ${table} ${omitsHidden && isVisible ? sql`where ${isVisible}` : sql``} order by ${key}`);
    for (const { row } of rows) {
      const isShown = (name: string) => {
        const side = onlyFor[name];
        return !without.includes(name) && (side === undefined || row[side] === member.profileId);
      };
      const shown = Object.fromEntries(Object.entries(row).filter(([name]) => isShown(name)));
      yield `${isFirst ? '' : ','}\n${JSON.stringify(shown)}`;
      isFirst = false;
    }
    const last = stored.at(-1);
    if (last === undefined || stored.length < batchSize) break;
    after = last.key;
  }
  yield '\n]\n';
}

interface StoredRows extends Record<string, unknown> {
  row: Record<string, unknown>;
  /** Its primary key. */
  key: unknown[];
}

/** What moved of the member's money, with the balance after each movement. */
async function* writeStatement(database: Database, { profileId }: MemberIds): AsyncGenerator<string> {
  yield JSON.stringify(await exportStatement(database, profileId), null, 1);
}

/** Adds each of a member's pictures as it is stored, identity pictures too. */
async function addPictures(
  { database, files: store, documents }: ZipContext,
  { accountId }: MemberIds,
  signal: AbortSignal,
  add: (path: string, content: AsyncIterable<Buffer>, compress: boolean) => void,
): Promise<void> {
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const rows = await database
      .select()
      .from(files)
      .where(and(eq(files.ownerAccountId, accountId), gt(files.id, after), isNotNull(files.usedAt)))
      .orderBy(asc(files.id))
      .limit(batchSize);
    for (const file of rows) {
      const { id, bucket, mimeType } = file;
      const source = bucket === 'verificationFiles' ? documents : store;
      const extension = mimeType.split('/')[1] ?? 'bin';
      add(`pictures/${id}.${extension}`, readPicture(source, originalPicture(file)), false);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = last.id;
  }
}

/** One stored file; nothing when it was removed meanwhile. */
async function* readPicture(store: FileStore, picture: StoredPicture): AsyncGenerator<Buffer> {
  try {
    yield await readProven(store, picture);
  } catch (error) {
    if (!(error instanceof FileNotFound)) throw error;
  }
}

/** Where the file of an export is. */
export const exportFileKey = (exportId: string) => `exports/${exportId}`;

const purpose = 'data export';
const algorithm = 'aes-256-gcm';
/** Bytes of one read: a download holds no more of the file in memory. */
const partLength = 1024 * 1024;

const FileKey = z.object({ key: z.string(), nonce: z.string(), tag: z.string() });

/** What opens a stored export. */
export interface StoredExport {
  sealedKey: string;
  sizeBytes: number;
}

/**
 * Stores an export as it is made, encrypted by a key of its own: it holds everything of a person, identity pictures too.
 * @throws what `content` throws; then nothing is stored.
 */
export async function storeExport(
  { files, sealer }: { files: FileStore; sealer: Sealer },
  exportId: string,
  content: Readable,
): Promise<StoredExport> {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce);
  let sizeBytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await Promise.all([pipeline(content, count, cipher), files.put(exportFileKey(exportId), cipher)]);
  const secrets = { key, nonce, tag: cipher.getAuthTag() };
  const encoded = Object.fromEntries(
    Object.entries(secrets).map(([name, bytes]) => [name, bytes.toString('base64')]),
  );
  return { sealedKey: sealer.seal(purpose, encoded), sizeBytes };
}

/** Reads a stored export. The stream fails at its end when the file was changed. */
export function readExport(
  { files, sealer }: { files: FileStore; sealer: Sealer },
  exportId: string,
  { sealedKey, sizeBytes }: StoredExport,
): Readable {
  const secrets = FileKey.parse(sealer.open(purpose, sealedKey));
  const [key, nonce, tag] = [secrets.key, secrets.nonce, secrets.tag].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer];
  async function* parts() {
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: 16 });
    decipher.setAuthTag(tag);
    for (let start = 0; start < sizeBytes; start += partLength) {
      const end = Math.min(start + partLength, sizeBytes) - 1;
      yield decipher.update(await files.read(exportFileKey(exportId), { start, end }));
    }
    decipher.final();
  }
  return Readable.from(parts(), { objectMode: false });
}
