import type { Viewer } from '../../platform/http/viewer.ts';

export const profileCan = {
  /** Email, phone number, birth date and counts are shown to the profile's owner alone (decisions §2). */
  seePrivate: (viewer: Pick<Viewer, 'accountId'>, profile: { accountId: string }): boolean =>
    viewer.accountId === profile.accountId,
} as const;
