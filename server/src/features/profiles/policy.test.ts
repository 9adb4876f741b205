import { expect, test } from 'vitest';
import { canSeeOwn } from './policy.ts';

test('decisions §2: what is the owner’s alone is shown to the owner alone', () => {
  expect(canSeeOwn({ accountId: 'ana' }, { accountId: 'ana' })).toBe(true);
  expect(canSeeOwn({ accountId: 'ben' }, { accountId: 'ana' })).toBe(false);
});
