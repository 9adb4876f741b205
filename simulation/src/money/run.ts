import type { Finding } from './checks.ts';
import { Coverage } from './coverage.ts';
import { knownRow } from './known.ts';
import { live, type Outcome } from './life.ts';
import { drawScript, type Script } from './script.ts';
import type { World } from './world.ts';

/** A life that broke an invariant that is not known to be broken. */
export interface Failure {
  seed: number;
  finding: Finding;
}

export interface Run {
  coverage: Coverage;
  steps: number;
  failures: Failure[];
  /** The seeds that showed what is known, by invariant. */
  known: Map<string, number[]>;
}

/** The life of one seed, or another one with its chances. */
export const liveSeed = (
  world: World,
  seed: number,
  { script = drawScript(seed), coverage = new Coverage() }: { script?: Script; coverage?: Coverage } = {},
): Promise<Outcome> =>
  live({ world, seed, script, coverage, goesOn: (finding) => knownRow(finding)?.goesOn === true });

/** Seeds that follow each other. */
export interface Seeds {
  first: number;
  count: number;
}

export const newRun = (): Run => ({ coverage: new Coverage(), steps: 0, failures: [], known: new Map() });

/** Lives of so many seeds, one after the other. */
export async function runSeeds(world: World, { first, count }: Seeds): Promise<Run> {
  const run = newRun();
  for (let seed = first; seed < first + count; seed++) {
    const { findings, steps } = await liveSeed(world, seed, { coverage: run.coverage });
    run.steps += steps;
    for (const finding of findings) {
      const { invariant } = finding;
      if (knownRow(finding)) run.known.set(invariant, [...(run.known.get(invariant) ?? []), seed]);
      else run.failures.push({ seed, finding });
    }
  }
  return run;
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
export async function shorten(
  world: World,
  seed: number,
  invariant: string,
  { script = drawScript(seed), mostTries = 120 }: { script?: Script; mostTries?: number } = {},
): Promise<Script> {
  let best = script;
  let tries = 0;
  const isSame = async (script: Script) => {
    tries += 1;
    const { findings } = await liveSeed(world, seed, { script });
    return findings.some((finding) => finding.invariant === invariant);
  };
  for (let size = Math.ceil(best.acts.length / 2); size >= 1 && tries < mostTries; ) {
    let hasShrunk = false;
    for (let from = 0; from < best.acts.length && tries < mostTries; ) {
      const acts = best.acts.toSpliced(from, size);
      if (acts.length < best.acts.length && (await isSame({ ...best, acts }))) {
        best = { ...best, acts };
        hasShrunk = true;
      } else from += size;
    }
    if (!hasShrunk || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  for (const [index, act] of best.acts.entries()) {
    if (act.steps === null || tries >= mostTries) continue;
    const acts = best.acts.with(index, { ...act, steps: null });
    if (await isSame({ ...best, acts })) best = { ...best, acts };
  }
  return best;
}
