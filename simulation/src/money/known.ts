import type { Finding } from './checks.ts';
import { type Deed, dayMs } from './script.ts';

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
export const known: readonly Known[] = [
  {
    invariant: 'money that has not moved for an hour is in a list',
    cause: 'a payout whose sending was answered by 401, 403 or 5xx is in no list of the admins',
    seed: 1,
    deeds: [
      { do: 'request', client: 0, plan: 0, day: 3 },
      { do: 'pay', request: 0, way: 'card' },
      { do: 'accept', request: 0 },
      { do: 'pass', ms: 4 * dayMs },
      { do: 'fulfil', request: 0 },
      { do: 'callFault', kind: 'answer_403', call: 'GET /v2/wallets', times: 1000 },
      { do: 'confirm', request: 0, admin: 0 },
      { do: 'pass', ms: dayMs },
    ],
    goesOn: true,
  },
];

/** The row of a finding; undefined for one that is new. */
export const knownRow = ({ invariant }: Finding) => known.find((row) => row.invariant === invariant);
