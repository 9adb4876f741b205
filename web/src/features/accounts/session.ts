import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SessionContext } from '@tara/contract/accounts';
import { call } from '../../lib/call.ts';
import { isProblem, ProblemError, showErrorToast } from '../../lib/failure.ts';
import { queryClient } from '../../lib/queries.ts';
import { firstCalls } from './first-calls.ts';

/** The session of the signed-in member, null for a guest. A failed check is logged and counts as a guest (§8). */
export const sessionQuery = queryOptions({
  // The key that `queryOf(accounts.session)` would have, so that it is invalidated alike.
  queryKey: [...firstCalls.session.key, {}],
  queryFn: async ({ signal }): Promise<SessionContext | null> => {
    try {
      return await call(firstCalls.session, { signal });
    } catch (error) {
      // Without a response the session is unknown: retried, then shown as an error.
      if (!(error instanceof ProblemError)) throw error;
      if (!isProblem(error, 'general_unauthorized_scope')) console.error('The session check failed', error);
      return null;
    }
  },
  staleTime: 60_000,
});

/** The session for guards: from the cache (refetched in the background when stale), otherwise from the server. */
export async function currentSession(): Promise<SessionContext | null> {
  const cached = queryClient.getQueryData(sessionQuery.queryKey);
  if (cached) {
    void queryClient.prefetchQuery(sessionQuery);
    return cached;
  }
  // A guest may have signed in, also in another tab; 2 s keep hovering over links from sending requests.
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 2_000 });
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
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session here; the guard of the main group comes first.');
  return data;
}

/** Ends the session and reloads the page (§2), so that no data of the member stays in memory.
 * `to` is the page to load instead of the current one.
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
  if (to === undefined) location.reload();
  else location.replace(to);
}
