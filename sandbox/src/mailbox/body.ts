import { convert } from 'html-to-text';
import { find } from 'linkifyjs';
import { type Html, html } from '../page/html.ts';
import type { Mail } from './store.ts';

/** The text of a mail as safe HTML with links. */
export function mailBody(mail: Mail): Html {
  return linkify(mail.text || htmlToText(mail.html));
}

/** Escapes a text and turns each http(s) URL in it into a link. */
export function linkify(text: string): Html {
  const parts: Html[] = [];
  let position = 0;
  for (const { value, start, end } of find(text, 'url')) {
    if (!/^https?:\/\//.test(value)) continue;
    parts.push(html`${text.slice(position, start)}<a href="${value}">${value}</a>`);
    position = end;
  }
  return html`${parts}${text.slice(position)}`;
}

/** The text of an HTML mail, with the URL of each link after its text. */
function htmlToText(source: string): string {
  return convert(source, {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'p', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ],
  });
}
