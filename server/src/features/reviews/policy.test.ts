import { expect, test } from 'vitest';
import { reviewCommentCan } from './policy.ts';

test('only its creator deletes a comment (§6)', () => {
  const comment = { creatorId: 'ana' };
  expect(reviewCommentCan.delete({ profileId: 'ana' }, comment)).toBe(true);
  expect(reviewCommentCan.delete({ profileId: 'ben' }, comment)).toBe(false);
});
