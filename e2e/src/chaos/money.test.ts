import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTara, type Tara } from '../tara.ts';
import { checkBooks } from './money-checks.ts';
import { type MoneyFixture, openMoneyFixture, withDatabase } from './money-fixture.ts';
import { runMoney } from './money-run.ts';

// A short run; the long one is `npm run chaos money`.
const run = { schedules: 20, kills: 1, seed: 20_261_122 };

let tara: Tara;
let fixture: MoneyFixture;
beforeAll(async () => {
  tara = await openTara();
  fixture = await openMoneyFixture(tara, 3);
}, 300_000);
afterAll(() => tara.remove());

test('random lives of requests, with faults of the provider and kill -9, keep every centavo', {
  timeout: 600_000,
}, async () => {
  const { requests, centavos } = await runMoney(fixture, run);
  expect(requests).toBe(run.schedules);
  expect(centavos).toBeGreaterThan(0);
});

test('a payment that was captured twice is found in the books', { timeout: 120_000 }, async () => {
  await withDatabase(tara, async (sql) => {
    await sql`
      insert into captured_payments (id, interaction_id, amount_centavos)
      select number || ' planted', id, 100_00
      from (select id from interactions limit 1) as planted, generate_series(1, 2) as number`;
    await expect(checkBooks(tara, sql)).rejects.toThrow('charged twice');
  });
});
