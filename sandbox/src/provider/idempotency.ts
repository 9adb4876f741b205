import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RunOnce } from './api.ts';
import { attributeProblem, ProviderProblem } from './problem.ts';
import type { Clock } from './settings.ts';
import type { Store } from './store.ts';

/** The provider stores a key for about a day. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

const Row = z.object({ fingerprint: z.string(), status: z.number(), reply: z.string() });

/**
 * Stores the first reply to an `Idempotency-Key` in the transaction of the call, and repeats it for later calls with
 * that key. Refusals are stored too, except those of the call's parameters: the corrected call may use its key again.
 * Other content under a stored key is refused.
 */
export function createIdempotency(store: Store, clock: Clock): RunOnce {
  const { database } = store;
  const find = database.prepare('select * from idempotent_calls where key = ? and created_at > ?');
  const insert = database.prepare(
    'insert or replace into idempotent_calls (key, fingerprint, status, reply, created_at) values (?, ?, ?, ?, ?)',
  );
  const deleteExpired = database.prepare('delete from idempotent_calls where created_at <= ?');

  return (request, work) => {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key === '') return { reply: work(), replayed: false };
    if (key.length > 255) throw keyProblem('parameter_above_maximum', 'should have at most 255 characters.');
    const now = clock.now();
    const fingerprint = createHash('sha256')
      .update(`${request.method} ${request.url} ${JSON.stringify(request.body)}`)
      .digest('hex');
    deleteExpired.run(now - KEY_LIFETIME_MS);
    const row = find.get(key, now - KEY_LIFETIME_MS);
    if (row) {
      const { status, reply, ...stored } = Row.parse(row);
      if (stored.fingerprint !== fingerprint) {
        throw keyProblem('idempotency_key_mismatch', 'was used for a call with other parameters.');
      }
      if (status >= 400) throw new ProviderProblem(status, ...JSON.parse(reply));
      return { reply: JSON.parse(reply), replayed: true };
    }
    try {
      const reply = work();
      insert.run(key, fingerprint, 200, JSON.stringify(reply), now);
      return { reply, replayed: false };
    } catch (error) {
      if (
        error instanceof ProviderProblem &&
        !error.errors.every(({ code }) => code.startsWith('parameter_'))
      ) {
        insert.run(key, fingerprint, error.status, JSON.stringify(error.errors), now);
      }
      throw error;
    }
  };
}

const keyProblem = (code: string, rule: string) =>
  attributeProblem('Idempotency-Key', code, `Idempotency-Key ${rule}`);
