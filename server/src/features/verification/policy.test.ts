import { ownRecord } from '@tara/contract/interactions/steps';
import { expect, test } from 'vitest';
import { verificationCan } from './policy.ts';

test('an identity picture is for admins and the one it shows', () => {
  const request = { userId: 'ana' };
  expect(verificationCan.seePicture({ profileId: 'ana', admin: false }, request)).toBe(true);
  expect(verificationCan.seePicture({ profileId: 'ben', admin: false }, request)).toBe(false);
  expect(verificationCan.seePicture({ profileId: 'ben', admin: true }, request)).toBe(true);
});

test('a request is decided by an admin whom it is not about', () => {
  const request = { userId: 'ana' };
  expect(verificationCan.decide('ben', request)).toBe(true);
  expect(verificationCan.decide('ana', request)).toBe(ownRecord);
});
