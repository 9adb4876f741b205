import { nowDate } from '@tara/contract/clock';
import { expect, test } from 'vitest';
import { adminReaders, fileCan, hiddenPartner } from './policy.ts';
import { chooseVariant } from './read.ts';

const used = nowDate();
test.each([
  ['a used picture', { bucket: 'images', ownerAccountId: 'ana', usedAt: used, readers: null }, true, true],
  [
    'an unused picture',
    { bucket: 'images', ownerAccountId: 'ana', usedAt: null, readers: null },
    true,
    false,
  ],
  [
    'a message picture of ours',
    { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used, readers: ['ana', 'ben'] },
    true,
    true,
  ],
  [
    'a message picture of others',
    { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used, readers: ['ana', 'cora'] },
    true,
    false,
  ],
  [
    'a message picture without readers',
    { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used, readers: null },
    true,
    false,
  ],
  [
    'an identity picture',
    { bucket: 'verificationFiles', ownerAccountId: 'ana', usedAt: used, readers: ['ben'] },
    false,
    false,
  ],
  [
    'a picture whose owner left',
    { bucket: 'images', ownerAccountId: null, usedAt: used, readers: null },
    true,
    true,
  ],
] as const)('§6 %s', (_what, file, owner, other) => {
  const known = { ...file, readers: file.readers && [...file.readers] };
  const as = (accountId: string) => ({ accountId, hiddenAccountIds: [], admin: false });
  expect([fileCan.see(as('ana'), known), fileCan.see(as('ben'), known)]).toEqual([owner, other]);
});

test("§6 a hidden member's picture is seen only as a reader of it (threat-blocked-members)", () => {
  const viewer = { accountId: 'ben', hiddenAccountIds: ['ana'], admin: false };
  const picture = { bucket: 'images', ownerAccountId: 'ana', usedAt: used } as const;
  expect(fileCan.see(viewer, { ...picture, readers: null })).toBe(false);
  expect(fileCan.see(viewer, { ...picture, bucket: 'messageFiles', readers: ['ana', 'ben'] })).toBe(true);
});

test('§6 of a picture of a chat with a hidden member the chat decides, also of one’s own', () => {
  const viewer = { accountId: 'ben', hiddenAccountIds: ['ana'] };
  const picture = { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used } as const;
  for (const ownerAccountId of ['ana', 'ben']) {
    const shared = { ...picture, ownerAccountId, readers: ['ana', 'ben', adminReaders] };
    expect(hiddenPartner(viewer, shared)).toBe('ana');
    expect(hiddenPartner({ ...viewer, hiddenAccountIds: ['cora'] }, shared)).toBeUndefined();
    expect(hiddenPartner({ ...viewer, accountId: 'boss' }, shared)).toBeUndefined();
  }
  expect(hiddenPartner(viewer, { ...picture, bucket: 'images', readers: null })).toBeUndefined();
});

test('the picture of a reported message is seen by admins, and by nobody once it is unsent', () => {
  const boss = { accountId: 'boss', hiddenAccountIds: [], admin: true };
  const picture = { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used } as const;
  const seen = (readers: string[]) => fileCan.see(boss, { ...picture, readers });
  expect([seen(['ana', 'ben']), seen(['ana', 'ben', adminReaders]), seen([])]).toEqual([false, true, false]);
  const reported = { ...picture, readers: ['ana', 'ben', adminReaders] };
  expect(fileCan.see({ ...boss, admin: false }, reported)).toBe(false);
});

test('a picture that was taken back and reported is seen by admins alone, not by its owner', () => {
  const picture = { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used } as const;
  const as = (accountId: string, admin = false) =>
    fileCan.see({ accountId, hiddenAccountIds: [], admin }, { ...picture, readers: [adminReaders] });
  expect([as('ana'), as('ben'), as('boss', true)]).toEqual([false, false, true]);
});

test('of an identity picture its owner alone knows the details, of another who sees it', () => {
  const identity = { bucket: 'verificationFiles', ownerAccountId: 'ana', usedAt: used, readers: [] } as const;
  const unused = { bucket: 'images', ownerAccountId: 'ana', usedAt: null, readers: null } as const;
  const shared = { bucket: 'messageFiles', ownerAccountId: 'ana', usedAt: used } as const;
  const as = (accountId: string) => {
    const viewer = { accountId, hiddenAccountIds: [], admin: false };
    return [
      fileCan.seeDetails(viewer, { ...identity, readers: [] }),
      fileCan.seeDetails(viewer, unused),
      fileCan.seeDetails(viewer, { ...shared, readers: ['ana', 'ben'] }),
      // Taken back by its owner.
      fileCan.seeDetails(viewer, { ...shared, readers: [] }),
    ];
  };
  expect(as('ana')).toEqual([true, true, true, false]);
  expect(as('ben')).toEqual([false, false, true, false]);
});

test('chooses the smallest variant of at least the requested width', () => {
  expect([1, 96, 97, 640, 641].map((width) => chooseVariant([96, 320, 640], width))).toEqual([
    96,
    96,
    320,
    640,
    null,
  ]);
});
