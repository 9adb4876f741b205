import type { Pool } from 'pg';
import type { Log } from '../log.ts';
import { manyFailures } from './items.ts';
import { isReplaced } from './queue.ts';

interface FailingOptions {
  pgPool: Pool;
  /** Names of the tasks whose jobs have keys. */
  keyedTasks: readonly string[];
  log: Log;
}

/** A job that gave up or failed ten times, or a record of a scheduled job that did. */
interface FailingRow {
  work: string;
  itemId: string;
  attempts: number;
  lastError: string | null;
  hasGivenUp: boolean;
}

const intervalMs = 60_000;
/** Most of them that are counted, and logged by name. */
const most = 1000;

/** Reads what needs a person. Jobs that gave up and were replaced meanwhile need nobody: they are removed. */
async function selectFailing(pgPool: Pool, keyedTasks: readonly string[]): Promise<FailingRow[]> {
  const { rows } = await pgPool.query<FailingRow>(
    `with replaced as (
       delete from graphile_worker._private_jobs
       where locked_by is null and attempts >= max_attempts and ${isReplaced})
     (select identifier as work, jobs.id::text as "itemId", attempts, last_error as "lastError",
         attempts >= max_attempts as "hasGivenUp"
       from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = task_id
       where locked_by is null and attempts >= least(max_attempts, ${manyFailures}) and not ${isReplaced}
       order by jobs.id limit ${most})
     union all
     (select work, item_id, attempts, last_error, false from postponed_items
       where attempts >= ${manyFailures} and retry_at > now() - interval '1 hour'
       order by work, item_id limit ${most})`,
    [keyedTasks],
  );
  return rows;
}

/** Counts what needs a person, once a minute, and logs each once. */
export function watchFailing({ pgPool, keyedTasks, log }: FailingOptions) {
  let count = 0;
  let logged = new Set<string>();
  async function look(): Promise<void> {
    try {
      const rows = await selectFailing(pgPool, keyedTasks);
      count = rows.length;
      const before = logged;
      logged = new Set(rows.map(({ work, itemId }) => `${work} ${itemId}`));
      for (const { hasGivenUp, ...row } of rows) {
        if (before.has(`${row.work} ${row.itemId}`)) continue;
        log.error(
          row,
          hasGivenUp ? 'a job gave up: it needs a person' : 'a job fails again and again: it needs a person',
        );
      }
    } catch (error) {
      log.debug({ err: error }, 'failing jobs could not be counted');
    }
  }
  const timer = setInterval(look, intervalMs).unref();
  void look();
  return { count: () => count, stop: () => clearInterval(timer) };
}
