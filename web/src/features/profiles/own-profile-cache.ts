import { accounts, type SessionContext } from '@tara/contract/accounts';
import { type OwnProfile, profiles } from '@tara/contract/profiles';
import { setQueryDataOf } from '../../lib/queries.ts';

/** Updates the viewer's profile in the cache, for the layout and for the profile page. */
export function setOwnProfile(session: SessionContext, profile: OwnProfile): void {
  setQueryDataOf(accounts.session, {}, { ...session, profile });
  setQueryDataOf(profiles.get, { params: { id: profile.id } }, profile);
}
