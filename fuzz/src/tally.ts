import { type ActorName, actorNames } from './inputs/input.ts';
import type { Outcome } from './probe.ts';

/** How many inputs were sent and refused, by call and actor. */
export interface Tally {
  count(outcome: Outcome): void;
  /** Total number of inputs. */
  total(): { inputs: number; refused: number };
  /** A table call × actor; each cell is inputs/refused. */
  table(): { head: string[]; rows: string[][] };
}

interface Cell {
  inputs: number;
  refused: number;
}

export function openTally(): Tally {
  const calls = new Map<string, Map<ActorName, Cell>>();
  const sum = (cells: Iterable<Cell>): Cell => {
    const total = { inputs: 0, refused: 0 };
    for (const { inputs, refused } of cells) {
      total.inputs += inputs;
      total.refused += refused;
    }
    return total;
  };
  const all = () => [...calls.values()].flatMap((row) => [...row.values()]);
  const show = ({ inputs, refused }: Cell) => `${inputs}/${refused}`;
  return {
    count: ({ input, refused }) => {
      const row = calls.get(input.call) ?? new Map<ActorName, Cell>();
      const cell = row.get(input.actor) ?? { inputs: 0, refused: 0 };
      row.set(input.actor, { inputs: cell.inputs + 1, refused: cell.refused + (refused ? 1 : 0) });
      calls.set(input.call, row);
    },
    total: () => sum(all()),
    table: () => {
      const nothing = { inputs: 0, refused: 0 };
      const rows = [...calls]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([call, row]) => [
          call,
          ...actorNames.map((name) => show(row.get(name) ?? nothing)),
          show(sum(row.values())),
        ]);
      const totals = actorNames.map((name) =>
        show(sum([...calls.values()].map((row) => row.get(name) ?? nothing))),
      );
      return {
        head: ['inputs/refused', ...actorNames, 'all'],
        rows: [...rows, ['all', ...totals, show(sum(all()))]],
      };
    },
  };
}
