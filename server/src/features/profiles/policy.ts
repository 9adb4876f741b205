import type { Viewer } from '../../platform/http/viewer.ts';

/** Email, phone number, birth date and counts are shown to the profile's owner alone (decisions §2). */
export function canSeeOwn(viewer: Pick<Viewer, 'accountId'>, profile: { accountId: string }): boolean {
  return viewer.accountId === profile.accountId;
}
