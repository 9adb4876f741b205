import { expect, test } from 'vitest';
import { isParty } from './policy.ts';

const chat = { creatorId: 'creator1', clientId: 'client1' };

test('a per-plan chat is its two members’ own', () => {
  expect(isParty({ profileId: 'creator1' }, chat)).toBe(true);
  expect(isParty({ profileId: 'client1' }, chat)).toBe(true);
});

test('an id that begins alike is no membership', () => {
  expect(isParty({ profileId: 'creator2' }, chat)).toBe(false);
  expect(isParty({ profileId: 'client' }, chat)).toBe(false);
});
