import { clear as clearStore, createStore, delMany, entries, get, set } from 'idb-keyval';

const store = createStore('tara-stored', 'replies');

interface StoredReply {
  reply: unknown;
  /** Epoch ms. */
  storedAt: number;
}

/** After this time what was stored is deleted. */
const LIFETIME_MS = 14 * 86_400_000;
/** Replies that are kept; the oldest go. */
const MOST_REPLIES = 200;

let tidying: Promise<void> | undefined;

/** Deletes what is too old or too much; once for each load. */
async function tidy(): Promise<void> {
  const stored = await entries<string, StoredReply>(store);
  const newestFirst = stored.toSorted(([, one], [, other]) => other.storedAt - one.storedAt);
  const oldest = Date.now() - LIFETIME_MS;
  const surplus = newestFirst.filter(([, { storedAt }], index) => index >= MOST_REPLIES || storedAt < oldest);
  await delMany(
    surplus.map(([key]) => key),
    store,
  );
}

/** Stores a reply under a key, in place of the one before. */
export async function keep(key: string, reply: unknown): Promise<void> {
  const stored: StoredReply = { reply, storedAt: Date.now() };
  await set(key, stored, store);
  tidying ??= tidy();
  await tidying;
}

/** The reply of a key; null without. */
export async function find<Reply>(key: string): Promise<Reply | null> {
  const stored = await get<StoredReply>(key, store);
  if (stored === undefined || stored.storedAt < Date.now() - LIFETIME_MS) return null;
  return stored.reply as Reply;
}

/** Removes all. */
export const clear = (): Promise<void> => clearStore(store);
