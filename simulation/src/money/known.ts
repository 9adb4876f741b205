import type { Finding } from './checks.ts';
import type { Deed } from './script.ts';

/** An invariant that does not hold yet, and a seed that shows it. */
interface Known {
  invariant: string;
  /** What is wrong. */
  cause: string;
  seed: number;
  /** What shows it with the chances of that seed, where the seed's own life is too much the schedule's. */
  deeds?: readonly Deed[];
  /** Whether a life can go on after it: whatever follows from the others would look like more of them. */
  goesOn: boolean;
}

/** What is known to be wrong with the money. A seed that shows one no longer fails the tests: its row is removed then. */
export const known: readonly Known[] = [];

/** The row of a finding; undefined for one that is new. */
export const knownRow = ({ invariant }: Finding) => known.find((row) => row.invariant === invariant);
