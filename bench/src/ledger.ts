// `npm run bench ledger`: the proof of the ledger over 1,000,000 completed requests, which `--requests 100000` makes fewer (10,000 have
// one for each damage), and whether it names one centavo that is wrong in any column of money, or booked to another account.
import { count, readOptions } from '@tara/proof/options';
import { proveLedger } from '@tara/server/features/payments/index';
import { type Damage, damages } from './ledger/damages.ts';
import { addMoney } from './ledger/money.ts';
import { requireFigure } from './measure/requirement.ts';
import { type BenchDatabase, runWorkload } from './setup/database.ts';
import { addMembers } from './setup/members.ts';

const { requests } = readOptions('npm run bench ledger', { requests: count(1_000_000) });
/** Longest proof, also of fewer requests. */
const mostSeconds = 300;

const seconds = (figure: number) => `${figure.toFixed(1)} s`;

/** Seconds that it takes, and what it comes to. */
async function timed<Result>(work: () => Promise<Result>): Promise<[seconds: number, result: Result]> {
  const began = performance.now();
  const result = await work();
  return [(performance.now() - began) / 1000, result];
}

/** The damages that a proof does not name, when all are done at once to different requests. */
async function findUnnamed({ database }: BenchDatabase): Promise<Damage[]> {
  const undo = new Error('undo');
  let unnamed: Damage[] = [];
  await database
    .transaction(async (transaction) => {
      for (const { statement } of damages) await transaction.execute(statement);
      // A transaction reads like the database.
      const { differences } = await proveLedger(transaction as never);
      const isNamed = ({ subject }: Damage) =>
        differences.some((difference) => difference.subject === subject);
      unnamed = damages.filter((damage) => !isNamed(damage));
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return unnamed;
}

await runWorkload(async (database) => {
  await addMembers(database, 10_000);
  const [filling] = await timed(() => addMoney(database, requests));
  console.log(`${requests.toLocaleString('en')} completed requests are filled in ${seconds(filling)}.`);
  const [full, report] = await timed(() => proveLedger(database.database));
  console.log(report.counts, report.differences);
  const [nightly] = await timed(() => proveLedger(database.database, { since: new Date() }));
  console.log(`The proof of one night without a movement: ${seconds(nightly)}.`);
  const unnamed = await findUnnamed(database);
  for (const { name } of unnamed) console.log(`Not named: one centavo in ${name}.`);
  return [
    requireFigure('differences of a right ledger', report.differences.length, { atMost: 0 }),
    requireFigure('the proof of everything', full, { atMost: mostSeconds }, seconds),
    requireFigure(`${damages.length} wrong centavos that are not named`, unnamed.length, { atMost: 0 }),
  ].every(Boolean);
});
