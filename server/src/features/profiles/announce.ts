import type { Platform } from '../../platform/platform.ts';
import type { PictureRow } from '../files/index.ts';
import { type ProfileFields, presentProfile } from './present.ts';

/** Tells everybody of a changed profile, as everybody may see it. */
export function announceProfile(
  bus: Platform['bus'],
  profile: ProfileFields,
  picture: PictureRow | null,
): void {
  bus.publish('document', {
    collection: 'users',
    id: profile.id,
    change: 'update',
    document: { ...presentProfile(profile, picture) },
    audience: 'members',
    owners: { profileIds: [profile.id], authorId: null },
  });
}
