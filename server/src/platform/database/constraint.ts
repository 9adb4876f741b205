import type { ProblemType } from '@tara/contract/problems';
import postgres from 'postgres';
import { Problem } from '../problem.ts';

/** Finds the error of Postgres within what the query builder wrapped around it. */
function postgresError(error: unknown): postgres.PostgresError | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (cause instanceof postgres.PostgresError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** SQLSTATEs of class 23 that carry a constraint's name: foreign key, unique, check, exclusion. */
const violations = new Set(['23503', '23505', '23514', '23P01']);

/** Name of the constraint a statement broke, or undefined when the error is another one. */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = postgresError(error);
  return cause && violations.has(cause.code) ? cause.constraint_name : undefined;
}

/** Whether a statement broke this very constraint (or unique index). */
export function violates(error: unknown, constraint: string): boolean {
  return violatedConstraint(error) === constraint;
}

/** SQLSTATEs of what was undone for the moment: serialization, deadlock, a lock or a statement that took too long. */
const busy = new Set(['40001', '40P01', '55P03', '57014']);

/** Whether a transaction was rolled back by a conflict with others, or took too long: it can be tried again. */
export function isBusy(error: unknown): boolean {
  return busy.has(postgresError(error)?.code ?? '');
}

/**
 * Repeats a transaction that was rolled back by a conflict with others, twice at most. It must do nothing outside of
 * the database.
 */
export async function retryBusy<T>(transaction: () => Promise<T>, retries = 2): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (retries === 0 || !isBusy(error)) throw error;
    return retryBusy(transaction, retries - 1);
  }
}

/** Whether the disk of the database is full (507). */
export function isDiskFull(error: unknown): boolean {
  return postgresError(error)?.code === '53100';
}

/**
 * For the `catch` of a statement that may break a constraint.
 * @throws Problem of the constraint's name, else the error itself
 */
export const refuseAs =
  (problems: Readonly<Record<string, ProblemType>>) =>
  (error: unknown): never => {
    const type = problems[violatedConstraint(error) ?? ''];
    throw type === undefined ? error : new Problem(type, { cause: error });
  };

/**
 * For the `catch` of an insertion whose id its caller may choose.
 * @throws Problem `document_already_exists` when a record has it
 */
export const refuseTakenId = (primaryKey: string) => refuseAs({ [primaryKey]: 'document_already_exists' });
