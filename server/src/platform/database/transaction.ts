import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TransactionSql, UnsafeQueryOptions } from 'postgres';
import { hasCode } from '../error-code.ts';
import { deferQuery } from './line.ts';

/** Counts the connections of a pool that were lost, as the driver notices each. */
export interface Losses {
  count: number;
}

/** The options of a statement: whether its connection parses and plans it once. */
export type Preparing = (text: string, options?: UnsafeQueryOptions) => UnsafeQueryOptions;

type Work = (transaction: TransactionSql) => Promise<unknown>;

interface TransactionPool {
  pool: { begin(work: Work): Promise<unknown> };
  losses: Losses;
  preparing: Preparing;
}

/** Whether nothing more is sent or answered on the connection of a statement that failed so. */
const endsConnection = (error: unknown) =>
  hasCode(error, 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT');

/**
 * Runs a transaction that can lose its connection between two statements. The driver rejects it then, but does not hinder
 * what still runs from writing to the connection, its own `rollback` included, which would end the process: so statements
 * of a lost transaction are refused here, and the driver is not told how its work ended.
 */
export async function beginGuarded(
  { pool, losses, preparing }: TransactionPool,
  work: Work,
): Promise<unknown> {
  let seen = losses.count;
  let loss: { error: unknown } | null = null;
  const lost = Promise.withResolvers<never>();
  // Usually nobody waits for it.
  lost.promise.catch(() => {});

  /** Finds out whether a connection that was lost meanwhile is this one: the driver has rejected the transaction then. */
  async function settleLoss(): Promise<void> {
    if (losses.count === seen) return;
    await nextTurn();
    seen = losses.count;
  }
  async function run<Result>(statement: () => PromiseLike<Result>): Promise<Result> {
    // Not awaited in the usual case, so that statements keep their order.
    if (losses.count !== seen) await settleLoss();
    if (loss !== null) throw loss.error;
    try {
      return await Promise.race([statement(), lost.promise]);
    } finally {
      await settleLoss();
    }
  }
  /** A statement by which the loss may be noticed: the driver tells it a little later, and would send a `rollback` before. */
  async function send<Result>(statement: () => PromiseLike<Result>): Promise<Result> {
    try {
      return await run(statement);
    } catch (error) {
      if (endsConnection(error)) loss ??= { error };
      throw error;
    }
  }
  /** Settles as the work does while the connection is there, else never. */
  async function outcome<Result>(begun: PromiseLike<Result>): Promise<Result> {
    try {
      return await begun;
    } finally {
      await settleLoss();
      if (loss !== null) await new Promise<never>(() => {});
    }
  }
  const guard = (transaction: TransactionSql): TransactionSql =>
    new Proxy(transaction, {
      get: (target, key) => {
        if (key === 'unsafe')
          return (...[text, params, options]: Parameters<TransactionSql['unsafe']>) => {
            const start = () => target.unsafe(text, params, preparing(text, options));
            return deferQuery(start, send);
          };
        if (key === 'savepoint')
          return (inner: Work) =>
            run(() => target.savepoint((savepoint) => outcome(inner(guard(savepoint as TransactionSql)))));
        return Reflect.get(target, key);
      },
    });

  try {
    return await pool.begin((transaction) => outcome(work(guard(transaction))));
  } catch (error) {
    loss = { error };
    lost.reject(error);
    throw error;
  }
}
