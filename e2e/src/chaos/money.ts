// `npm run chaos money -- --schedules 1000 --kills 100 --seed N`: random lives of requests with faults of the provider,
// and kill -9 of server and database meanwhile.
import { count, readOptions, seed as seedOption } from '@tara/proof/options';
import { openTara } from '../tara.ts';
import { openMoneyFixture } from './money-fixture.ts';
import { runMoney } from './money-run.ts';

const { schedules, kills, seed } = readOptions('npm run chaos money', {
  schedules: count(1000),
  kills: count(100),
  seed: seedOption(),
});

const tara = await openTara();
try {
  const fixture = await openMoneyFixture(tara, 6);
  console.log(`${fixture.pairs.length} pairs`);
  const { requests, centavos } = await runMoney(fixture, { schedules, kills, seed });
  console.log(
    `${requests} requests, ${kills} kills: ${centavos / 100} pesos captured, none lost, none twice`,
  );
} finally {
  await tara.remove();
}
