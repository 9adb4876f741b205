import { type Html, html } from '../../page/html.ts';
import { isUnexpired, type TestCard, testCard } from '../cards.ts';

export type CardFields = { number: string; expiry: string; cvc: string; name: string };
export type CardMistakes = Partial<Record<keyof CardFields, string>>;

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
export function cardInputs(fields: CardFields, mistakes: CardMistakes): Html {
  return html`${field({ name: 'number', label: 'Card number', numeric: true, max: 23 }, fields.number, mistakes.number)}
<div class="pair">
${field({ name: 'expiry', label: 'Expiry', hint: 'MM/YY', max: 9 }, fields.expiry, mistakes.expiry)}
${field({ name: 'cvc', label: 'CVC', hint: '3 or 4 digits', numeric: true, max: 4 }, fields.cvc, mistakes.cvc)}
</div>
${field({ name: 'name', label: 'Name on card', max: 100 }, fields.name, mistakes.name)}`;
}
