import { escape as escapeHtml } from 'html-escaper';
import type { Mail } from './mailer.ts';

/** The words of a mail with one link. */
export interface MailTemplate {
  subject: string;
  /** First line after the greeting. */
  why: string;
  button: string;
  /** How long the link can be used; left out when it needs no saying. */
  lifetime?: string;
  /** What to do if one did not ask for the mail. */
  otherwise: string;
  /** Words that the page which asked for the mail shows as well. */
  phrase?: string | undefined;
}

/** Says which words the page shows that asked for a mail. */
export const phraseLine = (phrase: string | undefined) =>
  phrase === undefined ? '' : `The page that asked for this email shows the words: ${phrase}.`;

/** A mail with one link, as text and HTML; names and texts are escaped. */
export function composeMail(
  to: string,
  name: string,
  link: string,
  { subject, why, button, lifetime, otherwise, phrase }: MailTemplate,
): Mail {
  const greeting = name === '' ? 'Hello!' : `Hello ${name}!`;
  const last = [phraseLine(phrase), lifetime, otherwise].filter(Boolean);
  return {
    to,
    subject,
    text: `${greeting}\n\n${why}\n\n${button}:\n${link}\n\n${last.join('\n')}\n\nTara\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1f2430">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(why)}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:999px;background:#1f2430;color:#ffffff;text-decoration:none">${escapeHtml(button)}</a></p>
<p style="font-size:14px">${escapeHtml(last.join(' '))}</p>
<p>Tara</p>
</body></html>`,
  };
}
