import { verificationCan as contractCan } from '@tara/contract/members/verification';
import type { Viewer } from '../../platform/http/viewer.ts';

/** What the contract says, and what only the server decides. */
export const verificationCan = {
  ...contractCan,
  /** An identity picture is seen by an admin, who decides by it, and by the one it shows (decisions §2). */
  seePicture: (viewer: Pick<Viewer, 'profileId' | 'admin'>, request: { userId: string }): boolean =>
    viewer.admin || viewer.profileId === request.userId,
} as const;
