import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTara, type Tara } from '../tara.ts';
import { type MoneyFixture, openMoneyFixture } from './money-fixture.ts';
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
