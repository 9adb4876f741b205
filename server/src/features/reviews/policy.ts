import type { Viewer } from '../../platform/http/viewer.ts';

type Member = Pick<Viewer, 'profileId'>;

/** Every member may read and write comments (§6); only its creator deletes one. */
export const reviewCommentCan = {
  delete: (viewer: Member, comment: { creatorId: string }): boolean => viewer.profileId === comment.creatorId,
} as const;
