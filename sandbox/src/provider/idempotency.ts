import { z } from 'zod';
import type { RunOnce } from './api.ts';
import type { Clock } from './clock.ts';
import { ProviderProblem } from './problem.ts';
import type { Store } from './store.ts';

/** The provider stores a key for about a day. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

const Row = z.object({ status: z.number(), reply: z.string() });

/**
 * Stores the first reply to an `Idempotency-Key` in the transaction of the call, and repeats it for later calls with
 * that key. Refusals (4xx) are stored too, as the provider does.
 */
export function createIdempotency(store: Store, clock: Clock): RunOnce {
  const { database } = store;
  const find = database.prepare('select status, reply from idempotency where key = ? and created_at > ?');
  const insert = database.prepare(
    'insert or replace into idempotency (key, status, reply, created_at) values (?, ?, ?, ?)',
  );
  const deleteExpired = database.prepare('delete from idempotency where created_at <= ?');

  return (request, work) => {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key === '') return { reply: work(), replayed: false };
    const now = clock.now();
    deleteExpired.run(now - KEY_LIFETIME_MS);
    const row = find.get(key, now - KEY_LIFETIME_MS);
    if (row) {
      const { status, reply } = Row.parse(row);
      if (status >= 400) throw new ProviderProblem(status, ...JSON.parse(reply));
      return { reply: JSON.parse(reply), replayed: true };
    }
    try {
      const reply = work();
      insert.run(key, 200, JSON.stringify(reply), now);
      return { reply, replayed: false };
    } catch (error) {
      if (error instanceof ProviderProblem) insert.run(key, error.status, JSON.stringify(error.errors), now);
      throw error;
    }
  };
}
