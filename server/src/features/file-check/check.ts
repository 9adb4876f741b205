import { and, eq, gt, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/connect.ts';
import { isEncrypted } from '../../platform/files/encrypted.ts';
import { checkKey, FileNotFound, type FileStore, StoreAway } from '../../platform/files/store.ts';
import { safeMessage } from '../../platform/log-errors.ts';
import { accounts } from '../accounts/index.ts';
import {
  fileKeys,
  files,
  findReferences,
  identityFolder,
  mayBeIdentity,
  objectRemovals,
  partKeys,
  uploads,
} from '../files/index.ts';
import { dataExports, exportFileKey } from '../personal-data/index.ts';

/** Records that refer to objects of the store. */
interface ObjectOwner {
  /** Those of the keys that a record refers to. */
  find(database: Database, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The objects that must be there of the records of before a time, in batches. */
  keys(database: Database, before: Date): AsyncIterable<readonly string[]>;
}

/** What a check of the store found and did. */
export interface StoreCheck {
  /** Objects that the store has, and those that records refer to. */
  counts: { objects: number; expected: number };
  /** Objects that records refer to and the store does not have. */
  missing: string[];
  /** Objects that no record refers to, which go after 7 days; among them those of earlier checks. */
  parked: string[];
  /** Objects that no record refers to and that were removed at once. */
  removed: string[];
  /** Objects whose names Tara never gives; they stay. */
  foreign: string[];
  /** Objects that could not be looked at or removed, each with the reason. */
  failures: { key: string; reason: string }[];
}

interface CheckContext {
  /** One connection that lasts: what the store lists is in a table of its session. */
  database: Database;
  files: FileStore;
}

/** Rows and objects of one round. */
const batchSize = 500;
const parkedFor = sql`now() + interval '7 days'`;

/** Files and unfinished uploads. */
const fileOwner: ObjectOwner = {
  find: findReferences,
  async *keys(database, before) {
    for (let after = ''; ; ) {
      const rows = await database
        .select({ id: files.id, path: files.path, variants: files.variants })
        .from(files)
        .where(and(gt(files.id, after), lt(files.createdAt, before)))
        .orderBy(files.id)
        .limit(batchSize);
      yield rows.flatMap(fileKeys);
      const last = rows.at(-1);
      if (last === undefined || rows.length < batchSize) break;
      after = last.id;
    }
    for (let after = ''; ; ) {
      const rows = await database
        .select()
        .from(uploads)
        .where(and(gt(uploads.id, after), lt(uploads.updatedAt, before)))
        .orderBy(uploads.id)
        .limit(batchSize);
      yield rows.flatMap((row) => partKeys(row, row.parts));
      const last = rows.at(-1);
      if (last === undefined || rows.length < batchSize) return;
      after = last.id;
    }
  },
};

const exportPrefix = exportFileKey('');

/** Exports that are ready and not expired; of the others the object may be there or not. */
const exportOwner: ObjectOwner = {
  async find(database, keys) {
    const ids = keys
      .filter((key) => key.startsWith(exportPrefix))
      .map((key) => key.slice(exportPrefix.length));
    const rows = await database
      .select({ id: dataExports.id })
      .from(dataExports)
      .where(inArray(dataExports.id, ids));
    return new Set(rows.map(({ id }) => exportFileKey(id)));
  },
  async *keys(database, before) {
    for (let after = ''; ; ) {
      const rows = await database
        .select({ id: dataExports.id })
        .from(dataExports)
        .where(
          and(
            gt(dataExports.id, after),
            lt(dataExports.readyAt, before),
            gt(dataExports.expiresAt, sql`now()`),
          ),
        )
        .orderBy(dataExports.id)
        .limit(batchSize);
      yield rows.map(({ id }) => exportFileKey(id));
      const last = rows.at(-1);
      if (last === undefined || rows.length < batchSize) return;
      after = last.id;
    }
  },
};
const owners = [fileOwner, exportOwner];

const isForeign = (key: string) => {
  try {
    return checkKey(key) !== key;
  } catch {
    return true;
  }
};

/** The owner in the paths of files and parts; undefined in those of before migration 0230. */
const ownerInKey = (key: string): string | undefined =>
  /^(?:files|parts|identity)\/([^/]+)\/[^/]+\/[^/]+$/.exec(key)?.[1];

/**
 * Compares the records with the objects of the store, both ways. An object without a record is parked for 7 days; one of an
 * identity picture, an export or a deleted account goes at once, unless records refer to no object at all: then the
 * database may be that of another store. Nodes may run meanwhile.
 * @throws StoreAway when the store does not answer at all
 */
export async function checkStore({ database, files: store }: CheckContext): Promise<StoreCheck> {
  const check: StoreCheck = {
    counts: { objects: 0, expected: 0 },
    ...{ missing: [], parked: [], removed: [], foreign: [], failures: [] },
  };
  const startedAt = await readTime(database);
  /** Does something about one object; when it fails, the others are still done. */
  async function attempt(key: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Away for this object alone, or for all.
      if (error instanceof StoreAway) await store.exists('start/probe');
      check.failures.push({ key, reason: safeMessage(error as Error) });
    }
  }
  async function findOwned(keys: readonly string[]): Promise<Set<string>> {
    const owned = await Promise.all(owners.map((owner) => owner.find(database, keys)));
    return new Set(owned.flatMap((ownedKeys) => [...ownedKeys]));
  }

  await listObjects({ database, files: store }, check);
  let isOwn = false;
  for (const owner of owners) {
    for await (const keys of owner.keys(database, startedAt)) {
      check.counts.expected += keys.length;
      const listed = await findListed(database, keys);
      isOwn ||= listed.size > 0;
      for (const key of keys.filter((name) => !listed.has(name))) {
        await attempt(key, async () => {
          if (await store.exists(key)) return;
          // Its record may have gone meanwhile.
          if ((await findOwned([key])).has(key)) check.missing.push(key);
        });
      }
    }
  }
  for await (const keys of unownedObjects(database, findOwned)) {
    const gone = await findDeleted(database, keys);
    for (const key of keys) {
      await attempt(key, async () => {
        const isDue = isOwn && (gone.has(key) || (await isPrivate(store, key)));
        if (isDue) {
          await store.delete(key);
          await database.delete(objectRemovals).where(eq(objectRemovals.key, key));
          check.removed.push(key);
          return;
        }
        await database.insert(objectRemovals).values({ key, dueAt: parkedFor }).onConflictDoNothing();
        check.parked.push(key);
      });
    }
  }
  return check;
}

async function readTime(database: Database): Promise<Date> {
  const [row] = await database.execute<{ ms: number }>(
    sql`select floor(extract(epoch from now()) * 1000)::float8 as ms`,
  );
  return new Date(Number(row?.ms));
}

/** Writes what the store lists into a table of the session, which joins it with records of any number. */
async function listObjects({ database, files: store }: CheckContext, check: StoreCheck): Promise<void> {
  await database.execute(sql`drop table if exists listed_objects`);
  await database.execute(sql`create temp table listed_objects (key text collate "C" primary key)`);
  let batch: string[] = [];
  const write = async () => {
    await database.execute(
      sql`insert into listed_objects select value from jsonb_array_elements_text(${JSON.stringify(batch)}::jsonb) on conflict do nothing`,
    );
    check.counts.objects += batch.length;
    batch = [];
  };
  for await (const { key } of store.list()) {
    if (isForeign(key)) check.foreign.push(key);
    else batch.push(key);
    if (batch.length === batchSize) await write();
  }
  await write();
}

async function findListed(database: Database, keys: readonly string[]): Promise<Set<string>> {
  const rows = await database.execute<{ key: string }>(
    sql`select key from listed_objects where key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`,
  );
  return new Set([...rows].map(({ key }) => key));
}

/** Objects that no record refers to and that are not about to be written or removed, in batches. */
async function* unownedObjects(
  database: Database,
  findOwned: (keys: readonly string[]) => Promise<Set<string>>,
): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const rows = await database.execute<{ key: string }>(
      sql`select key from listed_objects where key > ${after} order by key limit ${batchSize}`,
    );
    const keys = [...rows].map(({ key }) => key);
    // Before the records: what is reserved now may be owned a moment later, and never the other way.
    const pending = await database
      .select({ key: objectRemovals.key })
      .from(objectRemovals)
      .where(
        and(
          inArray(objectRemovals.key, keys),
          // Those that are parked are looked at again: their account may be deleted since.
          lt(objectRemovals.dueAt, sql`now() + interval '25 hours'`),
        ),
      );
    const reserved = new Set(pending.map(({ key }) => key));
    const owned = await findOwned(keys);
    yield keys.filter((key) => !reserved.has(key) && !owned.has(key));
    const last = keys.at(-1);
    if (last === undefined || keys.length < batchSize) return;
    after = last;
  }
}

/** Those of the keys whose owner's account is deleted. One that is not known at all may be of another database. */
async function findDeleted(database: Database, keys: readonly string[]): Promise<Set<string>> {
  const owners = new Map(keys.map((key) => [key, ownerInKey(key)] as const));
  const ids = [...new Set([...owners.values()].filter((id) => id !== undefined))];
  const rows = await database
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, ids), isNotNull(accounts.deletedAt)));
  const deleted = new Set(rows.map(({ id }) => id));
  return new Set(keys.filter((key) => deleted.has(owners.get(key) ?? '')));
}

/** Whether an object is an export, or a picture of an identity or a part of one, by its name or what it begins with. */
async function isPrivate(store: FileStore, key: string): Promise<boolean> {
  if (key.startsWith('exports/') || key.startsWith(`${identityFolder}/`)) return true;
  if (!mayBeIdentity(key)) return false;
  try {
    return isEncrypted(await store.read(key, { start: 0, end: 3 }));
  } catch (error) {
    if (error instanceof FileNotFound) return false;
    throw error;
  }
}
