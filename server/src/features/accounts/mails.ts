import type { Config } from '../../config.ts';
import type { Transaction } from '../../platform/database/connect.ts';
import { classifyOrigin } from '../../platform/http/origin.ts';
import { composeMail, type MailTemplate, phraseLine, renderMail } from '../../platform/mail/compose.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { enqueueMail } from '../../platform/mail/queue.ts';
import { Problem } from '../../platform/problem.ts';
import type { Sealer } from '../../platform/seal.ts';
import { wireTime } from '../../platform/wire-time.ts';
import type { TokenRow } from './secrets.ts';

/**
 * Reads the address that a mail or a sign-in shall lead to. It must be a page of PUBLIC_URL or ALLOWED_ORIGINS (in development also
 * of this machine, at `localPort`), so that nobody can have Tara lead members or secrets to a site of theirs.
 * @throws Problem `general_argument_invalid` for `field`
 */
export function checkLink(
  url: string,
  config: Parameters<typeof classifyOrigin>[1],
  localPort: number | undefined,
  field = 'url',
): string {
  const link = new URL(url);
  // An address such as blob:https://… has an origin, too.
  const isWeb = link.protocol === 'https:' || link.protocol === 'http:';
  const isOurs = isWeb && classifyOrigin(link.origin, config, localPort) !== null;
  if (isOurs && link.username === '' && link.password === '') return link.href;
  throw new Problem('general_argument_invalid', { fields: { [field]: 'Must lead to a page of this site' } });
}

/** The link of a mail: the address with its own query, then what confirms it. */
export function linkWith(url: string, token: { userId: string; secret: string; expire: string }): string {
  const link = new URL(url);
  for (const [name, value] of Object.entries(token)) link.searchParams.set(name, value);
  return link.href;
}

/** Our own page that confirms an email (§2). */
export const confirmingUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, username: string) =>
  `${publicUrl}/confirming?username=${encodeURIComponent(username)}`;

/** Kinds of tokens that a mail brings. */
type MailedKind = Exclude<TokenRow['kind'], 'oauth2'>;

const tokenMails: Record<MailedKind | 'emailChange' | 'lastLink' | 'lastConfirmation', MailTemplate> = {
  verification: {
    subject: 'Confirm your email for Tara',
    why: 'Welcome to Tara! Please confirm that this email is yours, and you are ready to find friends.',
    button: 'Confirm my email',
    lifetime: 'The link works once, within one hour.',
    otherwise: 'If you did not sign up for Tara, you can ignore this email.',
  },
  recovery: {
    subject: 'Set a new password for Tara',
    why: 'Somebody, we hope you, asked to set a new password for your Tara account.',
    button: 'Set a new password',
    lifetime: 'The link works once, within one hour.',
    otherwise: 'If it was not you, ignore this email: your password stays as it is.',
  },
  lastLink: {
    subject: 'Your way into Tara for today',
    why: 'Many emails were asked for with your address, maybe by somebody else: this is the last one until tomorrow. Its link lets you in at any time until then, with a new password.',
    button: 'Set a new password',
    lifetime: 'The link works once, within 25 hours.',
    otherwise: 'If you do not need it, ignore this email: your password stays as it is.',
  },
  lastConfirmation: {
    subject: 'Confirm your email for Tara, the last email for today',
    why: 'Many emails were asked for with your address, maybe by somebody else: this is the last one until tomorrow. Its link confirms that the email is yours.',
    button: 'Confirm my email',
    lifetime: 'The link works once, within 25 hours.',
    otherwise:
      'If you did not sign up for Tara, you can ignore this email, or take the account over by the link.',
  },
  emailChange: {
    subject: 'Confirm your new email for Tara',
    why: 'Please confirm that this email is yours. From then on you sign in to Tara with it.',
    button: 'Use this email',
    lifetime: 'The link works once, within one hour. Until then your present email stays.',
    otherwise: 'If you did not ask for it, ignore this email: nothing changes.',
  },
};

/** A mail with a code that signs in. The subject does not contain it: subjects are shown on locked screens. */
export function composeCodeMail(to: string, code: string, phrase?: string): Mail {
  return renderMail(to, '', {
    subject: 'Your code for Tara',
    parts: [{ text: 'This code signs you in to Tara:' }, { code }],
    last: [
      phraseLine(phrase),
      'It works once, within 15 minutes. Tell it to nobody.',
      'If you did not ask for it, you can ignore this email.',
    ],
  });
}

/** Has the mail with a token's link sent once the transaction is committed, to the address that the token confirms. */
export async function mailToken(
  transaction: Transaction,
  sealer: Sealer,
  account: { email: string; name: string },
  { token, secret }: { token: TokenRow & { kind: MailedKind }; secret: string },
  url: string,
  template: keyof typeof tokenMails = token.email === null ? token.kind : 'emailChange',
): Promise<void> {
  const expire = wireTime(token.expiresAt);
  const link = linkWith(url, { userId: token.accountId, secret, expire });
  // A link that is older than its hour need not arrive; the last one of a day is not sent again.
  const isLast = template === 'lastLink' || template === 'lastConfirmation';
  await enqueueMail(
    transaction,
    sealer,
    composeMail(token.email ?? account.email, account.name, link, tokenMails[template]),
    isLast ? {} : { maxAttempts: 10 },
  );
}
