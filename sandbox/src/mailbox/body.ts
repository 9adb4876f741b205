import { convert } from 'html-to-text';
import { find } from 'linkifyjs';
import { type Html, html } from '../page/html.ts';
import type { Mail } from './store.ts';

/** The text of the mail as safe HTML in which web addresses are links. */
export function readableBody(mail: Mail): Html {
  return linked(mail.text || plain(mail.html));
}

/** Escapes a text and turns each http(s) address in it into a link. */
export function linked(text: string): Html {
  const parts: Html[] = [];
  let done = 0;
  for (const { value, start, end } of find(text, 'url')) {
    if (!/^https?:\/\//.test(value)) continue;
    parts.push(html`${text.slice(done, start)}<a href="${value}">${value}</a>`);
    done = end;
  }
  return html`${parts}${text.slice(done)}`;
}

/** The text of an HTML mail, with the address of each link after its words. */
function plain(source: string): string {
  return convert(source, {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'p', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ],
  });
}
