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

/** Longest text of an error in the log, in UTF-16 units. */
const longestText = 4_000;
/** Longest reason of a failure in a table. */
const longestReason = 500;

/** A text that Postgres can store, cut off where it is too long. */
function shortText(text: string, longest = longestText): string {
  // The quote ends a value whose own end is cut off, so that it is found.
  const short = text.length > longest ? `${text.slice(0, longest - 2)}…"` : text;
  return short.replaceAll('\0', '�').toWellFormed();
}

/** What a field of an error holds; undefined when it cannot be read. */
function readField(error: object, name: string): unknown {
  try {
    return Reflect.get(error, name);
  } catch {
    return undefined;
  }
}

/** A text in a field of an error, else an empty one. */
function readText(error: Error, name: string): string {
  const value = readField(error, name);
  return typeof value === 'string' ? value : '';
}

/** The SQLSTATE of an error that Postgres sent, by whichever driver; else null. */
function postgresState(error: Error): string | null {
  const code = readField(error, 'code');
  return 'severity' in error && typeof code === 'string' ? code : null;
}

/**
 * The message of an error, short and without the values of the statement that failed; of one that quotes another system,
 * what it says itself of that (`loggedMessage`).
 */
export function safeMessage(error: Error): string {
  const own = readText(error, 'loggedMessage');
  if (own !== '') return shortText(own);
  const message = shortText(readText(error, 'message'));
  const sqlState = postgresState(error);
  if (sqlState !== null && !harmless.test(sqlState)) return message.replace(/".*"/s, '"…"');
  return withoutParameters(message);
}

/** Why something failed, in one short text without values: the safe message of an error's first cause. */
export function errorReason(error: unknown): string {
  let cause = error;
  for (let depth = 0; depth < mostCauses && cause instanceof Error; depth++) {
    const inner = readField(cause, 'cause');
    if (!(inner instanceof Error)) break;
    cause = inner;
  }
  if (!(cause instanceof Error)) return typeof cause;
  return shortText(safeMessage(cause) || readText(cause, 'name') || 'error', longestReason);
}

/** The frames of an error's stack behind its safe message: a message may hold what looks like a frame. */
function safeStack(error: Error, safe: string): string | undefined {
  const stack = readText(error, 'stack');
  const message = readField(error, 'message');
  const start = typeof message === 'string' ? stack.indexOf(message) : -1;
  if (stack === '' || typeof message !== 'string' || start < 0) return undefined;
  return shortText(stack.slice(0, start) + safe + stack.slice(start + message.length), 2 * longestText);
}

/**
 * An error as the log shows it: message, stack, code and causes, without parameters of statements, rows, or any field
 * that might hold them. A value that is not an error is shown by its type alone. It is short, and can be made of any
 * value: what cannot be read is left out.
 */
export function loggedError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = safeMessage(error);
  const fields = loggedFields.flatMap((name) => {
    const value = readField(error, name);
    const logged = typeof value === 'string' ? shortText(value) : value;
    return typeof logged === 'string' || typeof logged === 'number' ? [[name, logged]] : [];
  });
  const cause = readField(error, 'cause');
  const inner = error instanceof AggregateError ? readField(error, 'errors') : [];
  // Errors of errors of errors would make one line of thousands.
  const errors: unknown[] = Array.isArray(inner) && depth < 2 ? inner.slice(0, mostCauses) : [];
  return {
    name: shortText(readText(error, 'name')),
    message,
    stack: safeStack(error, message),
    ...Object.fromEntries(fields),
    ...(cause === undefined || depth >= mostCauses ? {} : { cause: loggedError(cause, depth + 1) }),
    ...(errors.length === 0 ? {} : { errors: errors.map((one) => loggedError(one, depth + 1)) }),
  };
}
