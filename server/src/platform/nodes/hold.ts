import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from '@tara/contract/clock';
import { openDriver } from '../database/address.ts';
import { canQuery, type Sql } from '../database/connect.ts';
import { isBusy } from '../database/constraint.ts';
import { beginGuarded } from '../database/transaction.ts';
import type { Log } from '../log.ts';
import { admissionRefusal, isShared, type NodeParts, SecondNode, unknownNodeRefusal } from './admission.ts';
import { deadAfterMs } from './join.ts';

/** Any number of our own, the same in every version: it names the advisory lock. */
const nodeLock = 7_420_002;

/** The hold of this node on its database. */
export interface DatabaseHold {
  /** Whether the database answers, at once. Asked on a connection that nothing else uses. */
  isReady(): Promise<boolean>;
  /** That connection, for short statements of the node itself. */
  readonly sql: NodeSql;
  release(): Promise<void>;
}

/** The connection of a node's own. */
export interface NodeSql extends Pick<Sql, 'unsafe'> {
  begin(work: (transaction: Pick<Sql, 'unsafe'>) => Promise<void>): Promise<unknown>;
}

/** SQL of the connections that hold the database: the driver's parameter $1 is the lock. */
const holders = `pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())`;

/** What is known of the nodes that hold the database. */
interface Holders {
  /** When one of them last noted that it lives; null when none ever did, such as one of an older version. */
  notedAt: string | null;
  /** ms since then, by the database's clock. */
  silentMs: number | null;
  /** Whether one of them came after that: it is starting, and notes nothing yet. */
  isStarting: boolean;
  /** What each of them shares. */
  parts: NodeParts[];
}

async function readHolders(sql: Pick<Sql, 'unsafe'>): Promise<Holders> {
  const none = { notedAt: null, silentMs: null, isStarting: false, parts: [] };
  const [table] = await sql.unsafe(`select to_regclass('nodes') is not null as there`);
  if (table?.there !== true) return none;
  // The columns may be of another version.
  const [row] = await sql.unsafe<[Holders?]>(
    `select max(seen_at)::text as "notedAt", (extract(epoch from now() - max(seen_at)) * 1000)::float8 as "silentMs",
       exists (select from ${holders} and backend_start > (select max(seen_at) from nodes)) as "isStarting",
       coalesce(json_agg(json_build_object('bus', to_jsonb(nodes) -> 'bus', 'store', to_jsonb(nodes) -> 'store')), '[]') as parts
     from nodes`,
    [nodeLock],
  );
  return row ?? none;
}

/**
 * Ends the connections by which dead nodes hold the database, of one that is paused, or behind a network that went silent,
 * and takes the lock at once: whoever waits for it already goes before a node that comes back. One that is starting noted
 * nothing yet, and keeps its connection.
 * @param lock the function that takes the lock, and waits for it
 * @returns whether it is taken; not, when a connection took more than a second to end
 */
const takeFromDead = async (begin: NodeSql['begin'], lock: string): Promise<boolean> => {
  try {
    await begin(async (transaction) => {
      await transaction.unsafe('set local lock_timeout = 1000');
      await transaction.unsafe(
        `select pg_terminate_backend(pid) from ${holders} and backend_start <= (select max(seen_at) from nodes)`,
        [nodeLock],
      );
      await transaction.unsafe(`select ${lock}($1)`, [nodeLock]);
    });
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};

interface HoldOptions {
  readonly log: Log;
  /** What this node shares: with anything of its own it holds the database alone. */
  readonly parts: NodeParts;
  /** ms to wait for a node that is just going away, as after a restart; longer for one that does not note that it lives. */
  readonly timeoutMs?: number;
  /** ms without a note after which all that hold the database are dead. */
  readonly silentLimitMs?: number;
  /** Called when another node took the database while ours had lost it: this one must stop. */
  readonly onLost: () => void;
}

/**
 * Makes sure that only nodes serve the database, for as long as they run, that share what nodes must share: what a node has
 * of its own, such as files or the changes that it announces, the others would not know.
 * @throws SecondNode when it is held by nodes beside which this one may not serve
 */
export async function holdDatabase(
  url: string,
  { log, parts, timeoutMs = 5000, silentLimitMs = deadAfterMs, onLost }: HoldOptions,
): Promise<DatabaseHold> {
  let released = false;
  const losses = { count: 0 };
  const sql = openDriver(url, {
    max: 1,
    max_lifetime: null,
    // It reads no arrays, whose types the driver would ask for: an error that nobody hears, when it is lost meanwhile.
    fetch_types: false,
    // One that is paused while it enters the list does not keep the others from it.
    connection: { application_name: 'tara single node', idle_in_transaction_session_timeout: 5_000 },
    onclose: () => {
      losses.count++;
      void regain();
    },
  });
  const preparing = (_text: string, options = {}) => options;
  const begin: NodeSql['begin'] = (work) => beginGuarded({ pool: sql, losses, preparing }, work);
  const mode = isShared(parts) ? '_shared' : '';
  const tryLock = async () =>
    (await sql.unsafe(`select pg_try_advisory_lock${mode}($1) as taken`, [nodeLock]))[0]?.taken === true;

  let regaining = false;
  async function regain(): Promise<void> {
    if (released || regaining) return;
    regaining = true;
    const until = nowMs() + 60_000;
    while (!released) {
      try {
        if (await tryLock()) break;
        log.fatal('another node took the database while this one had lost it');
        onLost();
        break;
      } catch (error) {
        // The database cannot be reached: it is tried again, after a minute less often.
        log.warn({ err: error }, 'the database is not held by this node: it is away');
        await delay(nowMs() < until ? 500 : 5000);
      }
    }
    regaining = false;
  }

  regaining = true;
  try {
    const until = nowMs() + timeoutMs;
    const first = await readHolders(sql);
    while (!(await tryLock())) {
      const { notedAt, silentMs, isStarting, parts: others } = await readHolders(sql);
      const isAlive = isStarting || notedAt === null || notedAt !== first.notedAt;
      if (!isAlive && silentMs !== null && silentMs > silentLimitMs) {
        log.warn(
          { silentMs },
          'the nodes that held the database were silent for too long: their hold is ended',
        );
        if (await takeFromDead(begin, `pg_advisory_lock${mode}`)) break;
      } else if (isAlive && nowMs() > until) {
        throw new SecondNode(admissionRefusal(parts, others) ?? unknownNodeRefusal);
      }
      await delay(100);
    }
  } catch (error) {
    released = true;
    await sql.end({ timeout: 1 });
    throw error;
  }
  regaining = false;
  return {
    isReady: () => canQuery(sql),
    sql: { unsafe: sql.unsafe, begin },
    release: async () => {
      released = true;
      await sql.end({ timeout: 1 });
    },
  };
}
