import { createTransport } from 'nodemailer';
import { hasCode } from '../error-code.ts';

/** One mail to one person. */
export interface Mail {
  /** An email address without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The part of its Message-ID before the '@': mail programs recognize a mail by it that was sent twice. */
  readonly id?: string | undefined;
}

/** A mail with its sender, as it is delivered. */
export interface DeliveredMail extends Mail {
  readonly from: string;
}

/** Sends mails. Sending is outside work: do it in a job. */
export interface Mailer {
  /** Resolves once the mail server took it. @throws MailRefused when the mail itself is wrong; any other error may pass. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The mail can never be sent as it is: trying again is useless. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * The error of a mail or a text that was not sent, as it may be logged: by its codes. Mail servers write the address into
 * their answers, and others what they like.
 */
export function mailFailure(error: unknown, what: 'mail' | 'text' = 'mail'): Error {
  const codes = ['code', 'responseCode'].flatMap((name) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return /^[A-Z0-9_]{1,40}$/.test(String(value)) ? [String(value)] : [];
  });
  return new Error([`The ${what} was not sent`, ...codes].join(' '));
}

/**
 * Refuses what would end a header and begin another, or add a receiver.
 * @throws MailRefused
 */
export function checkMail(mail: Mail): Mail {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (!/^[^\s<>,;:"()[\]\\@\u0000-\u001f]+@[^\s<>,;:"()\\@\u0000-\u001f]+$/.test(mail.to)) {
    throw new MailRefused('The receiver must be one email address.');
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(mail.subject)) {
    throw new MailRefused('The subject must be one line.');
  }
  if (mail.id !== undefined && !/^[\w.-]+$/.test(mail.id)) throw new MailRefused('The id must be one word.');
  return mail;
}

/** A mailer that hands each mail to a function, such as the mailbox page's. */
export function openLocalMailer(
  from: string,
  deliver: (mail: DeliveredMail) => Promise<void> | void,
): Mailer {
  return {
    send: async (mail) => deliver({ ...checkMail(mail), from }),
    close: () => {},
  };
}

/** A mail server's answer that trying again will not change (5xx), by RFC 5321. */
const isPermanent = (error: unknown) =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500 &&
  // Wrong credentials are corrected by the operator, and then the mail should still go out.
  !hasCode(error, 'EAUTH');

/** A mailer that speaks SMTP; `url` is smtp:// (STARTTLS when offered) or smtps://, with user and password if need be. */
export function openSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const [, domain = 'localhost'] = /@([^\s>]+)/.exec(from) ?? [];
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // A mail is made of what it says, never of a file or an address that its text could name.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const { to, subject, text, html, id } = checkMail(mail);
      const messageId = id === undefined ? {} : { messageId: `<${id}@${domain}>` };
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html, ...messageId });
      } catch (error) {
        throw isPermanent(error)
          ? new MailRefused('The mail server refused the mail.', { cause: error })
          : error;
      }
    },
    close: () => transport.close(),
  };
}
