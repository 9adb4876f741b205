/** A rate from which to start, and the one beyond which nobody searches. */
interface Span {
  from: number;
  upTo: number;
  /** How often the span between what holds and what does not is halved. */
  halvings: number;
}

/** Finds the highest rate that holds: doubles until one does not, then halves the span between. 0 when none holds. */
export async function highestRate(
  holds: (rate: number) => Promise<boolean>,
  { from, upTo, halvings }: Span,
): Promise<number> {
  let good = 0;
  let bad = upTo * 2;
  for (let rate = from; rate <= upTo; rate *= 2) {
    if (!(await holds(rate))) {
      bad = rate;
      break;
    }
    good = rate;
  }
  if (bad > upTo) return good;
  for (let turn = 0; turn < halvings; turn++) {
    const rate = Math.round((good + bad) / 2);
    if (await holds(rate)) good = rate;
    else bad = rate;
  }
  return good;
}
