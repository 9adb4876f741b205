import { queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import type { account, accounts, SessionContext } from '@tara/contract/accounts/accounts';
import type { adminWork } from '@tara/contract/admin';
import { retry } from '@tara/contract/limits';
import type { profiles } from '@tara/contract/members/profiles';
import type { messages } from '@tara/contract/messages/messages';
import { notices } from '@tara/contract/notices';
import { call, isProblem, ProblemError, primitiveCall, showErrorToast } from '../../lib/call.ts';
import { queryClient, queryOf, shouldRetry, useOptional } from '../../lib/queries.ts';
import { destinationSearch, rememberDestination, safeDestination } from '../../lib/url.ts';
import { dismissNotice } from '../../ui/feedback.ts';

/** The calls of the first page and of the shell, which do not load zod. */
export const firstCalls = {
  session: primitiveCall<typeof accounts.session>('GET', '/api/account/session', ['/api/account', 'session']),
  profile: primitiveCall<typeof profiles.get>('GET', '/api/profile/one/:id', ['/api/profile', 'get']),
  workCounts: primitiveCall<typeof adminWork.counts>('GET', '/api/admin/counts', ['/api/admin', 'counts']),
  unread: primitiveCall<typeof messages.unread>('GET', '/api/chat/unread', ['/api/chat', 'unread']),
  demo: primitiveCall<typeof accounts.demo>('GET', '/api/account/demo', ['/api/account', 'demo']),
  createEmailSession: primitiveCall<typeof account.createEmailSession>('POST', '/v1/account/sessions/email', [
    '/v1/account',
    'createEmailSession',
  ]),
  deleteSession: primitiveCall<typeof account.deleteSession>('DELETE', '/v1/account/sessions/:sessionId', [
    '/v1/account',
    'deleteSession',
  ]),
};

/**
 * The session of the signed-in member, null for a guest. A check that fails otherwise is repeated (§8) and says nothing
 * about the session: a member who was signed in stays so.
 */
export const sessionQuery = queryOptions({
  // The key that `queryOf(accounts.session)` would have, so that it is invalidated alike.
  queryKey: [...firstCalls.session.key, {}],
  queryFn: async ({ signal }): Promise<SessionContext | null> => {
    try {
      const session = await call(firstCalls.session, { signal });
      if (session.account.emailVerification) dismissNotice(notices.accountCreated);
      return session;
    } catch (error) {
      if (isProblem(error, 'general_unauthorized_scope')) return null;
      throw error;
    }
  },
  retry: (failures, error) =>
    shouldRetry(failures, error) ||
    (isProblem(error, 'general_rate_limit_exceeded') &&
      error.retryAfterSeconds * 1_000 <= retry.longestDelayMs &&
      failures < retry.times),
  staleTime: 60_000,
});

/** Reads the session. A check that the server keeps refusing is logged and counts as a guest (§8).
 * @throws OfflineError
 */
export async function readSession(staleTime = sessionQuery.staleTime): Promise<SessionContext | null> {
  try {
    return await queryClient.fetchQuery({ ...sessionQuery, staleTime });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    console.error('The session check failed', error);
    // Already stale: the next look checks again.
    return (
      queryClient.setQueryData(sessionQuery.queryKey, (known) => known ?? null, { updatedAt: 0 }) ?? null
    );
  }
}

/** The session for guards: from the cache (refetched in the background when stale), otherwise from the server. */
export async function currentSession(): Promise<SessionContext | null> {
  const cached = queryClient.getQueryData(sessionQuery.queryKey);
  if (cached) {
    void queryClient.prefetchQuery(sessionQuery);
    return cached;
  }
  // A guest may have signed in, also in another tab; 2 s keep hovering over links from sending requests.
  return readSession(2_000);
}

/** Clears the cached session after signing in or confirming. */
export function clearSession(): void {
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
}

/** Marks the session as ended: the layout redirects to /sign-in. */
export function endSession(): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The signed-in member, within the main group: `{ account, profile }`. */
export function useSession(): SessionContext {
  const session = useOptional(sessionQuery);
  if (!session) throw new Error('There is no session here; the guard of the main group comes first.');
  return session;
}

/** Ends the session and reloads the page (§2), so that no data of the member stays in memory.
 * `to` is the page to load instead of home: the next member does not begin where this one stopped.
 */
export async function logOut(to?: string): Promise<void> {
  try {
    await call(firstCalls.deleteSession, { params: { sessionId: 'current' } });
  } catch (error) {
    // The session has already ended: treated as success.
    if (!isProblem(error, 'general_unauthorized_scope', 'user_session_not_found')) {
      showErrorToast(error, () => void logOut(to));
      return;
    }
  }
  try {
    sessionStorage.clear();
  } catch {
    // Storage can be forbidden; then no draft was stored either.
  }
  if (to !== undefined) {
    location.replace(to);
    return;
  }
  history.replaceState(null, '', '/');
  location.reload();
}

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
 * unconfirmed ones to /confirming (§2), and those who did not agree to the present terms to /consent.
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

/** The guard of /leaving: only for members who asked to delete the account. */
export async function requireLeaving(): Promise<void> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (!session.account.deletesAt) throw redirect({ to: '/', replace: true });
}

/** The guard of /consent: only for members who have not agreed to the present terms. */
export async function requireNoConsent(): Promise<void> {
  const session = await currentSession();
  if (!session) throw redirect({ to: '/sign-in', replace: true });
  if (session.account.hasConsented) throw redirect({ to: '/', replace: true });
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

const DEMO_INTERVAL_MS = 10_000;
const FILLING_INTERVAL_MS = 1_500;

/**
 * What the sign-in page offers; null until it is known. Codes of the demo world change every 30 s, and its accounts come
 * one by one while it is created.
 */
export const useDemo = () =>
  useOptional({
    ...queryOf(firstCalls.demo),
    refetchInterval: ({ state: { data } }) =>
      data?.isFilling ? FILLING_INTERVAL_MS : data?.accounts.length ? DEMO_INTERVAL_MS : false,
  });
