import { redirect } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts';
import { currentSession } from '../features/accounts/index.ts';
import { destinationSearch, rememberDestination, safeDestination } from '../lib/url.ts';

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
 * unconfirmed ones to /confirming (§2), and who did not agree to the present terms to /consent.
 */
export async function requireMember({ location }: Guarded): Promise<{ session: SessionContext }> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', search: destinationSearch(location.href), replace: true });
  if (session.account.deletesAt) throw redirect({ to: '/leaving', replace: true });
  if (!session.account.emailVerification) {
    rememberDestination(location.href);
    throw redirect({ to: '/confirming', replace: true });
  }
  if (!session.account.hasConsented) {
    rememberDestination(location.href);
    throw redirect({ to: '/consent', replace: true });
  }
  return { session };
}

/** The guard of /leaving: only for who asked to delete the account. */
export async function requireLeaving(): Promise<void> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (!session.account.deletesAt) throw redirect({ to: '/', replace: true });
}

/** The guard of /consent: only for who has not agreed to the present terms. */
export async function requireNoConsent(): Promise<void> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (session.account.hasConsented) throw redirect({ to: '/', replace: true });
}

/** The guard of the admin group: redirects everyone else home (§2). */
export async function requireAdmin(guarded: Guarded): Promise<void> {
  const { session } = await requireMember(guarded);
  if (!session.account.isUserAdmin) throw redirect({ to: '/', replace: true });
}
