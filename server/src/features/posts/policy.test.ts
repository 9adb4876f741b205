import { expect, test } from 'vitest';
import { canChange, canChangePhoto, canSeeLikers } from './policy.ts';

test('§6 only its creator changes a post', () => {
  expect(canChange({ profileId: 'ana' }, { creatorId: 'ana' })).toBe(true);
  expect(canChange({ profileId: 'ben' }, { creatorId: 'ana' })).toBe(false);
});

test('decisions §1: the photo of a profile-picture post stays', () => {
  expect(canChangePhoto({ usedDp: true })).toBe(false);
  expect(canChangePhoto({ usedDp: false })).toBe(true);
});

test('decisions §2: the likers of a post are shown to its creator alone', () => {
  expect(canSeeLikers({ profileId: 'ana' }, { creatorId: 'ana' })).toBe(true);
  expect(canSeeLikers({ profileId: 'ben' }, { creatorId: 'ana' })).toBe(false);
});
