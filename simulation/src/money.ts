// `npm run simulate money -- --seeds 1000`: lives of requests and their money in one process, from seeds that follow each
// other, shared out among as many processes as there are cores, or `--processes`. `--seed N` alone prints everything that
// happens in the life of that seed; `--find` ends with the first failure, which it names.
import { availableParallelism } from 'node:os';
import { count, flag, readOptions, seed as seedOption } from '@tara/proof/options';
import { tasks } from '@tara/server/platform/tasks';
import { known } from './money/known.ts';
import { startPostgres } from './money/postgres.ts';
import { callFaults } from './money/provider.ts';
import { liveSeed, type Run, shorten } from './money/run.ts';
import { deedNames, deliveryFaults, describeAct } from './money/script.ts';
import { shareSeeds } from './money/share.ts';
import { openWorld, type World } from './money/world.ts';

const { seeds, seed, processes, find } = readOptions('npm run simulate money', {
  ...{ seeds: count(1), seed: seedOption(), processes: count(availableParallelism()), find: flag() },
});

/** Lives from which on each thing must have happened so often. */
const enoughSeeds = 20_000;
const leastTimes = 100;
/** The jobs of money, but for the nightly check, which the simulation replaces by its own. */
const jobNames = Object.values(tasks)
  .map(({ name }) => name)
  .filter((name) => /^(payments|disputes)\./.test(name) && name !== tasks.checkLedger.name);
/** Failures that are shortened and shown. */
const mostShown = 3;

/** Prints the life of a seed, step by step. */
async function printLife(world: World): Promise<number> {
  const { trace, findings } = await liveSeed(world, seed);
  console.log(trace.join('\n'));
  return findings.some(({ invariant }) => !known.some((row) => row.invariant === invariant)) ? 1 : 0;
}

/** Prints what the seeds showed. @param url of a database without rows @returns the exit code */
async function printRun(url: string, run: Run): Promise<number> {
  console.log(run.coverage.lines().join('\n'));
  console.log(`\n${seeds} lives, ${run.steps} steps`);
  for (const { invariant, cause } of known) {
    const shown = run.known.get(invariant) ?? [];
    console.log(`known: ${invariant} (${cause}): ${shown.length} times, as in seed ${shown[0] ?? '–'}`);
  }
  if (run.failures.length > 0) await inWorld(url, (world) => printFailures(world, run));
  const { coverage } = run;
  const rare = [
    ...coverage.lacks('deed', deedNames, leastTimes),
    ...coverage.lacks('fault', [...callFaults, ...deliveryFaults], leastTimes),
    ...coverage.lacks('job', jobNames, leastTimes),
  ];
  const lacks = seeds >= enoughSeeds && rare.length > 0;
  if (lacks) console.log(`\nless than ${leastTimes} times:\n${rare.join('\n')}`);
  console.log(run.failures.length === 0 ? '\nevery invariant held' : `\n${run.failures.length} failures`);
  return run.failures.length > 0 || lacks ? 1 : 0;
}

/** Prints which seed failed first. @returns the exit code */
function printFirst({ failures }: Run): number {
  for (const { seed: failed, finding } of failures.slice(0, 1))
    console.log(`seed ${failed} breaks '${finding.invariant}': ${finding.text}`);
  return failures.length > 0 ? 1 : 0;
}

/** Prints the first failures, shortened. */
async function printFailures(world: World, { failures }: Run): Promise<void> {
  for (const { seed: failed, finding } of failures.slice(0, mostShown)) {
    console.log(`\nseed ${failed} breaks '${finding.invariant}': ${finding.text}`);
    const script = await shorten(world, failed, finding.invariant);
    const { trace } = await liveSeed(world, failed, { script });
    console.log('Its history, shortened:');
    console.log(
      Object.entries(script.environment)
        .map(([name, value]) => `  ${name}=${value}`)
        .join('\n'),
    );
    console.log(script.acts.map((act) => `  ${describeAct(act)}`).join('\n'));
    console.log('What happened last:');
    console.log(
      trace
        .slice(-40)
        .map((line) => `  ${line.slice(0, 200)}`)
        .join('\n'),
    );
    console.log(`Everything: npm run simulate money -- --seed ${failed}`);
  }
}

/** Does something with a world on a database without rows. */
async function inWorld<Result>(url: string, work: (world: World) => Promise<Result>): Promise<Result> {
  const world = await openWorld(url);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

const isOne = seeds === 1;
// The last database is for what is shown of failures.
const postgres = await startPostgres(isOne ? 1 : processes + 1);
let code = 1;
try {
  const { urls } = postgres;
  const last = urls.at(-1) ?? '';
  if (isOne) code = await inWorld(last, printLife);
  else {
    const run = await shareSeeds(urls.slice(0, -1), { first: seed, count: seeds }, ({ lived, failures }) => {
      if (lived % 500 === 0 && !find) console.error(`${lived} lives, ${failures.length} failures`);
      return find && failures.length > 0;
    });
    code = find ? printFirst(run) : await printRun(last, run);
  }
} finally {
  await postgres.stop();
}
process.exit(code);
