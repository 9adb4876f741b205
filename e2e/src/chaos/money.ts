// `npm run chaos money -- --schedules 1000 --kills 100 --seed N`: random lives of requests with faults of the provider,
// and kill -9 of server and database meanwhile.
import { parseArgs } from 'node:util';
import { openTara } from '../tara.ts';
import { openMoneyFixture } from './money-fixture.ts';
import { runMoney } from './money-run.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seed = Number(values.seed);

const tara = await openTara();
try {
  const fixture = await openMoneyFixture(tara, 6);
  console.log(`seed ${seed}: ${fixture.pairs.length} pairs`);
  const schedules = Number(values.schedules);
  const kills = Number(values.kills);
  const { requests, centavos } = await runMoney(fixture, { schedules, kills, seed });
  console.log(
    `${requests} requests, ${kills} kills: ${centavos / 100} pesos captured, none lost, none twice`,
  );
} finally {
  await tara.remove();
}
