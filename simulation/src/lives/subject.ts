import type { Finding, LifeOptions, Outcome } from './life.ts';
import type { Script } from './script.ts';
import type { World } from './world.ts';

/** An invariant that does not hold yet, and a seed that shows it. */
interface Known {
  invariant: string;
  /** What is wrong. */
  cause: string;
  seed: number;
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
  known: readonly Known[];
  /** The row of a finding; undefined for one that is new. */
  knownRow(finding: Finding): Known | undefined;
  /** What has to happen in many lives, by kind. */
  mustHappen: Readonly<Record<string, readonly string[]>>;
  /** What a run explains about what cannot happen: a title, and a reason for each. */
  excluded: Readonly<Record<string, ReadonlyMap<string, string>>>;
}
