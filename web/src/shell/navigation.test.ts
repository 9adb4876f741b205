import { expect, test } from 'vitest';
import { sampleOwnProfile } from '../testing/samples.ts';
import { extraLinks } from './navigation.tsx';

test.each([
  ['a member who has not asked', { verified: null, sentVerifiedReq: false }, true],
  ['a member whose request waits', { verified: null, sentVerifiedReq: true }, false],
  ['a verified member', { verified: true, sentVerifiedReq: true }, false],
] as const)('‘Get Verified’ is offered to %s: %s', (_, state, isOffered) => {
  const labels = extraLinks(sampleOwnProfile('Ana', state)).map(({ label }) => label);
  expect(labels.includes('Get Verified')).toBe(isOffered);
});
