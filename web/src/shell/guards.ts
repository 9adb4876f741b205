import { redirect } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts';
import { currentSession } from '../features/accounts/index.ts';

/** The guard of the public group: signed-in members are redirected home (§2). */
export async function requireGuest(): Promise<void> {
  if (await currentSession()) throw redirect({ to: '/', replace: true });
}

/** The guard of the main group: redirects guests to /sign-in and unconfirmed members to /confirming (§2). */
export async function requireMember(): Promise<{ session: SessionContext }> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (!session.account.emailVerification) throw redirect({ to: '/confirming', replace: true });
  return { session };
}

/** The guard of the admin group: redirects everyone else home (§2). */
export async function requireAdmin(): Promise<void> {
  const { session } = await requireMember();
  if (!session.account.isUserAdmin) throw redirect({ to: '/', replace: true });
}
