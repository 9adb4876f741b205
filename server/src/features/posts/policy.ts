import { postCan as contractCan } from '@tara/contract/posts/posts';
import type { Viewer } from '../../platform/http/viewer.ts';

/** What the contract says, and what only the server decides. */
export const postCan = {
  ...contractCan,
  /** A post that shows its creator's profile picture keeps it: its form has no photo field (decisions §1). */
  changePhoto: (post: { usedDp: boolean }): boolean => !post.usedDp,
  /** The likers of a post are shown to its creator alone (decisions §2). */
  seeLikers: (viewer: Pick<Viewer, 'profileId'>, post: { creatorId: string }): boolean =>
    viewer.profileId === post.creatorId,
} as const;
