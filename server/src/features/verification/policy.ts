import { verificationCan } from '@tara/contract/verification';
import type { Viewer } from '../../platform/http/viewer.ts';

/** An identity picture is seen by an admin, who decides by it, and by the one it shows (decisions §2). */
export function canSeePicture(
  viewer: Pick<Viewer, 'profileId' | 'admin'>,
  request: { userId: string },
): boolean {
  return viewer.admin || viewer.profileId === request.userId;
}

/** An admin decides about others only (decisions §2). */
export function canDecide(viewer: Pick<Viewer, 'profileId' | 'admin'>, request: { userId: string }): boolean {
  return viewer.admin && verificationCan.decide(request, viewer.profileId) === true;
}
