import { platformFee } from '@tara/contract/interactions/interactions';

const pesos = new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });
export const formatPesos = (centavos: number) => pesos.format(centavos / 100);

/** What a text may say of its request. */
export interface NoticeFacts {
  /** The plan's title as requested, on one line. */
  title: string;
  /** With the currency; null for a free plan. */
  price: string | null;
  isPaid: boolean;
  /** Names of the parties. */
  client: string;
  creator: string;
  /** What the caller of `notify` gave; empty once a party deleted the account. */
  details: Readonly<Record<string, string>>;
}

/** An email about a request. */
export interface NoticeMail {
  subject: string;
  /** First line after the greeting. */
  why: string;
  button: string;
  /** Where the button leads. In place of a chat that cannot be read it is Plan Manager. */
  page:
    | 'manager'
    | 'friendRequest'
    | 'yourRequest'
    | 'pendingFriends'
    | 'chat'
    | 'dispute'
    | 'history'
    | 'payoutNumber';
}

/** What is said of an event; null: nothing. */
export interface NoticeText {
  /** The line of Tara in the plan chat, which both parties read. */
  line?: (facts: NoticeFacts) => string | null;
  /** The email to each of the parties. */
  client?: (facts: NoticeFacts) => NoticeMail | null;
  creator?: (facts: NoticeFacts) => NoticeMail | null;
}

/** The details of what a creator gets of released centavos, for `creatorShare`. */
export function shareDetails(
  releasedCentavos: number,
  feeBasisPoints: number,
): { earned: string; fee: string } {
  const fee = platformFee(releasedCentavos, feeBasisPoints);
  return { earned: String(releasedCentavos - fee), fee: String(fee) };
}

/** What the creator gets, with the fee that is taken off; null when nothing is known of it. */
export function creatorShare({ details }: Pick<NoticeFacts, 'details'>): string | null {
  const earned = amountIn(details, 'earned');
  const fee = amountIn(details, 'fee');
  return earned === null || fee === null ? earned : `${earned}, after Tara’s fee of ${fee},`;
}

/** An amount among the details, in centavos; null when it is missing or 0. */
export const amountIn = (details: NoticeFacts['details'], name: string): string | null =>
  Number(details[name] ?? 0) > 0 ? formatPesos(Number(details[name])) : null;
