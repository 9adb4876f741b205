import type { Viewer } from '../../platform/http/viewer.ts';

type Member = Pick<Viewer, 'profileId'>;

export const postCan = {
  /** Only its creator edits and deletes a post (§6). */
  change: (viewer: Member, post: { creatorId: string }): boolean => viewer.profileId === post.creatorId,
  /** A post that shows its creator's profile picture keeps it: its form has no photo field (decisions §1). */
  changePhoto: (post: { usedDp: boolean }): boolean => !post.usedDp,
  /** The likers of a post are shown to its creator alone (decisions §2). */
  seeLikers: (viewer: Member, post: { creatorId: string }): boolean => viewer.profileId === post.creatorId,
} as const;
