import type { Viewer } from '../../platform/http/viewer.ts';

type Me = Pick<Viewer, 'profileId'>;

/** Only its creator edits and deletes a post (§6). */
export function canChange(viewer: Me, post: { creatorId: string }): boolean {
  return viewer.profileId === post.creatorId;
}

/** A post that shows its creator's profile picture keeps it: its form has no photo field (decisions §1). */
export function canChangePhoto(post: { usedDp: boolean }): boolean {
  return !post.usedDp;
}

/** The likers of a post are shown to its creator alone (decisions §2). */
export function canSeeLikers(viewer: Me, post: { creatorId: string }): boolean {
  return viewer.profileId === post.creatorId;
}
