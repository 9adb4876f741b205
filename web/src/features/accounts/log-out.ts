import { call } from '../../lib/call.ts';
import { isProblem, tellFailure } from '../../lib/failure.ts';
import { firstCalls } from './index.ts';

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
      tellFailure(error, () => void logOut(to));
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
