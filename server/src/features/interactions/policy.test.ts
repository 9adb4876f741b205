import { expect, it } from 'vitest';
import { interactionCan } from './policy.ts';

const parties = { clientAccountId: 'client', creatorAccountId: 'creator' };

it.each([
  ['client', false, true],
  ['creator', false, true],
  ['other', false, false],
  ['other', true, true],
])('%s (admin: %s) may read: %s', (accountId, admin, may) => {
  expect(interactionCan.read({ accountId, admin }, parties)).toBe(may);
});

it.each([
  ['client', false, false, true],
  ['client', true, false, false],
  ['client', false, true, false],
  ['creator', false, false, false],
  ['other', false, false, false],
])('%s sees the checkout (paid: %s, cancelled: %s): %s', (accountId, paid, cancelled, may) => {
  expect(interactionCan.seeCheckout({ accountId }, { ...parties, paid, cancelled })).toBe(may);
});
