import { ratio } from './figures.ts';

type Bound = { atLeast: number } | { atMost: number };

/** Whether a figure is within its bound; one that is no number is not. */
export const isMet = (figure: number, bound: Bound): boolean =>
  'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;

/** Prints a figure beside what is required of it. Whether it is met. */
export function requireFigure(
  what: string,
  figure: number,
  bound: Bound,
  format: (figure: number) => string = ratio,
): boolean {
  const required =
    'atLeast' in bound ? `at least ${format(bound.atLeast)}` : `at most ${format(bound.atMost)}`;
  console.log(`${what}: ${format(figure)}, required ${required}`);
  return isMet(figure, bound);
}
