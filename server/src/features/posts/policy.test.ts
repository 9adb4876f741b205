import { expect, test } from 'vitest';
import { postCan } from './policy.ts';

test('§6 only its creator changes a post', () => {
  expect(postCan.change('ana', { creatorId: 'ana' })).toBe(true);
  expect(postCan.change('ben', { creatorId: 'ana' })).toBe(false);
});

test('decisions §1: the photo of a profile-picture post stays', () => {
  expect(postCan.changePhoto({ usedDp: true })).toBe(false);
  expect(postCan.changePhoto({ usedDp: false })).toBe(true);
});

test('decisions §2: the likers of a post are shown to its creator alone', () => {
  expect(postCan.seeLikers({ profileId: 'ana' }, { creatorId: 'ana' })).toBe(true);
  expect(postCan.seeLikers({ profileId: 'ben' }, { creatorId: 'ana' })).toBe(false);
});
