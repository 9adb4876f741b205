import type { Finding, LifeOptions, Outcome } from './life.ts';
import type { AnyDeed, Script } from './script.ts';
import type { World } from './world.ts';

/** An invariant that does not hold yet, and a seed that shows it. */
export interface Known<Deed extends AnyDeed = AnyDeed> {
  invariant: string;
  /** What is wrong. */
  cause: string;
  seed: number;
  /** What shows it with the chances of that seed, where the seed's own life is too much the schedule's. */
  deeds?: readonly Deed[];
  /** Whether a life can go on after it: whatever follows from the others would look like more of them. */
  goesOn: boolean;
}

/** What is lived: money, or chats. */
export interface Subject<W extends World = World, S extends Script = Script> {
  name: string;
  /** Makes a database simulated that has every migration and no rows. */
  openWorld(url: string): Promise<W>;
  /** The script of a seed. */
  drawScript(seed: number): S;
  live(options: LifeOptions<W, S>): Promise<Outcome>;
  /** What is known to be wrong. A seed that shows one no longer fails the tests: its row is removed then. */
  known: readonly Known<S['acts'][number]['deed']>[];
  /** What has to happen in many lives, by kind. */
  mustHappen: Readonly<Record<string, readonly string[]>>;
  /** What a run explains about what cannot happen: a title, and a reason for each. */
  excluded: Readonly<Record<string, ReadonlyMap<string, string>>>;
}

/** The row of what is known to be wrong that a finding shows; undefined for one that is new. */
export const knownRow = ({ known }: Pick<Subject, 'known'>, { invariant }: Finding): Known | undefined =>
  known.find((row) => row.invariant === invariant);
