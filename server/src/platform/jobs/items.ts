import { and, eq, gt, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isAmong } from '../database/among.ts';
import { type Database, isConnectionLoss } from '../database/connect.ts';
import { isBusy } from '../database/constraint.ts';
import { errorReason } from '../log-errors.ts';
import { postponedItems } from './tables.ts';
import type { JobHelpers } from './task.ts';

/** What a scheduled job does with many records, each by itself. */
interface ItemWork<Item> {
  /** Names the work among all, such as `files.sweep/unused`: failed items are stored under it. */
  name: string;
  /**
   * Reads the items that are due, the oldest first and at most some hundred, for which `isDue` of their id holds: one that
   * failed is left out until its next attempt. Where the table of the items may be on shards, which know nothing of those that
   * failed, `readPostponed` reads their ids before.
   */
  select: (
    isDue: (id: SQLWrapper) => SQL,
    readPostponed: () => Promise<string[]>,
  ) => PromiseLike<readonly Item[]>;
  /** The id of an item, as `isDue` gets it. */
  id: (item: Item) => string;
  work: (item: Item) => Promise<unknown>;
  /** Items at once; one unless given. */
  concurrency?: number;
  /**
   * Whether an error is hardly the item's own, such as a provider that is away: the round ends when several in a row fail
   * so. A lock that others hold, a statement that takes too long and a lost connection are not its own either.
   */
  isOutage?: (error: unknown) => boolean;
  /** Seconds from the second failure of an item to its next attempt, doubled by each further one; 60 unless given. */
  pauseSeconds?: number;
  /** Most seconds from a failure to the next attempt; six hours unless given. */
  mostPauseSeconds?: number;
  /**
   * Whether the work only queues a job, which may fail: then each item is set back in time as one that failed, until
   * `select` finds it no more.
   */
  isQueued?: boolean;
}

type WorkContext = { database: Database } & Pick<JobHelpers, 'log' | 'signal'>;

/** Failures in a row by which an outage is recognized. */
const outageFailures = 3;
/** Failures of an item after which it needs a person. */
export const manyFailures = 10;

/** Notes a failed attempt and returns how many there were. The next one is at once, and then after growing pauses. */
async function postpone(
  database: Database,
  {
    name,
    pauseSeconds = 60,
    mostPauseSeconds = 6 * 3600,
  }: Pick<ItemWork<never>, 'name' | 'pauseSeconds' | 'mostPauseSeconds'>,
  itemId: string,
  lastError: string,
): Promise<number> {
  const [row] = await database
    .insert(postponedItems)
    .values({ work: name, itemId, attempts: 1, retryAt: sql`now()`, lastError })
    .onConflictDoUpdate({
      target: [postponedItems.work, postponedItems.itemId],
      set: {
        attempts: sql`${postponedItems.attempts} + 1`,
        retryAt: sql`now() + make_interval(secs => least(
          ${pauseSeconds}::float8 * 2 ^ least(${postponedItems.attempts} - 1, 30), ${mostPauseSeconds}))`,
        lastError,
      },
    })
    .returning({ attempts: postponedItems.attempts });
  return row?.attempts ?? 1;
}

/** Forgets the failures of items that are done, and those that nothing was tried of for so long: they are done otherwise. */
const forget = (database: Database, name: string, done: string[], unused: '7 days' | '1 hour') =>
  database
    .delete(postponedItems)
    .where(
      and(
        eq(postponedItems.work, name),
        or(
          isAmong(postponedItems.itemId, done),
          lt(postponedItems.retryAt, sql`now() - ${unused}::interval`),
        ),
      ),
    );

/**
 * Works one round of items, each by itself: one that fails is logged once, counted, and set back in time, and the others
 * go on. Returns how many were due; 0 when the round ended early.
 * @throws when the database is lost, and the signal's reason: the job is done again as a whole
 */
export async function workItems<Item>(
  { database, log, signal }: WorkContext,
  { select, id, work, concurrency = 1, isOutage = () => false, isQueued = false, ...names }: ItemWork<Item>,
): Promise<number> {
  const isDue = (itemId: SQLWrapper) => sql`not exists (
    select from ${postponedItems} where work = ${names.name} and item_id = ${itemId} and retry_at > now())`;
  const readPostponed = async () => {
    const rows = await database
      .select({ itemId: postponedItems.itemId })
      .from(postponedItems)
      .where(and(eq(postponedItems.work, names.name), gt(postponedItems.retryAt, sql`now()`)));
    return rows.map(({ itemId }) => itemId);
  };
  const items = await select(isDue, readPostponed);
  const done: string[] = [];
  let outages = 0;
  const isAnyOutage = (error: unknown) => {
    try {
      return isOutage(error) || isBusy(error) || isConnectionLoss(error);
    } catch {
      // It is one whose fields cannot be read.
      return false;
    }
  };
  const workOne = async (item: Item) => {
    const itemId = id(item);
    try {
      await work(item);
      outages = 0;
      if (!isQueued) return void done.push(itemId);
      const attempts = await postpone(database, names, itemId, 'Its job was queued again.');
      if (attempts === manyFailures)
        log.error(
          { work: names.name, itemId, attempts },
          'an item is not done by the job that is queued for it again',
        );
    } catch (error) {
      if (signal.aborted) throw error;
      outages = isAnyOutage(error) ? outages + 1 : 0;
      // Rejects while the database is away: then the item is not to blame.
      const attempts = await postpone(database, names, itemId, errorReason(error));
      const line = { err: error, work: names.name, itemId, attempts };
      if (attempts === 1) log.warn(line, 'an item of a scheduled job failed: it is tried again later');
      else log.debug(line, 'an item of a scheduled job failed again');
    }
  };
  for (let from = 0; from < items.length && outages < outageFailures; from += concurrency) {
    signal.throwIfAborted();
    await Promise.all(items.slice(from, from + concurrency).map(workOne));
  }
  if (items.length > 0 || isQueued) await forget(database, names.name, done, isQueued ? '1 hour' : '7 days');
  return outages < outageFailures ? items.length : 0;
}
