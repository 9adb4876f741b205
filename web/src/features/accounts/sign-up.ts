import { account, type SignUp } from '@tara/contract/accounts';
import { notices } from '@tara/contract/notices';
import { call } from '../../lib/call.ts';
import { type Notice, OfflineError, ProblemError } from '../../lib/failure.ts';
import { clearSession } from './session.ts';

/** Which step of signing up failed: what to say depends on how far it came. */
export class SignUpError extends Error {
  override name = 'SignUpFailure';
  readonly runStep: 'create' | 'signIn' | 'mail';

  constructor(runStep: SignUpError['runStep'], cause: unknown) {
    super(`Signing up failed at ${runStep}`, { cause });
    this.runStep = runStep;
  }

  /** The words of §8; the server's own where they say more. */
  get notice(): Notice {
    if (this.cause instanceof OfflineError) return this.cause.notice;
    if (this.runStep !== 'create') return notices.signUpFailed;
    const notice = this.cause instanceof ProblemError && this.cause.code < 500 ? this.cause.notice : null;
    return notice ?? notices.accountCreationFailed;
  }
}

async function runStep<T>(name: SignUpError['runStep'], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new SignUpError(name, error);
  }
}

/** The address of the mailed link (§4); the server adds `userId` and `secret`. */
export function confirmingUrl(username: string): string {
  return `${location.origin}/confirming?${new URLSearchParams({ username })}`;
}

/**
 * Creates the account, signs in, and has the confirmation mailed (§4).
 * @throws SignUpFailure
 */
export async function signUp({ name, username, email, password }: SignUp): Promise<void> {
  await runStep(
    'create',
    call(account.create, { body: { userId: 'unique()', name, username, email, password } }),
  );
  await runStep('signIn', call(account.createEmailSession, { body: { email, password } }));
  clearSession();
  await runStep('mail', call(account.createVerification, { body: { url: confirmingUrl(username) } }));
}
