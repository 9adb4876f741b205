import type { OwnProfile, Profile } from '@tara/contract/profiles';

/** Whether the server answered a profile with what is its owner's alone: then the viewer is the owner. */
export const isOwn = (profile: Profile | OwnProfile): profile is OwnProfile => 'sentVerifiedReq' in profile;
