import type { Viewer } from '../../platform/http/viewer.ts';

/** An identity picture is seen by an admin, who decides by it, and by the one it shows (decisions §2). */
export function canSeePicture(
  viewer: Pick<Viewer, 'profileId' | 'admin'>,
  request: { userId: string },
): boolean {
  return viewer.admin || viewer.profileId === request.userId;
}
