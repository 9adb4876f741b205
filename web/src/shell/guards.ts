import { redirect } from '@tanstack/react-router';
import type { SessionContext } from '@tara/contract/accounts';
import { currentSession } from '../features/accounts/index.ts';

/** The public group: who is signed in has no business here (§2). */
export async function requireGuest(): Promise<void> {
  if (await currentSession()) throw redirect({ to: '/', replace: true });
}

/** The main group: without a session to /sign-in, with an unconfirmed email to /confirming (§2). */
export async function requireMember(): Promise<{ session: SessionContext }> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (!session.account.emailVerification) throw redirect({ to: '/confirming', replace: true });
  return { session };
}

/** The admin group: everyone else goes home (§2). */
export async function requireAdmin(): Promise<void> {
  const { session } = await requireMember();
  if (!session.account.isUserAdmin) throw redirect({ to: '/', replace: true });
}
