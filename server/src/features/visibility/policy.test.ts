import { expect, test } from 'vitest';
import { memberCan } from './policy.ts';

test('a changed record reaches nobody from whom one of its members is hidden, or who muted its author', () => {
  const viewer = { hiddenProfileIds: ['eve'], mutedProfileIds: ['ben'] };
  const receives = (profileIds: string[], authorId: string | null) =>
    memberCan.receive(viewer, { owners: { profileIds, authorId } });
  expect(receives(['ana'], 'ana')).toBe(true);
  expect(receives(['ana', 'eve'], null)).toBe(false);
  expect(receives(['ben'], 'ben')).toBe(false);
  // A chat with who is muted is still read: it has no author.
  expect(receives(['ben'], null)).toBe(true);
});
