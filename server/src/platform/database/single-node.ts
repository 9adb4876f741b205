import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { deadAfterMs } from '../nodes/join.ts';
import { StartRefused } from '../start-refused.ts';
import { openDriver } from './address.ts';
import { canQuery, type Sql } from './connect.ts';

/** Another node serves this database. */
export class SecondNode extends StartRefused {
  override readonly name = 'SecondNode';
}

/** Any number of our own, the same in every version: it names the advisory lock. */
const nodeLock = 7_420_002;

/** The hold of this node on its database. */
export interface SingleNode {
  /** Whether the database answers, at once. Asked on a connection that nothing else uses. */
  isReady(): Promise<boolean>;
  /** That connection, for short statements of the node itself. */
  readonly sql: Pick<Sql, 'unsafe'>;
  release(): Promise<void>;
}

/** What is known of the nodes that hold the database. */
interface Holders {
  /** When one of them last noted that it lives; null when none ever did, such as one of an older version. */
  notedAt: string | null;
  /** ms since then, by the database's clock. */
  silentMs: number | null;
}

async function readHolders(sql: Pick<Sql, 'unsafe'>): Promise<Holders> {
  const none = { notedAt: null, silentMs: null };
  const [table] = await sql.unsafe(`select to_regclass('nodes') is not null as there`);
  if (table?.there !== true) return none;
  const [row] = await sql.unsafe<[Holders?]>(
    `select max(seen_at)::text as "notedAt", (extract(epoch from now() - max(seen_at)) * 1000)::float8 as "silentMs" from nodes`,
  );
  return row ?? none;
}

/** Ends the connections by which dead nodes hold the database: of one that is paused, or behind a network that went silent. */
const endHolds = (sql: Pick<Sql, 'unsafe'>) =>
  sql.unsafe(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())`,
    [nodeLock],
  );

interface SingleNodeOptions {
  readonly log: Log;
  /** ms to wait for a node that is just going away, as after a restart; longer for one that does not note that it lives. */
  readonly timeoutMs?: number;
  /** Called when another node took the database while ours had lost it: this one must stop. */
  readonly onLost: () => void;
}

/**
 * Makes sure that this is the only node on the database, for as long as it runs: realtime, presence and limits are kept
 * in memory, so two nodes would each know half.
 * @throws SecondNode when another one holds the database.
 */
export async function holdSingleNode(
  url: string,
  { log, timeoutMs = 5000, onLost }: SingleNodeOptions,
): Promise<SingleNode> {
  let released = false;
  const sql = openDriver(url, {
    max: 1,
    max_lifetime: null,
    connection: { application_name: 'tara single node' },
    onclose: () => void regain(),
  });
  const tryLock = async () =>
    (await sql`select pg_try_advisory_lock(${nodeLock}) as taken`)[0]?.taken === true;

  let regaining = false;
  async function regain(): Promise<void> {
    if (released || regaining) return;
    regaining = true;
    const until = Date.now() + 60_000;
    while (!released) {
      try {
        if (await tryLock()) break;
        log.fatal('another node took the database while this one had lost it');
        onLost();
        break;
      } catch (error) {
        // The database cannot be reached: it is tried again, after a minute less often.
        log.warn({ err: error }, 'the single-node lock is not held: the database is away');
        await delay(Date.now() < until ? 500 : 5000);
      }
    }
    regaining = false;
  }

  regaining = true;
  try {
    const until = Date.now() + timeoutMs;
    const first = await readHolders(sql);
    while (!(await tryLock())) {
      const { notedAt, silentMs } = await readHolders(sql);
      const isAlive = notedAt === null || notedAt !== first.notedAt;
      if (!isAlive && silentMs !== null && silentMs > deadAfterMs) {
        log.warn({ silentMs }, 'the node that held the database was silent for too long: its hold is ended');
        await endHolds(sql);
      } else if (isAlive && Date.now() > until) {
        throw new SecondNode(
          'Another node is already running on this database. Stop that one, or use another database.',
        );
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
    sql,
    release: async () => {
      released = true;
      await sql.end({ timeout: 1 });
    },
  };
}
