import { escape as escapeHtml } from 'html-escaper';
import type { Mail } from './mailer.ts';

/** A link in a few words. */
export interface MailLink {
  label: string;
  url: string;
}

interface MailItem {
  title: string;
  /** May be empty. */
  text: string;
  url: string;
}

/** A part of a mail: a paragraph, a code to type, a list, or a button. */
type MailPart =
  | { text: string }
  | { code: string }
  | { items: readonly MailItem[] }
  | { button: string; url: string };

interface MailContent {
  subject: string;
  parts: readonly MailPart[];
  /** Small lines at the end, such as why one gets the mail; empty ones are left out. */
  last: readonly (string | undefined)[];
  /** Small links below them. */
  links?: readonly MailLink[];
}

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
  /** Small links at the end. */
  links?: readonly MailLink[];
}

/** Says which words the page shows that asked for a mail. */
export const phraseLine = (phrase: string | undefined) =>
  phrase === undefined ? '' : `The page that asked for this email shows the words: ${phrase}.`;

/** A mail with one link. */
export const composeMail = (
  to: string,
  name: string,
  link: string,
  { subject, why, button, lifetime, otherwise, phrase, links = [] }: MailTemplate,
): Mail =>
  renderMail(to, name, {
    subject,
    parts: [{ text: why }, { button, url: link }],
    ...{ last: [phraseLine(phrase), lifetime, otherwise], links },
  });

function plainPart(part: MailPart): string {
  if ('text' in part) return part.text;
  if ('code' in part) return part.code;
  if ('button' in part) return `${part.button}:\n${part.url}`;
  return part.items.map(({ title, text, url }) => [title, text, url].filter(Boolean).join('\n')).join('\n\n');
}

const font = "font-family:Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The same colours as the web's, as mail programs can read them. Those that know dark mode take the second set; the others
 * have every colour at its element.
 */
const darkRules = [
  '.page{background:#0c0d12!important}',
  '.card{background:#16181f!important;border-color:#2c2f3a!important}',
  '.ink{color:#f0ede6!important}',
  '.soft a,.soft{color:#b0aca3!important}',
  '.button{background:#f0ede6!important;color:#16181f!important}',
  '.row{border-color:#2c2f3a!important}',
].join('');

const htmlParagraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;

function htmlPart(part: MailPart): string {
  if ('text' in part) return htmlParagraph(part.text);
  if ('code' in part)
    return `<p style="margin:0 0 16px;font-size:28px;letter-spacing:4px;font-weight:600">${escapeHtml(part.code)}</p>`;
  if ('button' in part)
    return `<p style="margin:24px 0"><a class="button" href="${escapeHtml(part.url)}" style="display:inline-block;padding:12px 20px;border-radius:999px;background:#1f2430;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(part.button)}</a></p>`;
  const items = part.items.map(({ title, text, url }) => {
    const below = text && `<br><span class="soft" style="color:#5e6270">${escapeHtml(text)}</span>`;
    return `<p class="row" style="margin:0;padding:12px 0;border-top:1px solid #e4e0d8"><a class="ink" href="${escapeHtml(url)}" style="color:#1f2430;font-weight:600">${escapeHtml(title)}</a>${below}</p>`;
  });
  return items.join('\n');
}

/** A mail as text and as HTML, for light and dark; names and texts are escaped. Every mail of the product is made here. */
export function renderMail(
  to: string,
  name: string,
  { subject, parts, last, links = [] }: MailContent,
): Mail {
  const greeting = name === '' ? 'Hello!' : `Hello ${name}!`;
  const lines = last.filter(Boolean);
  const plainLinks = links.map(({ label, url }) => `${label}: ${url}`);
  const text = [
    greeting,
    ...parts.map(plainPart),
    lines.join('\n'),
    ...(plainLinks.length > 0 ? [plainLinks.join('\n')] : []),
    'Tara\n',
  ].join('\n\n');
  const htmlLinks = links
    .map(({ label, url }) => `<a href="${escapeHtml(url)}" style="color:#5e6270">${escapeHtml(label)}</a>`)
    .join(' &nbsp; ');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${darkRules}}</style></head>
<body class="page" style="margin:0;background:#fcfaf6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#fcfaf6"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:560px;background:#ffffff;border:1px solid #e4e0d8;border-radius:16px"><tr><td class="ink" style="padding:24px;${font};font-size:16px;line-height:1.5;color:#1f2430">
<p style="margin:0 0 20px;font-size:20px;font-weight:700">Tara</p>
${[htmlParagraph(greeting), ...parts.map(htmlPart)].join('\n')}
<p class="soft" style="margin:24px 0 0;font-size:14px;color:#5e6270">${escapeHtml(lines.join(' '))}</p>
${htmlLinks && `<p class="soft" style="margin:12px 0 0;font-size:14px;color:#5e6270">${htmlLinks}</p>`}
</td></tr></table>
</td></tr></table>
</body></html>`;
  return { to, subject, text, html };
}
