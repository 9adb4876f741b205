import { convert } from 'html-to-text';
import { find } from 'linkifyjs';
import { type Html, html, layout, moment } from '../page/html.ts';
import type { Mail } from './store.ts';

const RIBBON = 'Mailbox — these mails were not sent';

/** All mails, or those to one address. */
export function listPage(mails: Mail[], prefix: string, address: string): Html {
  const rows = mails.map(
    (mail) => html`<li><a href="${prefix}/${mail.id}">${mail.subject || '(no subject)'}</a>
<p class="soft">To ${mail.to} · from ${mail.from} · ${moment(mail.at)} UTC</p></li>`,
  );
  const body = html`<h1>Mailbox</h1>
<form class="row card" method="get" action="${prefix}/" role="search">
<div class="field"><label for="to">To</label>
<input id="to" name="to" value="${address}" autocomplete="off" inputmode="email"></div>
<button type="submit">Filter</button>
${address && html`<a class="cancel" href="${prefix}/">Show all</a>`}
</form>
${
  rows.length === 0
    ? html`<p class="soft">No mail${address && ` to ${address}`} yet.</p>`
    : html`<ul class="plain mails card">${rows}</ul>`
}`;
  return layout({ title: 'Mailbox', prefix, ribbon: RIBBON, body, wide: true });
}

/** One mail with working links. */
export function mailPage(mail: Mail, prefix: string): Html {
  const body = html`<p><a href="${prefix}/">All mail</a></p>
<article class="card"><h1>${mail.subject || '(no subject)'}</h1>
<dl><dt>To</dt><dd>${mail.to}</dd><dt>From</dt><dd>${mail.from}</dd><dt>When</dt><dd>${moment(mail.at)} UTC</dd></dl>
<div class="text">${mailBody(mail)}</div></article>`;
  return layout({ title: mail.subject || 'Mail', prefix, ribbon: RIBBON, body, wide: true });
}

export function noMailPage(prefix: string): Html {
  const body = html`<h1>No such mail</h1><p>Only the newest 500 mails are stored.</p>
<p><a href="${prefix}/">All mail</a></p>`;
  return layout({ title: 'No such mail', prefix, ribbon: RIBBON, body });
}

/** The text of a mail as safe HTML with links. */
function mailBody(mail: Mail): Html {
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
