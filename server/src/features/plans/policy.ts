import type { Viewer } from '../../platform/http/viewer.ts';

/** Plans are readable by every member; their creator is the one who cannot request them (§6). */
export const isPlanCreator = (viewer: Pick<Viewer, 'profileId'>, plan: { creatorId: string }) =>
  plan.creatorId === viewer.profileId;
