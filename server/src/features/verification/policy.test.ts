import { expect, test } from 'vitest';
import { canSeePicture } from './policy.ts';

test('an identity picture is for admins and the one it shows', () => {
  const request = { userId: 'ana' };
  expect(canSeePicture({ profileId: 'ana', admin: false }, request)).toBe(true);
  expect(canSeePicture({ profileId: 'ben', admin: false }, request)).toBe(false);
  expect(canSeePicture({ profileId: 'ben', admin: true }, request)).toBe(true);
});
