/** One mail to one person. */
export interface Mail {
  /** A bare e-mail address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
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
 * Refuses what would end a header and begin another, or add a receiver.
 * @throws MailRefused
 */
export function checkMail(mail: Mail): Mail {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (!/^[^\s<>,;:"()[\]\\@\u0000-\u001f]+@[^\s<>,;:"()\\@\u0000-\u001f]+$/.test(mail.to)) {
    throw new MailRefused('The receiver must be one e-mail address.');
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(mail.subject)) {
    throw new MailRefused('The subject must be one line.');
  }
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
