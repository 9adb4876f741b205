import { redirect } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts/accounts';
import { isProblem } from '../../lib/call.ts';
import { destinationSearch, rememberDestination, safeDestination } from '../../lib/url.ts';
import { currentSession } from './session.ts';

/** Where a guard runs. */
interface Guarded {
  location: { href: string; search: { redirect?: string } };
}

/** The guard of the public group: signed-in members go to where they wanted to go, by default home (§2). */
export async function requireGuest({ location }: Guarded): Promise<void> {
  if (await currentSession())
    throw redirect({ href: safeDestination(location.search.redirect) ?? '/', replace: true });
}

/**
 * The guard of the main group: redirects guests to /sign-in, which leads back, members who leave to /leaving,
 * unconfirmed ones to /confirming (§2), and those who did not agree to the present terms or have no name to /consent.
 */
export async function requireMember({ location }: Guarded): Promise<{ session: SessionContext }> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', search: destinationSearch(location.href), replace: true });
  if (session.account.deletesAt) throw redirect({ to: '/leaving', replace: true });
  if (!session.account.emailVerification) {
    rememberDestination(location.href);
    throw redirect({ to: '/confirming', replace: true });
  }
  if (isIncomplete(session)) {
    rememberDestination(location.href);
    throw redirect({ to: '/consent', replace: true });
  }
  return { session };
}

/** The guard of /leaving: only for members who asked to delete the account. */
export async function requireLeaving(): Promise<void> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (!session.account.deletesAt) throw redirect({ to: '/', replace: true });
}

/** Whether a member has not agreed to the present terms, or has no name yet. */
const isIncomplete = ({ account, profile }: SessionContext) => !account.hasConsented || profile.name === '';

/** The guard of /consent: only for members of whom something is missing that it asks for. */
export async function requireIncomplete(): Promise<{ session: SessionContext }> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (!isIncomplete(session)) throw redirect({ to: '/', replace: true });
  return { session };
}

/** The guard of /second-factor: redirects everyone but admins home. */
export async function requireAdminLabel(guarded: Guarded): Promise<{ session: SessionContext }> {
  const { session } = await requireMember(guarded);
  if (!session.account.isUserAdmin) throw redirect({ to: '/', replace: true });
  return { session };
}

/** Whether this session has shown the second factor of an admin within 12 hours. */
export const hasAdminRights = ({ account: { secondFactor } }: SessionContext): boolean =>
  Date.parse(secondFactor?.validUntil ?? '') > Date.now();

/** The guard of the admin group: redirects everyone else home (§2), and an admin without the second factor to its page. */
export async function requireAdmin(guarded: Guarded): Promise<void> {
  const { session } = await requireAdminLabel(guarded);
  if (!hasAdminRights(session)) throw toSecondFactor(guarded);
}

const toSecondFactor = ({ location }: Guarded) =>
  redirect({ to: '/second-factor', search: destinationSearch(location.href), replace: true });

/**
 * For the loader of a page that members and admins see: an admin without the second factor, who is told what a stranger is
 * told, is led to its page. Any other error stays.
 */
export function orSecondFactor(session: SessionContext, guarded: Guarded): (error: unknown) => never {
  return (error) => {
    const mayHelp = session.account.isUserAdmin && !hasAdminRights(session);
    throw mayHelp && isProblem(error, 'interaction_not_found') ? toSecondFactor(guarded) : error;
  };
}
