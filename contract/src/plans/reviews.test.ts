import { expect, test } from 'vitest';
import { reviewCommentCan } from './reviews.ts';

test('only its creator deletes a comment (§6)', () => {
  expect(['ana', 'ben'].map((id) => reviewCommentCan.delete(id, { creatorId: 'ana' }))).toEqual([
    true,
    false,
  ]);
});
