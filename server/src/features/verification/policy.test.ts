import { expect, test } from 'vitest';
import { canDecide, canSeePicture } from './policy.ts';

test('an identity picture is for admins and the one it shows', () => {
  const request = { userId: 'ana' };
  expect(canSeePicture({ profileId: 'ana', admin: false }, request)).toBe(true);
  expect(canSeePicture({ profileId: 'ben', admin: false }, request)).toBe(false);
  expect(canSeePicture({ profileId: 'ben', admin: true }, request)).toBe(true);
});

test('a request is decided by an admin whom it is not about', () => {
  const request = { userId: 'ana' };
  expect(canDecide({ profileId: 'ben', admin: true }, request)).toBe(true);
  expect(canDecide({ profileId: 'ana', admin: true }, request)).toBe(false);
  expect(canDecide({ profileId: 'ben', admin: false }, request)).toBe(false);
});
