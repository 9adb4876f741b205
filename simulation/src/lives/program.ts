import { availableParallelism, constants } from 'node:os';
import { countFromOne, flag, readOptions, seed as seedOption, text } from '@tara/proof/options';
import { startPostgres } from '../postgres/start.ts';
import {
  describeFailure,
  describeSeeds,
  enoughSeeds,
  judgeRun,
  leastTimes,
  liveSeed,
  type Place,
  type Run,
  shorten,
} from './run.ts';
import { describeAct, describeSettings, type Script } from './script.ts';
import { openPool } from './share.ts';
import { knownRow } from './subject.ts';
import { findSubject, type SubjectName } from './subjects.ts';
import type { World } from './world.ts';

/** Failures that are shortened and shown. */
const mostShown = 3;

/** Prints the life of a seed, step by step. @returns the exit code */
async function printLife<W extends World, S extends Script>(
  place: Place<W, S>,
  seed: number,
): Promise<number> {
  const { trace, findings } = await liveSeed(place, seed);
  console.log(trace.join('\n'));
  return findings.some((finding) => !knownRow(place.subject, finding)) ? 1 : 0;
}

/** Prints the first failures, shortened, and the seeds of all. */
async function printFailures<W extends World, S extends Script>(
  place: Place<W, S>,
  { failures }: Run,
): Promise<void> {
  for (const { seed, finding } of failures.slice(0, mostShown)) {
    console.log(`\n${describeFailure({ seed, finding })}`);
    const script = await shorten(place, seed, finding.invariant);
    const { trace } = await liveSeed(place, seed, { script });
    const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join('\n');
    console.log('Its history, shortened:');
    console.log(indent([...describeSettings(script), ...script.acts.map(describeAct)]));
    console.log('What happened last:');
    console.log(indent(trace.slice(-40).map((line) => line.slice(0, 200))));
    console.log(`Everything: npm run simulate ${place.subject.name} -- --seed ${seed}`);
  }
  console.log(`\n${describeSeeds(failures)}`);
}

/** Prints which seed failed first. @returns the exit code */
function printFirst({ failures }: Run): number {
  for (const failure of failures.slice(0, 1)) console.log(describeFailure(failure));
  return failures.length > 0 ? 1 : 0;
}

/**
 * Lives seeds that follow each other, shared out among as many processes as there are cores, or `--processes`, and prints what
 * they showed. `--seed N` alone prints everything that happens in the life of that seed; `--find` ends with the first failure,
 * which it names; `--databases` are addresses of empty ones to take in place of its own, with a space between.
 * @returns the exit code
 */
export async function simulate(name: SubjectName): Promise<number> {
  const subject = findSubject(name);
  const { seeds, seed, processes, find, databases } = readOptions(`npm run simulate ${name}`, {
    ...{ seeds: countFromOne(1), seed: seedOption(), find: flag() },
    processes: countFromOne(availableParallelism()),
    databases: text('URLS'),
  });
  const started: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const stopEach = async () => {
    for (const stop of started.toReversed()) await stop();
  };
  /** Ends what was started, the last first, once: a run that is interrupted ends by itself meanwhile. */
  const stopAll = () => (stopping ??= stopEach());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().finally(() => process.exit(128 + constants.signals[signal])));

  /** Does something with a world on a database without rows. */
  const inWorld = async <Result>(url: string, work: (place: Place<World, Script>) => Promise<Result>) => {
    const world = await subject.openWorld(url);
    try {
      return await work({ subject, world });
    } finally {
      await world.close();
    }
  };

  /** Prints what the seeds showed. @param url of a database without rows @returns the exit code */
  const printRun = async (url: string, run: Run): Promise<number> => {
    console.log(run.coverage.lines().join('\n'));
    console.log(`\n${seeds} lives, ${run.steps} steps`);
    for (const { invariant, cause } of subject.known) {
      const shown = run.known.get(invariant) ?? [];
      console.log(`known: ${invariant} (${cause}): ${shown.length} times, as in seed ${shown[0] ?? '–'}`);
    }
    if (run.failures.length > 0) await inWorld(url, (place) => printFailures(place, run));
    const { rare, mustHave, isFailed } = judgeRun(subject, run, seeds);
    if (rare.length > 0)
      console.log(
        `\nseldomer than ${leastTimes} times in ${enoughSeeds} lives${mustHave ? '' : ', by these few'}:\n${rare.join('\n')}`,
      );
    for (const [title, reasons] of Object.entries(subject.excluded)) {
      console.log(`\n${title}:`);
      for (const [what, reason] of reasons) console.log(`  ${what}: ${reason}`);
    }
    console.log(run.failures.length === 0 ? '\nevery invariant held' : `\n${run.failures.length} failures`);
    return isFailed ? 1 : 0;
  };

  const postgres = databases === null ? await startPostgres() : null;
  if (postgres) started.push(postgres.stop);
  /** Addresses of so many databases without rows. */
  const makeDatabases = async (number: number): Promise<string[]> =>
    postgres
      ? Promise.all(Array.from({ length: number }, () => postgres.makeDatabase()))
      : (databases ?? '').split(' ').slice(0, number);
  try {
    // The last database is for what is shown of failures.
    const urls = await makeDatabases(seeds === 1 ? 1 : processes + 1);
    const last = urls.at(-1) ?? '';
    if (seeds === 1) return await inWorld(last, (place) => printLife(place, seed));
    const pool = await openPool(name, urls.slice(0, processes));
    started.push(pool.close);
    let printedCount = 0;
    const run = await pool
      .share({ first: seed, count: seeds }, ({ lived, failures }) => {
        // Those of a run that is interrupted are known, too.
        if (!find)
          for (const failure of failures.slice(printedCount)) console.error(describeFailure(failure));
        printedCount = failures.length;
        if (lived % 500 === 0 && !find) console.error(`${lived} lives, ${failures.length} failures`);
        return find && failures.length > 0;
      })
      .finally(() => started.pop()?.());
    return find ? printFirst(run) : await printRun(last, run);
  } finally {
    await stopAll();
  }
}
