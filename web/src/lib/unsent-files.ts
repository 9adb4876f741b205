import { clear, createStore, del, delMany, entries, get, set } from 'idb-keyval';

/** Pictures that are not uploaded yet, in the browser's database, so that a reload of the tab loses none. */
const store = createStore('tara-unsent', 'files');

interface UnsentFile {
  file: File;
  /** Profile id of the member who chose it. */
  userId: string;
  /** Epoch ms. */
  storedAt: number;
}

/** What a closed tab left, and no message of the outbox needs, is deleted after this time. */
const LIFETIME_MS = 86_400_000;

/** Stores a file under a key. Where the browser forbids it or is full, a reload loses the file, as it says then. */
export async function saveUnsentFile(key: string, userId: string, file: File): Promise<void> {
  try {
    const unsent: UnsentFile = { file, userId, storedAt: Date.now() };
    await set(key, unsent, store);
  } catch {
    // As above.
  }
}

/** The file of a key; null where there is none. */
export async function readUnsentFile(key: string): Promise<File | null> {
  try {
    return (await get<UnsentFile>(key, store))?.file ?? null;
  } catch {
    return null;
  }
}

/** Deletes the file of a key. */
export async function deleteUnsentFile(key: string): Promise<void> {
  try {
    await del(key, store);
  } catch {
    // It is deleted by age later.
  }
}

/** Deletes the files that tabs left long ago and nothing needs, and those of other members. */
export async function deleteForeignFiles(userId: string, isNeeded: (key: string) => boolean): Promise<void> {
  try {
    const stored = await entries<string, UnsentFile>(store);
    const foreign = stored.filter(
      ([key, file]) => file.userId !== userId || (file.storedAt < Date.now() - LIFETIME_MS && !isNeeded(key)),
    );
    await delMany(
      foreign.map(([key]) => key),
      store,
    );
  } catch {
    // Without a database there are none.
  }
}

/** Deletes the files of everybody. */
export async function deleteUnsentFiles(): Promise<void> {
  try {
    await clear(store);
  } catch {
    // As above.
  }
}
