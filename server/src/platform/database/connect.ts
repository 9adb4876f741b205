import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExtractTablesWithRelations } from 'drizzle-orm';
import type { PgTransaction } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from 'drizzle-orm/postgres-js';
import type { TransactionSql, UnsafeQueryOptions } from 'postgres';
import { currentWork, type Work } from '../work.ts';
import { openDriver } from './address.ts';
import { type Away, watchAway } from './away.ts';
import { deferQuery, openLine, type SentStatement } from './line.ts';
import { frequentTexts } from './prepared.ts';
import { beginGuarded, type Losses, type Preparing } from './transaction.ts';

type NoSchema = Record<string, never>;

/** The database, for queries outside a transaction. */
export type Database = PostgresJsDatabase<NoSchema>;
/** The same inside a transaction: what `database.transaction(async (transaction) => …)` hands over. */
export type Transaction = PgTransaction<
  PostgresJsQueryResultHKT,
  NoSchema,
  ExtractTablesWithRelations<NoSchema>
>;
/** postgres.js itself, for prepared hot reads and LISTEN. int8 arrives as a number, timestamps as text. */
export type Sql = ReturnType<typeof openPool>;

/** By which statements are sent whose texts callers choose: they use up none of the texts that are prepared of others. */
export interface SqlByCaller {
  /** Sends a statement, once there is a place for it and the signal has not ended. */
  sendByCaller(text: string, params: string[], signal: AbortSignal): Promise<{ query: SentStatement }>;
}

/** An open pool of connections. */
export interface Connection {
  readonly database: Database;
  readonly sql: Sql;
  /** Waits up to 2 s for running queries, then cuts them off. */
  close(): Promise<void>;
}

interface PoolOptions {
  /** As which Postgres lists its connections. */
  readonly name?: string;
  /** Most connections at once. Waiting statements share the open ones, which is faster than more of them (decision 0010). */
  readonly size: number;
  /** ms after which one statement is cancelled. */
  readonly statementTimeout: number;
  /** ms after which a statement that waits for a lock is cancelled, and does not hold up those behind it. */
  readonly lockTimeout?: number;
  /**
   * Whether its statements read few rows. Postgres sizes the table in which it remembers joined rows (`Memoize`) for all rows that
   * a plan could read without its limit, and empties it at each call: 6 ms of processor for a feed page that is read in 0.4 ms.
   */
  readonly readsFewRows?: boolean;
  /** Whether connections stay open as long as the pool; else the driver replaces each after about an hour. */
  readonly lasts?: boolean;
  /** Makes the socket of a connection in place of the driver: one that is open, such as a test that orders statements has. */
  readonly openSocket?: (name: string) => unknown;
  /** Gets what Postgres says beside its answers. */
  readonly onNotice?: (text: string) => void;
}

/** Connections of each class of work. */
export type PoolSizes = Readonly<Record<Work, number>>;

/** Time limits of each class of work. */
export type TimeLimits = Readonly<Record<Work, Pick<PoolOptions, 'statementTimeout' | 'lockTimeout'>>>;

/** The limits of a node: a statement that takes longer is cancelled. */
export const timeLimits: TimeLimits = {
  core: { statementTimeout: 5_000, lockTimeout: 1_000 },
  browsing: { statementTimeout: 2_000 },
  background: { statementTimeout: 300_000, lockTimeout: 3_000 },
};

/**
 * Most statements and transactions of a pool for each of its connections that are sent. Fewer than 100: postgres.js sends
 * so many ahead on one connection, and then begins no transaction behind them.
 */
const mostSentPerConnection = 64;
/** Most that wait until they are sent, for each connection: what hundreds of people do in one moment. */
const mostWaitingPerConnection = 1_000;

/** s until a connection is given up: a database that starts or ends may take it and say nothing. */
const connectSeconds = 1;

function safeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${text} is beyond the whole numbers that are exact.`);
  return number;
}

function openPool(
  url: string,
  {
    name = 'tara',
    size,
    statementTimeout,
    lockTimeout = 0,
    readsFewRows = false,
    lasts = false,
    openSocket,
    onNotice = () => {},
  }: PoolOptions,
  onLoss: () => void,
) {
  return openDriver(url, {
    onclose: onLoss,
    max: size,
    ...(lasts ? { max_lifetime: null } : {}),
    ...(openSocket ? { socket: () => openSocket(name) } : {}),
    connect_timeout: connectSeconds,
    // A lost database is looked for again soon; by one connection alone, as all else waits (`away.ts`).
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.25),
    onnotice: ({ message = '' }) => onNotice(message),
    types: { int8: { to: 20, from: [20], serialize: String, parse: safeNumber } },
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      statement_timeout: statementTimeout,
      lock_timeout: lockTimeout,
      idle_in_transaction_session_timeout: 30_000,
      ...(readsFewRows ? { enable_memoize: 'off' } : {}),
    },
  });
}

/** The transaction in which what runs now is, and what is done after its commit. */
const transactions = new AsyncLocalStorage<{ isOpen: boolean; afterCommit: (() => void)[] }>();

/**
 * Does something once the transaction in which it is called is committed, before what began the transaction goes on; never
 * when it is rolled back. A savepoint that is rolled back alone does not prevent it. @throws Error outside of a transaction
 */
export function afterCommit(action: () => void): void {
  const transaction = transactions.getStore();
  if (!transaction?.isOpen) throw new Error('There is no transaction that could be committed.');
  transaction.afterCommit.push(action);
}

/** Also for a statement without parameters, which the driver would send by the protocol that prepares nothing. */
const asPrepared: UnsafeQueryOptions & { simple: boolean } = { prepare: true, simple: false };

/** A pool, and what it is used by. */
interface Pool {
  /** The driver's, until the database was away: another one then. */
  readonly pool: Sql;
  readonly losses: Losses;
  readonly away: Away;
  readonly size: number;
  /** Whether a statement beside its own open transaction is an error. */
  readonly refusesNesting: boolean;
  /** Whether each connection plans a statement that comes again once. */
  readonly prepares: boolean;
}

/** Asks the database something by a connection of its own: those of a pool may wait for one that is gone. */
async function askAnew(url: string): Promise<void> {
  const driver = openDriver(url, { max: 1, connect_timeout: connectSeconds, fetch_types: false });
  try {
    await driver.unsafe('select 1');
  } finally {
    await driver.end({ timeout: 0 });
  }
}

/**
 * Asks the database whether it is there. At first also by the pool: where only some connections were lost, or no more are
 * admitted, another one of it answers.
 */
const askWith =
  (url: string, pool: () => Sql) =>
  (look: 'first' | 'later'): Promise<unknown> => {
    const anew = askAnew(url);
    if (look === 'later') return anew;
    const late = delay(connectSeconds * 1_000, null, { ref: false }).then(() =>
      Promise.reject(new Error('It is late.')),
    );
    return Promise.any([anew, Promise.race([pool().unsafe('select 1'), late])]);
  };

/** A pool of which it is known which connections were lost. */
interface WatchedPool extends Pick<Pool, 'pool' | 'losses' | 'away'> {
  /** Takes another pool of the driver: what it has left of lost connections would fail or hold up the next statements. */
  renew(): void;
}

/** Opens a pool, and notes which of its connections are lost: in `shared`, where other pools lead to the same database. */
function watchPool(url: string, options: PoolOptions, shared?: Away): WatchedPool {
  const losses = { count: 0 };
  const away = shared ?? watchAway(askWith(url, () => pool));
  const open = (): Sql => {
    const opened: Sql = openPool(url, options, () => {
      losses.count++;
      if (opened === pool) away.noteLoss();
    });
    return opened;
  };
  let pool = open();
  return {
    get pool() {
      return pool;
    },
    losses,
    away,
    renew: () => {
      const lost = pool;
      pool = open();
      copyTypes(lost, pool);
      // What still waits there is refused.
      void lost.end({ timeout: 1 });
    },
  };
}

/** Lets a pool read and write values as another one that has learned the types of arrays. */
function copyTypes({ options: from }: Sql, { options: to }: Sql): void {
  Object.assign(to.parsers, from.parsers);
  Object.assign(to.serializers, from.serializers);
  to.fetch_types = from.fetch_types;
}

/** The ways by which statements use a pool, with a limit of what waits, and of how long while the database is away. */
function boundPool(bound: Pool) {
  const { losses, away, size, refusesNesting, prepares } = bound;
  const prepareFrequent = (whose: Parameters<typeof frequentTexts>[0]): Preparing => {
    const isFrequent = frequentTexts(whose);
    return (text, options) =>
      options?.prepare === true || (prepares && isFrequent(text)) ? asPrepared : { prepare: false };
  };
  const preparing = prepareFrequent('own');
  const preparingByCallers = prepareFrequent('callers');
  const line = openLine({
    places: size * mostSentPerConnection,
    mostWaiting: size * mostWaitingPerConnection,
  });
  const enter = async () => {
    await away.wait();
    await line.enter();
  };
  /** Before whoever asked goes on: the driver says later which connection it was, and would take another statement for it. */
  const noteFailure = (error: unknown) => {
    if (isConnectionLoss(error)) away.noteLoss();
  };
  const leave = (query: PromiseLike<unknown>) =>
    query.then(line.leave, (error: unknown) => {
      noteFailure(error);
      line.leave();
    });
  const refuseNesting = () => {
    if (refusesNesting && transactions.getStore()?.isOpen)
      throw new Error(
        'A statement beside its open transaction waits for a second connection: they can run out.',
      );
  };
  return {
    unsafe: (...[text, params, options]: Parameters<Sql['unsafe']>) => {
      refuseNesting();
      const send = () => bound.pool.unsafe(text, params, preparing(text, options));
      if (!away.isAway() && line.tryEnter()) {
        const query = send();
        leave(query);
        return query;
      }
      return deferQuery(send, async (start) => {
        await enter();
        const query = start();
        leave(query);
        return query;
      });
    },
    sendByCaller: async (text, params, signal) => {
      refuseNesting();
      await enter();
      try {
        signal.throwIfAborted();
        const query = bound.pool.unsafe(text, params, preparingByCallers(text));
        leave(query);
        return { query };
      } catch (error) {
        line.leave();
        throw error;
      }
    },
    begin: async (work: (transaction: TransactionSql) => Promise<unknown>) => {
      refuseNesting();
      await enter();
      const state = { isOpen: true, afterCommit: [] as (() => void)[] };
      try {
        const result = await beginGuarded({ pool: bound.pool, losses, preparing }, (transaction) =>
          transactions.run(state, () => work(transaction)),
        );
        for (const action of state.afterCommit) action();
        return result;
      } catch (error) {
        noteFailure(error);
        throw error;
      } finally {
        state.isOpen = false;
        line.leave();
      }
    },
  } satisfies SqlByCaller & Record<string, unknown>;
}

/** Puts pools behind one `Database`, which takes for each statement and transaction the one that is chosen then. */
function joinPools<Name extends string>(pools: Readonly<Record<Name, Pool>>, choose: () => Name): Database {
  const bound = new Map<Name, ReturnType<typeof boundPool>>();
  for (const [name, pool] of Object.entries(pools) as [Name, Pool][]) {
    bound.set(name, boundPool(pool));
    // It sets how the pool reads times.
    drizzle({ client: pool.pool });
  }
  const client = new Proxy(pools[choose()].pool, {
    get: (first, key) => Reflect.get(bound.get(choose()) ?? first, key) ?? Reflect.get(first, key),
  });
  return drizzle({ client });
}

/** Opens one pool for work of all classes; connections are made when first needed. */
export function connect(url: string, options: Partial<PoolOptions> = {}): Connection {
  const size = options.size ?? 3 * availableParallelism();
  const watched = watchPool(url, { statementTimeout: 10_000, ...options, size });
  const { pool } = watched;
  return {
    database: joinPools({ all: { ...watched, size, refusesNesting: false, prepares: true } }, () => 'all'),
    sql: pool,
    close: async () => {
      watched.away.end();
      await pool.end({ timeout: 2 });
    },
  };
}

/** The pools of a node. */
interface NodeConnection extends Connection {
  /**
   * Learns by one connection of which types arrays are, for all. The driver asks each new one otherwise, and when it is lost
   * meanwhile, nobody hears that, which would end the process.
   */
  learnTypes(): Promise<void>;
}

/** Opens a pool for each class of work. `sql` is the one of `core`. */
export function connectByWork(
  url: string,
  sizes: PoolSizes,
  limits = timeLimits,
  sockets: Pick<PoolOptions, 'openSocket' | 'lasts'> = {},
): NodeConnection {
  const open = (work: Work, away: Away) => {
    const size = sizes[work];
    // Statements of the background are about much, and few: the values of each decide its plan.
    const readsFewRows = work !== 'background';
    const options = { name: `tara ${work}`, size, readsFewRows, ...limits[work], ...sockets };
    const watched = watchPool(url, options, away);
    // In production it is only slow, until all connections are held by those that wait for a second one.
    const refusesNesting = process.env.NODE_ENV !== 'production';
    return Object.assign(watched, { size, refusesNesting, prepares: readsFewRows });
  };
  const renew = () => {
    for (const pool of Object.values(pools)) pool.renew();
  };
  // A call may need more than one of them: it waits once for their database.
  const away = watchAway(
    askWith(url, () => pools.core.pool),
    renew,
  );
  const pools = {
    core: open('core', away),
    browsing: open('browsing', away),
    background: open('background', away),
  };
  return {
    database: joinPools(pools, currentWork),
    get sql() {
      return pools.core.pool;
    },
    learnTypes: async () => {
      const { pool } = pools.core;
      await pool.unsafe('select 1');
      pool.options.fetch_types = false;
      for (const other of [pools.browsing, pools.background]) copyTypes(pool, other.pool);
    },
    close: async () => {
      away.end();
      await Promise.all(Object.values(pools).map(({ pool }) => pool.end({ timeout: 2 })));
    },
  };
}

/** Whether the database answers within so many ms. */
export async function canQuery(sql: Pick<Sql, 'unsafe'>, timeoutMs = 800): Promise<boolean> {
  const answer = sql.unsafe('select 1').then(
    () => true,
    (error: unknown) => {
      if (isConnectionLoss(error)) return false;
      throw error;
    },
  );
  return Promise.race([answer, delay(timeoutMs, false, { ref: false })]);
}

const lossCodes = new Set([
  'POOL_BUSY',
  'DATABASE_AWAY',
  // postgres.js
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  // the system
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Postgres: shutting down, crashed, starting, too many connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** Whether an error means that the database is away for now (503), rather than that the statement is wrong. */
export function isConnectionLoss(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if ('code' in cause && typeof cause.code === 'string') {
      if (lossCodes.has(cause.code) || cause.code.startsWith('08')) return true;
    }
  }
  return false;
}
