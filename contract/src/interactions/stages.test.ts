import { describe, expect, it } from 'vitest';
import { listOf, stageOf } from './stages.ts';

const flags = {
  paid: false,
  accepted: false,
  userSetDone: false,
  disputed: false,
  completed: false,
  cancelled: false,
};

describe('the list that shows a request', () => {
  it.each([
    ['creator', {}, 'friendRequest'],
    ['client', {}, 'yourRequest'],
    ['creator', { accepted: true }, 'earn'],
    ['client', { accepted: true }, 'expense'],
    ['creator', { accepted: true, paid: true, userSetDone: true }, 'history'],
    ['client', { cancelled: true }, 'history'],
    ['other', {}, null],
  ] as const)('for the %s with %o is %s', (party, changed, list) => {
    expect(listOf(stageOf({ ...flags, ...changed }), party)).toBe(list);
  });
});
