import * as z from 'zod/mini';
import { Email, SentSecret } from '../accounts/forms.ts';
import { calls, patch, post } from '../calls.ts';
import { NewId } from '../fields.ts';
import { Phrase } from './account.ts';
import { Session, Token } from './account-records.ts';

/** Account calls of the backend service (§7) that only its newest clients make. The web does not. */
export const accountTokens = calls('/v1/account', {
  createEmailCode: post('/tokens/email', {
    whileDiskFull: true,
    summary:
      'Mails a code of 6 digits that signs in within 15 minutes (`POST /v1/account/sessions/token`). The reply is the same whether or not the email has an account.',
    access: 'anyone',
    status: 201,
    body: z.object({ userId: NewId, email: Email, phrase: Phrase }),
    reply: Token,
  }),
  createSession: post('/sessions/token', {
    whileDiskFull: true,
    summary:
      'Signs in with any secret that was sent or handed over: of a mailed link, the code of a mail or a text (at most 5 tries), or of a sign-in at another provider. Makes the account if there is none.',
    access: 'anyone',
    status: 201,
    body: SentSecret,
    reply: Session,
    errors: ['user_invalid_token', 'user_blocked', 'account_deletion_begun'],
  }),
  extendSession: patch('/sessions/:sessionId', {
    whileSuspended: true,
    summary: 'Gives a session its whole lifetime of a year again; `current` is an id.',
    access: 'account',
    params: z.object({ sessionId: z.string().check(z.maxLength(36)) }),
    reply: Session,
    errors: ['user_session_not_found'],
  }),
});
