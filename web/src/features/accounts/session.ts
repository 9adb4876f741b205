import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SessionContext } from '@tara/contract/accounts';
import { call } from '../../lib/call.ts';
import { isProblem, ProblemError, showErrorToast } from '../../lib/failure.ts';
import { queryClient } from '../../lib/queries.ts';
import { firstCalls } from './first-calls.ts';

/** Who is signed in, null for a guest. A failed check is logged and counts as a guest (§8). */
export const sessionQuery = queryOptions({
  // The key that `queryOf(accounts.session)` would have, so that it is invalidated alike.
  queryKey: [...firstCalls.session.key, {}],
  queryFn: async ({ signal }): Promise<SessionContext | null> => {
    try {
      return await call(firstCalls.session, { signal });
    } catch (error) {
      // Without an answer nobody can say who is here: that is retried, then shown as an error.
      if (!(error instanceof ProblemError)) throw error;
      if (!isProblem(error, 'general_unauthorized_scope')) console.error('The session check failed', error);
      return null;
    }
  },
  staleTime: 60_000,
});

/** For guards: at once when known (and asked again behind the scenes when old), else from the server. */
export async function currentSession(): Promise<SessionContext | null> {
  const cached = queryClient.getQueryData(sessionQuery.queryKey);
  if (cached) {
    void queryClient.prefetchQuery(sessionQuery);
    return cached;
  }
  // A guest may have signed in meanwhile, in another tab too; hovering over links must not ask each time.
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 2_000 });
}

/** After signing in or confirming: what was known is void. */
export function clearSession(): void {
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
}

/** The session is over: the layout sends its screens to /sign-in. */
export function endSession(): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** The signed-in member, within the main group: `{ account, profile }`. */
export function useSession(): SessionContext {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('There is no session here; the guard of the main group comes first.');
  return data;
}

/**
 * Ends the session and loads the page anew (§2), so that nothing of the member stays in memory.
 * `to` is where, when this page is not for guests to stay on.
 */
export async function logOut(to?: string): Promise<void> {
  try {
    await call(firstCalls.deleteSession, { params: { sessionId: 'current' } });
  } catch (error) {
    // Already over elsewhere: all the same to the person.
    if (!isProblem(error, 'general_unauthorized_scope', 'user_session_not_found')) {
      showErrorToast(error, () => void logOut(to));
      return;
    }
  }
  try {
    sessionStorage.clear();
  } catch {
    // Storage can be forbidden; then no draft was kept either.
  }
  if (to === undefined) location.reload();
  else location.replace(to);
}
