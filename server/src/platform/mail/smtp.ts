import { createTransport } from 'nodemailer';
import { checkMail, type Mailer, MailRefused } from './mailer.ts';

/** A mail server's answer that trying again will not change (5xx), by RFC 5321. */
const isPermanent = (error: unknown) =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500 &&
  // Wrong credentials are ours to mend, and then the mail should still go out.
  !('code' in error && error.code === 'EAUTH');

/** A mailer that speaks SMTP; `url` is smtp:// (STARTTLS when offered) or smtps://, with user and password if need be. */
export function openSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
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
      const { to, subject, text, html } = checkMail(mail);
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html });
      } catch (error) {
        throw isPermanent(error)
          ? new MailRefused('The mail server refused the mail.', { cause: error })
          : error;
      }
    },
    close: () => transport.close(),
  };
}
