import fc from 'fast-check';
import { type Happening, happenings, type Lived } from './money-acts.ts';
import { control, insist, type MoneyFixture } from './money-fixture.ts';

/** What goes wrong at the provider meanwhile; each a few times, so that a schedule comes to its end. */
const faults = [
  { kind: 'lose_answer', path: '/v1/links', method: 'POST', times: 3 },
  { kind: 'lose_answer', path: '/v2/batch_transfers', times: 3 },
  { kind: 'lose_answer', path: '/v1/refunds', times: 2 },
  { kind: 'answer_500', path: '/v1/links', times: 4 },
  { kind: 'answer_500', path: '/v2/', times: 4 },
  { kind: 'answer_500', path: '/v1/refunds', times: 3 },
  { kind: 'answer_429', path: '/v1/', times: 4, delay_ms: 1000 },
  { kind: 'answer_403', path: '/v2/batch_transfers', times: 1 },
  { kind: 'hang', path: '/v2/batch_transfers', times: 2, delay_ms: 200 },
  { kind: 'hang', path: '/v1/refunds', times: 2, delay_ms: 200 },
  { kind: 'fail_refund', times: 1 },
  { kind: 'drop_deliveries', times: 6 },
  { kind: 'duplicate_deliveries', times: 10 },
  { kind: 'reorder_deliveries', times: 6, delay_ms: 100 },
  { kind: 'delay_deliveries', times: 6, delay_ms: 200 },
] as const;

const goodEnd: readonly Happening[] = ['pay', 'accept', 'fulfil', 'confirmByTwo'];

/** A random life of a request; half of them come to a good end. */
const life = fc
  .tuple(fc.array(fc.constantFrom(...happenings), { maxLength: 7 }), fc.boolean(), fc.nat())
  .map(([drawn, ends, seed]): Lived => ({ happenings: ends ? [...drawn, ...goodEnd] : drawn, seed }));

/** Several requests at once, and what goes wrong meanwhile. */
export const batches = (size: number) =>
  fc.record({
    lives: fc.array(life, { minLength: size, maxLength: size }),
    troubles: fc.uniqueArray(fc.constantFrom(...faults), { maxLength: 4 }),
  });

/** Orders the faults of a batch, and clears them at its end. */
export async function underFaults<T>(
  fixture: MoneyFixture,
  troubles: readonly object[],
  work: () => Promise<T>,
): Promise<T> {
  for (const fault of troubles) await insist(() => control(fixture.tara, '/faults', fault));
  try {
    return await work();
  } finally {
    await insist(() => fetch(`${fixture.tara.url}/sandbox/faults`, { method: 'DELETE' }));
  }
}
