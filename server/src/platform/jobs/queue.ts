import pg from 'pg';
import type { Log } from '../log.ts';

/**
 * Opens the job queue's connections. The queue's own pool is not awaited when it ends and loses its error handlers
 * before that, so a database that is dropped meanwhile would end the process; this one listens until it is closed.
 */
export function openPool(databaseUrl: string, size: number, log: Log): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: size });
  const logError = (error: Error) => log.warn({ err: error }, 'a connection of the job queue was lost');
  pool.on('error', logError);
  pool.on('connect', (client) => void client.on('error', logError));
  return pool;
}
