import { escapeHtml, Html } from '../page/html.ts';
import type { Mail } from './store.ts';

const ADDRESS = /\bhttps?:\/\/[^\s<>"']+/g;

/** The mail's words as safe HTML in which web addresses are links. */
export function readableBody(mail: Mail): Html {
  return linked(mail.text || plain(mail.html));
}

/** Escapes a text and turns each http(s) address in it into a link. */
export function linked(text: string): Html {
  let html = '';
  let done = 0;
  for (const match of text.matchAll(ADDRESS)) {
    // A full stop or bracket after an address belongs to the sentence.
    const address = match[0].replace(/[.,;:!?)\]]+$/, '');
    const safe = escapeHtml(address);
    html += `${escapeHtml(text.slice(done, match.index))}<a href="${safe}">${safe}</a>`;
    done = match.index + address.length;
  }
  return new Html(html + escapeHtml(text.slice(done)));
}

/** The text of an HTML mail, with the address of each link after its words. */
function plain(html: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
  return html
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<a\b[^>]*?\bhref=(["'])(.*?)\1[^>]*>([\s\S]*?)<\/a>/gi, (_all, _quote, href, words) =>
      words.trim() === href ? href : `${words} ${href} `,
    )
    .replace(/<(br|\/p|\/div|\/h\d|\/li|\/tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (all, name: string) => named[name] ?? all)
    .replace(/\n\s*\n\s*/g, '\n\n')
    .trim();
}
