import { platformFee } from '../interactions/interactions.ts';

const pesos = new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' });
export const formatPesos = (centavos: number) => pesos.format(centavos / 100);

/** What was said with an event, such as a reason or a day, by name; amounts are in centavos. */
export type Details = Readonly<Record<string, string>>;

/** What a text may say of its request. */
export interface RequestFacts {
  /** The plan's title as requested, on one line. */
  title: string;
  /** With the currency; null for a free plan. */
  price: string | null;
  isPaid: boolean;
  /** Names of the parties. */
  client: string;
  creator: string;
  /** What the caller of `notify` gave; without words, place and day once a party deleted the account. */
  details: Details;
}

/** What a text may say of anything else. */
export interface MemberFacts {
  /** The name of the member who did it; empty where Tara or an admin did. */
  actor: string;
  /** How many others did it, too. */
  others: number;
  /** What it is about: the id of a post, a review, a conversation. */
  recordId: string;
  details: Details;
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
export function creatorShare({ details }: Pick<RequestFacts, 'details'>): string | null {
  const earned = amountIn(details, 'earned');
  const fee = amountIn(details, 'fee');
  return earned === null || fee === null ? earned : `${earned}, after Tara’s fee of ${fee},`;
}

/** An amount among the details, in centavos; null when it is missing or 0. */
export const amountIn = (details: Details, name: string): string | null =>
  Number(details[name] ?? 0) > 0 ? formatPesos(Number(details[name])) : null;
