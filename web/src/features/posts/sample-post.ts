import type { Post } from '@tara/contract/posts';

const picture = { imageId: 'i1', imageUrl: '/picture', width: 4, height: 3, thumbhash: null, alt: 'Sea' };

/** A post for tests. */
export const samplePost = (part: Partial<Post> = {}): Post => ({
  id: 'p1',
  creator: { id: 'u1', accountId: 'a1', name: 'Ana', username: 'ana', picture, verified: null },
  creatorId: 'u1',
  caption: 'Tara!',
  picture,
  location: '',
  tags: [],
  totalLikes: 0,
  createdAt: '2026-01-02T03:04:05.000+00:00',
  updatedAt: '2026-01-02T03:04:05.000+00:00',
  usedDp: false,
  liked: false,
  saved: false,
  ...part,
});
