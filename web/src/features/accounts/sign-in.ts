import type { SessionContext, SignIn } from '@tara/contract/accounts';
import { call } from '../../lib/call.ts';
import { firstCalls } from './first-calls.ts';
import { currentSession, forgetSession } from './session.ts';

/**
 * Signs in and asks who that is. Null when the check after signing in fails (§4: 'Are you verified?').
 * @throws ProblemError, OfflineError as `call` does.
 */
export async function signIn(form: SignIn): Promise<SessionContext | null> {
  await call(firstCalls.createEmailSession, { body: form });
  forgetSession();
  return currentSession();
}
