import { type Html, html } from '../page/html.ts';
import { layout, moment } from '../page/layout.ts';
import { mailBody } from './body.ts';
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
