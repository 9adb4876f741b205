import { accounts, type SessionContext } from '@tara/contract/accounts/accounts';
import { type About, eachAboutText, type OwnProfile, profiles } from '@tara/contract/members/profiles';
import { setQueryData } from '../../lib/queries.ts';

/** What the form 'About Section' begins with. */
export const aboutValues = (profile: OwnProfile): About => ({
  ...eachAboutText((name) => profile[name]),
  birthDate: profile.bDay ?? '',
  phoneNumber: profile.phoneNumber,
});

/** Updates the viewer's profile in the cache, for the layout and for the profile page. */
export function setOwnProfile(session: SessionContext, profile: OwnProfile): void {
  setQueryData(accounts.session, {}, { ...session, profile });
  setQueryData(profiles.get, { params: { id: profile.id } }, profile);
}
