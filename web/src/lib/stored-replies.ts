import { hashKey, type QueryKey } from '@tanstack/react-query';
import type { Call } from '@tara/contract/calls';
import { lastAccountKey, storedItem } from '../ui/browser-storage.ts';
import { isAway } from './call.ts';
import { noteAnswer, noteRestored } from './offline.ts';

// What screens showed last, kept on this device for times without a network: by account, of these calls alone. No
// page of admins, identity, settings or money reads them.

/** The calls by table and name, as in their keys. */
export const storedCalls: ReadonlySet<string> = new Set([
  '/api/post feed',
  '/api/post recent',
  '/api/post popular',
  '/api/post saved',
  '/api/post byCreator',
  '/api/post get',
  '/api/profile get',
  '/api/profile people',
  '/api/profile friends',
  '/api/plan search',
  '/api/plan byCreator',
  '/api/plan get',
  '/api/plan manager',
  '/api/plan receipt',
  '/api/review byOwner',
  '/api/review get',
  '/api/review comments',
  '/api/message list',
  '/api/message conversation',
  '/api/notification list',
  '/api/counts own',
]);

/** The account whose session this tab has; null while it has none. */
let accountId: string | null = null;

/** Says whose replies are stored from now on. */
export function storeRepliesOf(account: string | null): void {
  accountId = account;
}

const keyOf = (account: string, key: QueryKey) => `${account} ${hashKey(key)}`;
const openDatabase = () => import('./stored-replies-database.ts');

/** How long a read may take until the reply of last time is shown in its place, in ms: a network can be there and hang. */
const readPatienceMs = 8_000;

/**
 * Makes a read. Where the server cannot be reached, or does not answer in time, what `restoreReply` finds. An answer that
 * comes later is noted as each is, so that what was restored is read again.
 * @throws what the read throws, where nothing is found
 */
export async function readOr<Reply>(
  read: () => Promise<Reply>,
  restoreReply: () => Promise<Reply | null>,
): Promise<Reply> {
  const reading = read();
  const patience = Promise.withResolvers<null>();
  const timer = setTimeout(() => patience.resolve(null), readPatienceMs);
  const inTime = reading.then((reply) => ({ reply }));
  try {
    const answer = await Promise.race([inTime, patience.promise]);
    if (answer !== null) return answer.reply;
    const stored = await restoreReply();
    if (stored === null) return await reading;
    noteAnswer(false);
    inTime.catch(() => undefined);
    return stored;
  } catch (error) {
    const stored = isAway(error) ? await restoreReply() : null;
    if (stored === null) throw error;
    return stored;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes a read, and keeps its reply on this device. Without an answer of the server, the reply of last time. `isNeeded` says
 * whether there is nothing newer to show.
 * @throws what the read throws, where nothing is stored
 */
export async function readOrRestore<Reply>(
  { key: [table = '', name = ''] }: Pick<Call, 'key'>,
  key: QueryKey,
  { read, isNeeded }: { read: () => Promise<Reply>; isNeeded: () => boolean },
): Promise<Reply> {
  const account = accountId;
  if (account === null || !storedCalls.has(`${table} ${name}`)) return read();
  return readOr(
    async () => {
      const reply = await read();
      void keep(account, key, reply);
      return reply;
    },
    async () => (isNeeded() ? restore<Reply>(account, key) : null),
  );
}

/** What was stored of a key for an account, which is noted as such; null without. */
export async function restore<Reply>(account: string, key: QueryKey): Promise<Reply | null> {
  try {
    const reply = await (await openDatabase()).find<Reply>(keyOf(account, key));
    if (reply !== null) noteRestored(key);
    return reply;
  } catch {
    // As in `keep`.
    return null;
  }
}

/** Stores a reply, unless the account has left meanwhile. */
export async function keep(account: string, key: QueryKey, reply: unknown): Promise<void> {
  try {
    const database = await openDatabase();
    // The session may be another one's by now, of another tab.
    const isOwn = accountId === account && storedItem(lastAccountKey) === account;
    if (isOwn) await database.keep(keyOf(account, key), reply);
  } catch {
    // The browser forbids it or is full: the screen needs the network.
  }
}

/** Removes everything from this device. */
export async function forgetStoredReplies(): Promise<void> {
  accountId = null;
  try {
    await (await openDatabase()).clear();
  } catch {
    // Without a database nothing is stored.
  }
}
