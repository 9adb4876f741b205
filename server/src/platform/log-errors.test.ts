import { PaymongoError } from '@tara/paymongo';
import { eq, sql } from 'drizzle-orm';
import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { describe, expect } from 'vitest';
import { oddErrors } from '../testing/faults/odd-errors.ts';
import { test as base, type FixturesOf } from '../testing/test.ts';
import { connect } from './database/connect.ts';
import { jobLogger } from './jobs/queue.ts';
import { openLog } from './log.ts';
import { errorReason, loggedError } from './log-errors.ts';

const notes = pgTable('notes', {
  id: text('id').primaryKey(),
  number: integer('number'),
  amount: bigint('amount', { mode: 'number' }),
  data: jsonb('data'),
});
/** Stands for a password hash, a message or a mailed link. */
const secret = 'ana@example.com-$argon2id-"quoted"\n    at frame (params: file:1:1)-marker';
const marker = /ana@example|argon2id|quoted|marker/;
const test = base
  .extend('migrated', { scope: 'file' }, false)
  .extend('slow', { scope: 'file' }, ({ connection }, { onCleanup }) => {
    const slow = connect(connection.url, { size: 1, statementTimeout: 100 });
    onCleanup(() => slow.close());
    return slow;
  });

test.beforeAll(async ({ connection }) => {
  await connection.sql`create table sums (amount bigint primary key)`;
  await connection.sql`create table notes (id text primary key check (length(id) < 200), number integer, data jsonb,
    amount bigint references sums (amount))`;
  await connection.sql`insert into notes (id) values (${secret})`;
});

async function failure(work: () => PromiseLike<unknown>): Promise<Error> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('did not fail');
}

type Fixtures = Pick<FixturesOf<typeof test>, 'database' | 'connection' | 'slow'>;

/** Ways in which a statement that carries the secret fails. */
const failures: Array<[string, (fixtures: Fixtures) => PromiseLike<unknown>]> = [
  [
    'a statement that takes too long',
    ({ slow }) => slow.database.execute(sql`select pg_sleep(10), ${secret}`),
  ],
  ['a unique key', ({ database }) => database.insert(notes).values({ id: secret })],
  ['a check', ({ database }) => database.insert(notes).values({ id: secret.repeat(10) })],
  ['a foreign key', ({ database }) => database.insert(notes).values({ id: `${secret}2`, amount: 7 })],
  ['a text that is no number', ({ database }) => database.execute(sql`select ${secret}::text::integer`)],
  [
    'a number beyond its column',
    ({ database }) =>
      database
        .select()
        .from(notes)
        .where(eq(notes.number, 2 ** 40)),
  ],
  ['a text that is no JSON', ({ database }) => database.execute(sql`select ${secret}::text::jsonb`)],
  ['a text that is no time', ({ database }) => database.execute(sql`select ${secret}::text::timestamptz`)],
  [
    'an invalid statement',
    ({ database }) => database.execute(sql`select nothing from nowhere where ${secret}`),
  ],
  ['a statement of the driver alone', ({ connection }) => connection.sql`select ${secret}::text::integer`],
  [
    'a statement within a transaction',
    ({ database }) => database.transaction((transaction) => transaction.insert(notes).values({ id: secret })),
  ],
];

describe('no parameter of a failed statement reaches the log (threat-leaked-secrets)', () => {
  const lines: string[] = [];
  const log = openLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  test.for(failures)('%s', async ([_what, work], { database, connection, slow }) => {
    const error = await failure(() => work({ database, connection, slow }));
    const wrapped = new Error(`it failed: ${error.message}`, { cause: new Error('inner', { cause: error }) });
    lines.length = 0;
    log.error({ err: error }, 'unexpected error');
    log.error({ reqId: 'r1', err: error });
    log.error(error);
    log.error(error, 'with text');
    log.warn({ err: new Error('wrapped', { cause: error }) }, 'twice');
    log.warn({ err: new AggregateError([error, error], 'many') }, 'of many');
    log.warn(`caught: ${error}`);
    log.child({ task: 'mail' }).error({ err: wrapped }, wrapped.message);
    jobLogger(log).error(`Failed task 7 (mail.send) with error '${error.message}'`, { error });
    expect(lines).toHaveLength(9);
    const written = lines.join('');
    expect(written).not.toMatch(marker);
    expect(written).not.toContain(String(2 ** 40));
    expect(written).not.toContain('\\nparams:');
  });

  test('what helps to find the cause of a failed statement is logged', async ({ database }) => {
    const error = await failure(() => database.insert(notes).values({ id: secret }));
    expect(loggedError(error)).toMatchObject({
      message: expect.stringContaining('insert into "notes"'),
      stack: expect.stringContaining('log-errors.test.ts'),
      cause: { code: '23505', constraint_name: 'notes_pkey', table_name: 'notes' },
    });
  });
});

test('a cause that is its own cause ends', () => {
  const error = new Error('around');
  error.cause = error;
  expect(JSON.stringify(loggedError(error)).length).toBeLessThan(20_000);
});

test('what is thrown and is no error shows nothing of itself', () => {
  expect(loggedError('a secret')).toEqual({ type: 'string' });
});

test('a refusal of the payment provider shows its codes, and nothing that the provider wrote (threat-leaked-secrets)', () => {
  const words = 'The account 09171234567 of Ana Reyes is closed.';
  const faults = [
    { code: 'parameter_invalid', detail: words, source: { pointer: words } },
    { code: words, sub_code: words },
  ];
  const error = new PaymongoError(422, faults, { errors: faults });
  const around = new Error('a payout failed', { cause: error });
  const reason = 'The payment provider answered 422, parameter_invalid, another code.';
  expect([errorReason(error), errorReason(around)]).toEqual([reason, reason]);
  const logged = JSON.stringify(loggedError(around));
  expect(logged).toContain(reason);
  expect(logged).toContain('log-errors.test.ts');
  expect(logged).not.toMatch(/0917|Ana/);
});

test.for(Object.entries(oddErrors))('one short line is logged of %s', ([, error]) => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  log.warn({ err: error }, 'failed');
  log.warn({ err: error });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.length).toBeLessThan(300_000);
    expect(JSON.parse(line)).toHaveProperty('time');
  }
  expect(errorReason(error)).toMatch(/^[^\0]{1,500}$/);
  expect(errorReason(error).isWellFormed()).toBe(true);
});

test('a value that a long message quotes is hidden although its end is cut off', () => {
  const error = Object.assign(new Error(`invalid input for "${'secret '.repeat(100_000)}"`), {
    ...{ code: '22000', severity: 'ERROR' },
  });
  expect(JSON.stringify(loggedError(error))).not.toContain('secret');
  expect(errorReason(error)).not.toContain('secret');
});
