import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../database/connect.ts';

interface EnqueueOptions {
  /** A job that waits under the same key is replaced by this one, so that it is done once. */
  readonly key?: string;
  /** Not before this time. */
  readonly runAt?: Date;
  /** Tries in all, with exponentially growing pauses; 25 unless given (about three days). */
  readonly maxAttempts?: number;
  /** Jobs of one queue are done one after the other. */
  readonly queue?: string;
}

/**
 * Puts a job into the queue inside the caller's transaction: it is done if, and only if, the transaction is committed.
 * A job may run more than once (its server can die after the work and before the note of it): tasks must bear that.
 */
export async function enqueue(
  transaction: Transaction | Database,
  name: string,
  payload: object,
  { key, runAt, maxAttempts, queue }: EnqueueOptions = {},
): Promise<void> {
  await transaction.execute(sql`select from graphile_worker.add_job(
    ${name},
    payload => ${JSON.stringify(payload)}::json,
    queue_name => ${queue ?? null},
    run_at => ${runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${maxAttempts ?? 25}::int,
    job_key => ${key ?? null})`);
}
