import { z } from 'zod';
import type { Once } from './api.ts';
import type { Clock } from './clock.ts';
import { ProviderProblem } from './problem.ts';
import type { Store } from './store.ts';

/** The provider remembers a key for about a day. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const Row = z.object({ status: z.number(), reply: z.string() });

/**
 * The first answer to an `Idempotency-Key` is kept, in the same transaction as what it answers for, and repeated to
 * everyone who comes with that key again. Refusals (4xx) are kept as well, as the provider does.
 */
export function createOnce(store: Store, clock: Clock): Once {
  const { database } = store;
  const find = database.prepare('select status, reply from idempotency where key = ? and created_at > ?');
  const keep = database.prepare(
    'insert or replace into idempotency (key, status, reply, created_at) values (?, ?, ?, ?)',
  );
  const forget = database.prepare('delete from idempotency where created_at <= ?');

  return (request, work) => {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key === '') return { reply: work(), replayed: false };
    const now = clock.now();
    forget.run(now - KEPT_MS);
    const row = find.get(key, now - KEPT_MS);
    if (row) {
      const { status, reply } = Row.parse(row);
      if (status >= 400) throw new ProviderProblem(status, ...JSON.parse(reply));
      return { reply: JSON.parse(reply), replayed: true };
    }
    try {
      const reply = work();
      keep.run(key, 200, JSON.stringify(reply), now);
      return { reply, replayed: false };
    } catch (error) {
      if (error instanceof ProviderProblem) keep.run(key, error.status, JSON.stringify(error.errors), now);
      throw error;
    }
  };
}
