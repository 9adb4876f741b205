import type { DocumentChange } from '../../platform/documents.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { Problem } from '../../platform/problem.ts';

type Hidden = Pick<Viewer, 'hiddenProfileIds' | 'mutedProfileIds'>;

/** Decides who sees whom (§6, decision 0033): for single records and events; lists use `visibleTo`. */
export const memberCan = {
  /** Whether the viewer sees a member and what they made. */
  see: (viewer: Pick<Viewer, 'hiddenProfileIds'>, profileId: string): boolean =>
    !viewer.hiddenProfileIds.includes(profileId),
  /** Whether a changed record reaches the viewer. */
  receive: (viewer: Hidden, { owners }: Pick<DocumentChange, 'owners'>): boolean =>
    owners.profileIds.every((id) => memberCan.see(viewer, id)) &&
    !viewer.mutedProfileIds.some((id) => id === owners.authorId),
} as const;

/**
 * For a record that was read: hidden, it is answered as one that does not exist.
 * @throws Problem of this type, such as `post_not_found`.
 */
export function requireVisible(
  viewer: Pick<Viewer, 'hiddenProfileIds'>,
  profileId: string,
  problem: 'profile_not_found' | 'post_not_found' | 'plan_not_found' | 'review_not_found',
): void {
  if (!memberCan.see(viewer, profileId)) throw new Problem(problem);
}
