// `npm run fuzz`: sends inputs generated from the contract to its own server for some minutes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minutes as minutesOption, pattern, readOptions, seed as seedOption } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import { migrationsFolder } from '@tara/server/config';
import { startEmbedded } from '@tara/server/platform/database/embedded';
import { migrate } from '@tara/server/platform/database/migrate';
import { migrateJobs } from '@tara/server/platform/jobs/migrate';
import { quietLog } from '@tara/server/platform/log';
import { productCalls } from './calls.ts';
import type { Finding } from './findings.ts';
import { attacks } from './inputs/attacks.ts';
import { frameCalls } from './inputs/frames.ts';
import { startProduct } from './product.ts';
import { type FuzzOptions, type FuzzResult, fuzz } from './run.ts';
import { closeConnections } from './send.ts';

/** Share of the time for the last part, which runs with rate limits. */
const limitedShare = 0.05;

const { minutes, seed, calls } = readOptions('npm run fuzz', {
  minutes: minutesOption(5),
  seed: seedOption(),
  calls: pattern(),
});
const isChosen = (name: string) => calls?.test(name) ?? true;

function print({ findings, tally, rounds, quietP99 }: FuzzResult): void {
  const { inputs, refused } = tally.total();
  const { head, rows } = tally.table();
  printTable(head, rows);
  console.log(`${inputs} inputs in ${rounds} rounds, ${refused} refused`);
  console.log(`another member's quiet p99 was ${Math.round(quietP99)} ms`);
  for (const finding of findings) printFinding(finding);
}

function printFinding({ kind, call, actor, what, detail, line, count }: Finding): void {
  console.log(`\n${kind}: ${call} as ${actor} (${what}), ${count} times\n  ${detail}\n  ${line}`);
}

const dataDir = await mkdtemp(join(tmpdir(), 'tara-fuzz-'));
const embedded = await startEmbedded({ dataDir, log: quietLog(), durable: false });
try {
  await migrateJobs(embedded.url);
  await migrate(embedded.url, migrationsFolder);
  const product = await startProduct(embedded.url);
  console.log(`the test data is ready after ${Math.round(performance.now() / 1000)} s`);
  const until = (share: number) => {
    const end = Date.now() + minutes * 60_000 * share;
    return () => Date.now() < end;
  };
  const common: Omit<FuzzOptions, 'shouldContinue' | 'seed'> = {
    ...product,
    calls: productCalls.filter(({ name }) => isChosen(name)),
    frames: frameCalls.filter(isChosen),
    inputsPerCall: 2,
  };
  try {
    const known = attacks.filter(({ input }) => isChosen(input.call));
    const unlimited = await fuzz({
      ...common,
      attacks: known,
      seed,
      shouldContinue: until(1 - limitedShare),
    });
    print(unlimited);
    await product.server.restart({ RATE_LIMITS: 'on' });
    console.log('\nwith the limits on:');
    const limited = await fuzz({ ...common, seed: seed + 1, shouldContinue: until(limitedShare) });
    print(limited);
    const count = unlimited.findings.length + limited.findings.length;
    console.log(count === 0 ? '\nNothing was found.' : `\n${count} findings.`);
    process.exitCode = count === 0 ? 0 : 1;
  } finally {
    closeConnections();
    await product.stop();
  }
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
