import { expect, test } from 'vitest';
import { profileCan } from './policy.ts';

test('decisions §2: what is the owner’s alone is shown to the owner alone', () => {
  expect(profileCan.seePrivate({ accountId: 'ana' }, { accountId: 'ana' })).toBe(true);
  expect(profileCan.seePrivate({ accountId: 'ben' }, { accountId: 'ana' })).toBe(false);
});
