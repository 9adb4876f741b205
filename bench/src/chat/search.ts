/** The range of the search. */
interface SearchRange {
  from: number;
  upTo: number;
  /** How often the interval between the sustained and the failed rate is halved. */
  halvings: number;
}

/** Finds the highest sustained rate: doubles until one fails, then halves the interval. 0 when none is sustained. */
export async function highestRate(
  isSustained: (rate: number) => Promise<boolean>,
  { from, upTo, halvings }: SearchRange,
): Promise<number> {
  let sustained = 0;
  let failed = upTo * 2;
  for (let rate = from; rate <= upTo; rate *= 2) {
    if (!(await isSustained(rate))) {
      failed = rate;
      break;
    }
    sustained = rate;
  }
  if (failed > upTo) return sustained;
  for (let halving = 0; halving < halvings; halving++) {
    const rate = Math.round((sustained + failed) / 2);
    if (await isSustained(rate)) sustained = rate;
    else failed = rate;
  }
  return sustained;
}
