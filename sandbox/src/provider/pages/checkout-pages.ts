import { type Html, html, layout, peso } from '../../page/html.ts';
import { FAILURES, type FailureCode, isUnexpired, TEST_CARDS, type TestCard, testCard } from '../cards.ts';
import type { Stored } from '../kinds.ts';

/** The wallets of the checkout, by their type on the wire. */
export const WALLETS: Record<string, string> = {
  gcash: 'GCash',
  grab_pay: 'GrabPay',
  paymaya: 'Maya',
  qrph: 'QR Ph',
};

export const RIBBON = 'Payment sandbox — no real money';

/** A narrow page with one card in it. */
export function cardPage(prefix: string, title: string, body: Html): Html {
  return layout({ title, prefix, ribbon: RIBBON, body: html`<div class="card">${body}</div>` });
}

/** The path of a return URL, or null unless the URL is on the payer's own server. */
export function returnPath(url: string, publicUrl: string, host: string | undefined): string | null {
  if (url === '' || !URL.canParse(url, publicUrl)) return null;
  const target = new URL(url, publicUrl);
  const base = new URL(publicUrl);
  const isOwn = target.host === base.host || target.host === host;
  if (!isOwn || !/^https?:$/.test(target.protocol)) return null;
  // Browsers read two slashes at the beginning as a host.
  if (target.pathname.startsWith('//') || target.pathname.startsWith('/\\')) return null;
  return target.pathname + target.search + target.hash;
}

type CardFields = { number: string; expiry: string; cvc: string; name: string };
type CardMistakes = Partial<Record<keyof CardFields, string>>;

export const EMPTY_CARD: CardFields = { number: '', expiry: '', cvc: '', name: '' };

/** Validates the card form: returns the test card, or the mistake of each invalid field. */
export function readCard(fields: CardFields, now: number): { card: TestCard } | { mistakes: CardMistakes } {
  const mistakes: CardMistakes = {};
  const card = testCard(fields.number);
  if (fields.number.trim() === '') mistakes.number = 'Enter a card number.';
  else if (!card) mistakes.number = 'Use one of the test cards below. Real cards are not accepted.';

  const expiry = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|20\d{2})\s*$/.exec(fields.expiry);
  const year = Number(expiry?.[2]);
  if (!expiry) mistakes.expiry = 'Enter the expiry as MM/YY.';
  else if (!isUnexpired(Number(expiry[1]), year < 100 ? 2000 + year : year, now)) {
    mistakes.expiry = 'Enter a date in the future.';
  }
  if (!/^\s*\d{3,4}\s*$/.test(fields.cvc)) mistakes.cvc = 'Enter the 3 or 4 digits.';
  if (fields.name.trim() === '') mistakes.name = 'Enter the name on the card.';
  else if (fields.name.length > 100) mistakes.name = 'Enter at most 100 characters.';
  return card && Object.keys(mistakes).length === 0 ? { card } : { mistakes };
}

type Field = { name: keyof CardFields; label: string; hint?: string; numeric?: boolean; max: number };

/** One labelled input with its hint and its mistake, if any. */
function field({ name, label, hint, numeric, max }: Field, value: string, mistake: string | undefined): Html {
  const describedBy = [hint && `${name}-hint`, mistake && `${name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" maxlength="${max}" autocomplete="off" required
${numeric && html`inputmode="numeric"`} ${describedBy && html`aria-describedby="${describedBy}"`}
${mistake && html`aria-invalid="true"`}>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${mistake && html`<p class="wrong" id="${name}-wrong">${mistake}</p>`}</div>`;
}

/** The inputs of the card form. The CVC is never filled in again. */
function cardInputs(fields: CardFields, mistakes: CardMistakes): Html {
  return html`${field({ name: 'number', label: 'Card number', numeric: true, max: 23 }, fields.number, mistakes.number)}
<div class="pair">
${field({ name: 'expiry', label: 'Expiry', hint: 'MM/YY', max: 9 }, fields.expiry, mistakes.expiry)}
${field({ name: 'cvc', label: 'CVC', hint: '3 or 4 digits', numeric: true, max: 4 }, fields.cvc, mistakes.cvc)}
</div>
${field({ name: 'name', label: 'Name on card', max: 100 }, fields.name, mistakes.name)}`;
}

/** A link's checkout, and the path to return to. */
export type Visit = {
  prefix: string;
  link: Stored<'link'>;
  /** A path on this server, or null. */
  back: string | null;
};

const query = (back: string | null, params: Record<string, string> = {}) => {
  const pairs = new URLSearchParams(params);
  if (back) pairs.set('return_url', back);
  return pairs.size === 0 ? '' : `?${pairs}`;
};

/** The path of a link's checkout, including its return path. */
export const checkoutPath = ({ prefix, link, back }: Visit, params: Record<string, string> = {}) =>
  `${prefix}/checkout/${link.id}${query(back, params)}`;

const summary = ({ attributes }: Stored<'link'>) => html`<h1>${attributes.description}</h1>
<p class="amount">${peso(attributes.amount)}</p>`;

/** How many cards are listed at first; the others are one click away. */
const COMMON_CARDS = 6;

const cardList = (visit: Visit, cards: readonly TestCard[]) =>
  html`<ul class="plain cards">${cards.map(
    ({ number, effect }) =>
      html`<li><a class="number" href="${checkoutPath(visit, { card: number })}">${number.replace(
        /(.{4})(?=.)/g,
        '$1 ',
      )}</a> <span class="soft">${effect}</span></li>`,
  )}</ul>`;

/** The page on which a person pays. */
export function payPage(
  visit: Visit,
  card: CardFields,
  mistakes: CardMistakes,
  failure: FailureCode | undefined,
): Html {
  const { prefix, link, back } = visit;
  const hasMistakes = Object.keys(mistakes).length > 0;
  const hidden = back && html`<input type="hidden" name="return_url" value="${back}">`;
  const amount = peso(link.attributes.amount);
  const body = html`${summary(link)}
${failure && html`<div class="alert" role="alert"><p>Payment failed. ${FAILURES[failure]} You can try again.</p></div>`}
${hasMistakes && html`<div class="alert" role="alert"><p>Some fields are not valid.</p></div>`}
<form method="post" action="${prefix}/checkout/${link.id}/card" novalidate>
${hidden}${cardInputs(card, mistakes)}
<button class="main full" type="submit">Pay ${amount}</button>
</form>
<p class="or">or</p>
${Object.entries(WALLETS).map(
  ([type, name]) => html`<form method="post" action="${prefix}/checkout/${link.id}/${type}">${hidden}
<button class="full" type="submit">Pay with ${name}</button></form>`,
)}
<p><a class="cancel" href="${prefix}/checkout/${link.id}/cancel${query(back)}">Cancel</a></p>
<p class="soft">Reference ${link.attributes.reference_number}</p>
<h2>Test cards</h2>
<p class="soft">Choose one to fill it in. Any future expiry and any CVC work.</p>
${cardList(visit, TEST_CARDS.slice(0, COMMON_CARDS))}
<details><summary>More test cards</summary>${cardList(visit, TEST_CARDS.slice(COMMON_CARDS))}</details>`;
  return cardPage(prefix, `${hasMistakes || failure ? 'Error: ' : ''}Pay ${amount}`, body);
}

/** The page of a link that was paid, now or earlier. */
export function paidPage({ prefix, link, back }: Visit): Html {
  const refunded = link.attributes.status === 'refunded';
  const title = refunded ? 'Payment refunded' : 'Payment successful';
  const body = html`<p class="soft">${link.attributes.description}</p>
<h1 class="${refunded ? '' : 'good'}">${title}</h1>
<p class="amount">${peso(link.attributes.amount)}</p>
<p class="soft">Reference ${link.attributes.reference_number}</p>
${back ? html`<p><a class="button main" href="${back}">Return</a></p>` : html`<p>You can close this page.</p>`}`;
  return cardPage(prefix, title, body);
}

/** The page of a link whose payment is pending. */
export function processingPage({ prefix, link, back }: Visit): Html {
  const body = html`<p class="soft">${link.attributes.description}</p>
<h1>Payment is being processed</h1>
<p class="amount">${peso(link.attributes.amount)}</p>
<p>Do not pay again. Reload this page to see the result.</p>
${back && html`<p><a class="button main" href="${back}">Return</a></p>`}`;
  return cardPage(prefix, 'Payment is being processed', body);
}

export function closedPage({ prefix, link, back }: Visit): Html {
  const body = html`<h1>This link is closed</h1>
<p>${link.attributes.description} can no longer be paid here. You have not been charged.</p>
${back && html`<p><a class="button main" href="${back}">Return</a></p>`}`;
  return cardPage(prefix, 'This link is closed', body);
}

export function cancelledPage(visit: Visit): Html {
  const body = html`<h1>Payment cancelled</h1><p>You have not been charged.</p>
<p><a class="button" href="${checkoutPath(visit)}">Back to the payment</a></p>
${visit.back && html`<p><a class="button main" href="${visit.back}">Return</a></p>`}`;
  return cardPage(visit.prefix, 'Payment cancelled', body);
}

export function missingPage(prefix: string): Html {
  const body = html`<h1>Nothing to pay here</h1><p>There is no payment at this address.</p>`;
  return cardPage(prefix, 'Nothing to pay here', body);
}
