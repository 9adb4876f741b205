import { expect, test } from 'vitest';
import { receiptCan } from './policy.ts';

const chat = { creatorId: 'creator1', clientId: 'client1' };

test('a per-plan chat is its two members’ own', () => {
  expect(receiptCan.read({ profileId: 'creator1' }, chat)).toBe(true);
  expect(receiptCan.read({ profileId: 'client1' }, chat)).toBe(true);
});

test('an id that begins alike is no membership (threat-leaking-replies)', () => {
  expect(receiptCan.read({ profileId: 'creator2' }, chat)).toBe(false);
  expect(receiptCan.read({ profileId: 'client' }, chat)).toBe(false);
});
