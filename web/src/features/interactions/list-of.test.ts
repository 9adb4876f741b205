import { describe, expect, it } from 'vitest';
import { listOf } from './list-of.ts';

const sent = {
  clientAccountId: 'ben',
  creatorAccountId: 'ana',
  accepted: false,
  userSetDone: false,
  cancelled: false,
};

describe('the list a request stands in (§4)', () => {
  it.each([
    ['ana', {}, 'friendRequest'],
    ['ben', {}, 'yourRequest'],
    ['ana', { accepted: true }, 'earn'],
    ['ben', { accepted: true }, 'expense'],
    ['ana', { accepted: true, userSetDone: true }, 'history'],
    ['ben', { cancelled: true }, 'history'],
    ['eve', {}, null],
  ])('of %s in %o is %s', (who, state, list) => {
    expect(listOf({ ...sent, ...state }, who)).toBe(list);
  });
});
