import { Coverage } from './coverage.ts';
import type { Finding, Outcome } from './life.ts';
import type { Act, Script } from './script.ts';
import { knownRow, type Subject } from './subject.ts';
import type { World } from './world.ts';

/** A life that broke an invariant that is not known to be broken. */
export interface Failure {
  seed: number;
  finding: Finding;
}

/** What a life broke, for people. */
export const describeFailure = ({ seed, finding }: Failure): string =>
  `seed ${seed} breaks '${finding.invariant}': ${finding.text}`;

/** The seeds of all failures, for people. */
export const describeSeeds = (failures: readonly Failure[]): string =>
  `seeds that failed: ${[...new Set(failures.map(({ seed }) => seed))].join(', ')}`;

export interface Run {
  coverage: Coverage;
  steps: number;
  failures: Failure[];
  /** The seeds that showed what is known, by invariant. */
  known: Map<string, number[]>;
}

/** A subject, and the world in which it is lived. */
export interface Place<W extends World, S extends Script> {
  subject: Subject<W, S>;
  world: W;
}

/** The life of one seed, or another one with its chances. */
export const liveSeed = <W extends World, S extends Script>(
  { subject, world }: Place<W, S>,
  seed: number,
  { script = subject.drawScript(seed), coverage = new Coverage() }: { script?: S; coverage?: Coverage } = {},
): Promise<Outcome> =>
  subject.live({
    ...{ world, seed, script, coverage },
    goesOn: (finding) => knownRow(subject, finding)?.goesOn === true,
  });

/** Seeds that follow each other. */
export interface Seeds {
  first: number;
  count: number;
}

export const newRun = (): Run => ({ coverage: new Coverage(), steps: 0, failures: [], known: new Map() });

/** Lives of so many seeds, one after the other. */
export async function runSeeds<W extends World, S extends Script>(
  place: Place<W, S>,
  { first, count }: Seeds,
): Promise<Run> {
  const run = newRun();
  for (let seed = first; seed < first + count; seed++) {
    const { findings, steps } = await liveSeed(place, seed, { coverage: run.coverage });
    run.steps += steps;
    for (const finding of findings) {
      const { invariant } = finding;
      if (knownRow(place.subject, finding))
        run.known.set(invariant, [...(run.known.get(invariant) ?? []), seed]);
      else run.failures.push({ seed, finding });
    }
  }
  return run;
}

/** Lives from which on each thing must have happened so often. */
export const enoughSeeds = 20_000;
export const leastTimes = 100;

/** What happened too seldom in a run of so many lives, and whether the run fails by that or by a finding. */
export function judgeRun(
  { mustHappen }: Pick<Subject, 'mustHappen'>,
  { coverage, failures }: Pick<Run, 'coverage' | 'failures'>,
  seeds: number,
): { rare: string[]; mustHave: boolean; isFailed: boolean } {
  const least = Math.ceil((leastTimes * seeds) / enoughSeeds);
  const rare = Object.entries(mustHappen).flatMap(([kind, names]) => coverage.lacks(kind, names, least));
  // In fewer lives chance decides about what is expected a few times.
  const mustHave = seeds >= enoughSeeds;
  return { rare, mustHave, isFailed: failures.length > 0 || (mustHave && rare.length > 0) };
}

/** Adds what other seeds showed. */
export function mergeRun(run: Run, { coverage, steps, failures, known }: Run): void {
  run.coverage.add(coverage);
  run.steps += steps;
  run.failures.push(...failures);
  for (const [invariant, seeds] of known)
    run.known.set(invariant, [...(run.known.get(invariant) ?? []), ...seeds]);
}

/**
 * The shortest life that was found that breaks the same invariant: acts are left out, and what is left is done one by one.
 * @param mostTries lives that are tried
 */
export async function shorten<W extends World, S extends Script>(
  place: Place<W, S>,
  seed: number,
  invariant: string,
  { script = place.subject.drawScript(seed), mostTries = 120 }: { script?: S; mostTries?: number } = {},
): Promise<S> {
  let best = script;
  let tries = 0;
  /** Takes these acts when they break it as well. */
  const tryActs = async (acts: Act[]) => {
    tries += 1;
    const shorter = { ...best, acts };
    const { findings } = await liveSeed(place, seed, { script: shorter });
    const isSame = findings.some((finding) => finding.invariant === invariant);
    if (isSame) best = shorter;
    return isSame;
  };
  for (let size = Math.ceil(best.acts.length / 2); size >= 1 && tries < mostTries; ) {
    let hasShrunk = false;
    for (let from = 0; from < best.acts.length && tries < mostTries; ) {
      const acts = best.acts.toSpliced(from, size);
      if (acts.length < best.acts.length && (await tryActs(acts))) hasShrunk = true;
      else from += size;
    }
    if (!hasShrunk || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  for (const [index, act] of best.acts.entries()) {
    if (act.steps === null || tries >= mostTries) continue;
    await tryActs(best.acts.with(index, { ...act, steps: null }));
  }
  return best;
}
