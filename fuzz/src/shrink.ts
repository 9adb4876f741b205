import { type Input, smallerInputs } from './inputs/input.ts';

/** Maximum number of attempts before the smallest input so far is returned. */
const mostTries = 60;

/** The smallest input found that still `fails`: fewer fields, parameters and headers, shorter and less deep values. */
export async function shrink(
  input: Input,
  fails: (candidate: Input) => Promise<boolean>,
  tries = mostTries,
): Promise<Input> {
  let left = tries;
  let smallest = input;
  for (let isSmaller = true; isSmaller && left > 0; ) {
    isSmaller = false;
    for (const candidate of smallerInputs(smallest)) {
      if (left-- <= 0) break;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}
