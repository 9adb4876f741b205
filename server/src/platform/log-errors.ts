/** Fields of errors that hold no data of people; every other one is left out. */
const loggedFields = [
  'code',
  'type',
  'errno',
  'syscall',
  'status',
  'statusCode',
  'severity',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'routine',
] as const;

/** Causes within causes that are logged. */
const mostCauses = 5;

/** SQLSTATE classes whose messages name tables, columns and constraints, and never a value. */
const harmless = /^(0[18]|2[35]|40|42|5[357]|P0)/;

/**
 * A text without the values of a failed statement: the query builder writes them behind `params:`, and Postgres quotes
 * the one that it cannot read.
 */
export function withoutParameters(text: string): string {
  return text
    .replace(/(Failed query:.*?)\nparams:.*$/s, '$1')
    .replace(/(invalid input (?:syntax|value) for [^:"]*: |\bvalue )".*"/s, '$1"…"');
}

/** The SQLSTATE of an error that Postgres sent, by whichever driver; else null. */
function postgresState(error: Error): string | null {
  const code: unknown = Reflect.get(error, 'code');
  return 'severity' in error && typeof code === 'string' ? code : null;
}

/** The message of an error without the values of the statement that failed. */
export function safeMessage(error: Error): string {
  const { message } = error;
  const sqlState = postgresState(error);
  if (sqlState !== null && !harmless.test(sqlState)) return message.replace(/".*"/s, '"…"');
  return withoutParameters(message);
}

/** Why something failed, in one line without values: the safe message of an error's first cause. */
export function errorReason(error: unknown): string {
  let cause = error;
  for (let depth = 0; depth < mostCauses && cause instanceof Error && cause.cause instanceof Error; depth++)
    cause = cause.cause;
  return cause instanceof Error ? safeMessage(cause).slice(0, 500) : typeof cause;
}

/** The frames of an error's stack behind its safe message: a message may hold what looks like a frame. */
function safeStack(error: Error, message: string): string | undefined {
  const { stack } = error;
  if (stack === undefined) return undefined;
  const start = stack.indexOf(error.message);
  if (start < 0) return undefined;
  return stack.slice(0, start) + message + stack.slice(start + error.message.length);
}

/**
 * An error as the log shows it: message, stack, code and causes, without parameters of statements, rows, or any field
 * that might hold them. A value that is not an error is shown by its type alone.
 */
export function loggedError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = safeMessage(error);
  const fields = loggedFields.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  const errors: unknown[] = error instanceof AggregateError ? error.errors.slice(0, mostCauses) : [];
  return {
    name: error.name,
    message,
    stack: safeStack(error, message),
    ...Object.fromEntries(fields),
    ...(error.cause === undefined || depth >= mostCauses
      ? {}
      : { cause: loggedError(error.cause, depth + 1) }),
    ...(errors.length === 0 || depth >= mostCauses
      ? {}
      : { errors: errors.map((inner) => loggedError(inner, depth + 1)) }),
  };
}
