import type { SignUp } from '@tara/contract/account-forms';
import { account, accounts } from '@tara/contract/accounts';
import { notices } from '@tara/contract/notices';
import { call } from '../../lib/call.ts';
import { type Notice, OfflineError, ProblemError } from '../../lib/failure.ts';
import { clearSession } from './session.ts';

/** The step at which signing up failed, which decides the notice. */
export class SignUpError extends Error {
  override name = 'SignUpError';
  readonly step: 'create' | 'signIn' | 'mail';

  constructor(step: SignUpError['step'], cause: unknown) {
    super(`Signing up failed at ${step}`, { cause });
    this.step = step;
  }

  /** The notice of §8, or the server's own if it is more specific. */
  get notice(): Notice {
    if (this.cause instanceof OfflineError) return this.cause.notice;
    if (this.step !== 'create') return notices.signUpFailed;
    const notice = this.cause instanceof ProblemError && this.cause.code < 500 ? this.cause.notice : null;
    return notice ?? notices.accountCreationFailed;
  }
}

async function runStep<T>(name: SignUpError['step'], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new SignUpError(name, error);
  }
}

/** The URL of the link in the email (§4); the server adds `userId` and `secret`. */
export function confirmingUrl(username: string): string {
  return `${location.origin}/confirming?${new URLSearchParams({ username })}`;
}

/** Creates the account, signs in, and requests the confirmation email (§4).
 * @throws SignUpFailure
 */
export async function signUp(form: SignUp): Promise<void> {
  const { username, email, password } = form;
  await runStep('create', call(accounts.signUp, { body: form }));
  await runStep('signIn', call(account.createEmailSession, { body: { email, password } }));
  clearSession();
  await runStep('mail', call(account.createVerification, { body: { url: confirmingUrl(username) } }));
}
