import { accounts, type SessionContext } from '@tara/contract/accounts';
import { type OwnProfile, profiles } from '@tara/contract/profiles';
import { setQueryDataOf } from '../../lib/queries.ts';

/** Puts one's changed profile everywhere it is shown: the shell, and one's own page. */
export function setOwnProfile(session: SessionContext, profile: OwnProfile): void {
  setQueryDataOf(accounts.session, {}, { ...session, profile });
  setQueryDataOf(profiles.get, { params: { id: profile.id } }, profile);
}
