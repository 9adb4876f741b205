import { Logger } from 'graphile-worker';
import type { Log } from '../log.ts';
import { safeMessage } from '../log-errors.ts';

/** The job queue's own messages in our log. Its 'info' is one line per job, which is 'debug' to us. */
export function jobLogger(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const;
  return new Logger((scope) => (level, message, meta) => {
    const error: unknown = meta?.error;
    // The queue writes the error's message into its own, with the parameters of a failed statement.
    const text =
      error instanceof Error ? message.replaceAll(error.message, () => safeMessage(error)) : message;
    log[levels[level]]({ ...scope, err: error }, text);
  });
}
