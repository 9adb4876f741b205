import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';

/** The job queue's own messages in our log. Its 'info' is one line per job, which is 'debug' to us. */
export function jobLogger(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
  return new Logger((scope) => (level, message, meta) => {
    log[levels[level]]({ ...scope, err: meta?.error }, message);
  });
}
