// `npm run simulate money -- --seeds 1000`: lives of requests and their money in one process, from seeds that follow each
// other, shared out among as many processes as there are cores, or `--processes`. `--seed N` alone prints everything that
// happens in the life of that seed; `--find` ends with the first failure, which it names;
// `--databases` are addresses of empty ones to take in place of its own, with a space between.
import { availableParallelism } from 'node:os';
import { stages } from '@tara/contract/interactions/stages';
import { count, flag, readOptions, seed as seedOption, text } from '@tara/proof/options';
import { tasks } from '@tara/server/platform/tasks';
import { crashPointNames } from './money/crash-points.ts';
import { known } from './money/known.ts';
import { startPostgres } from './money/postgres.ts';
import { callFaults } from './money/provider.ts';
import { liveSeed, type Run, shorten } from './money/run.ts';
import { deedNames, deliveryFaults, describeAct } from './money/script.ts';
import { shareSeeds } from './money/share.ts';
import { openWorld, type World } from './money/world.ts';
import { excludedPairs, pairNames, pairsInTurn } from './money/writers.ts';

const { seeds, seed, processes, find, databases } = readOptions('npm run simulate money', {
  ...{ seeds: count(1), seed: seedOption(), processes: count(availableParallelism()), find: flag() },
  databases: text('URLS'),
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
  const rare = rareThings(run);
  if (rare.length > 0)
    console.log(`\nseldomer than ${leastTimes} times in ${enoughSeeds} lives:\n${rare.join('\n')}`);
  for (const [title, pairs] of [
    ['pairs of which one leads to the stage of the other', pairsInTurn],
    ['pairs that the stages exclude', excludedPairs],
  ] as const) {
    console.log(`\n${title}:`);
    for (const [pair, reason] of pairs) console.log(`  ${pair}: ${reason}`);
  }
  console.log(run.failures.length === 0 ? '\nevery invariant held' : `\n${run.failures.length} failures`);
  return run.failures.length > 0 || rare.length > 0 ? 1 : 0;
}

/** What happened too seldom. In fewer lives chance decides about what is expected a few times. */
function rareThings({ coverage }: Run): string[] {
  if (seeds < enoughSeeds) return [];
  const least = Math.floor((leastTimes * seeds) / enoughSeeds);
  return [
    ...coverage.lacks('deed', deedNames, least),
    ...coverage.lacks('stage', stages, least),
    ...coverage.lacks('fault', [...callFaults, ...deliveryFaults], least),
    ...coverage.lacks('job', jobNames, least),
    ...coverage.lacks('crash before', crashPointNames, least),
    ...coverage.lacks('at once', pairNames, least),
  ];
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

const postgres = databases === null ? await startPostgres() : null;
/** Addresses of so many databases without rows. */
const makeDatabases = async (number: number): Promise<string[]> =>
  postgres
    ? Promise.all(Array.from({ length: number }, () => postgres.makeDatabase()))
    : (databases ?? '').split(' ').slice(0, number);
let code = 1;
try {
  // The last database is for what is shown of failures.
  const urls = await makeDatabases(seeds === 1 ? 1 : processes + 1);
  const last = urls.at(-1) ?? '';
  if (seeds === 1) code = await inWorld(last, printLife);
  else {
    const run = await shareSeeds(
      urls.slice(0, processes),
      { first: seed, count: seeds },
      ({ lived, failures }) => {
        if (lived % 500 === 0 && !find) console.error(`${lived} lives, ${failures.length} failures`);
        return find && failures.length > 0;
      },
    );
    code = find ? printFirst(run) : await printRun(last, run);
  }
} finally {
  await postgres?.stop();
}
process.exit(code);
