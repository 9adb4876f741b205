import type { Phrases } from './phrases.ts';

/**
 * A rule applies where a sentence has a phrase of each of `all` (of several lists any) within that many words, unless it
 * is refused or a phrase of `unless` is near.
 */
export interface Rule {
  name: string;
  all: ReadonlyArray<Phrases | readonly Phrases[]>;
  words: number;
  unless: readonly Phrases[];
  /** The phrases may be in neighbouring sentences. */
  acrossSentences?: true;
}

const otherPayments = ['inApp', 'elsewhere', 'warning'] as const;
const others = ['elsewhere', 'warning'] as const;
const acrossSentences = true;

export const rules: readonly Rule[] = [
  // Paying past Tara
  { name: 'pay a person directly', all: ['pay', 'direct', 'toMe'], words: 9, unless: otherPayments },
  {
    name: 'direct to a wallet, or for less',
    all: ['direct', ['eWallet', 'cheaper']],
    words: 9,
    unless: otherPayments,
  },
  { name: 'two prices', all: ['direct', 'amount', 'app'], words: 12, unless: others },
  { name: 'book directly', all: ['book', 'direct', 'toMe'], words: 8, unless: others },
  { name: 'pay by wallet', all: ['pay', 'wallet', ['toMe', 'instead']], words: 9, unless: otherPayments },
  { name: 'advance by wallet', all: ['advance', 'wallet'], words: 8, unless: otherPayments },
  { name: 'ask by wallet', all: ['walletRequest'], words: 1, unless: otherPayments },
  {
    name: 'ask for a wallet',
    all: ['ask', 'eWallet'],
    words: 5,
    unless: [...otherPayments, 'here', 'received'],
  },
  { name: 'to my wallet', all: ['myWallet'], words: 1, unless: [...otherPayments, 'received'] },
  {
    name: 'to my number',
    all: [
      ['pay', 'wallet'],
      ['phone', 'ownNumber'],
    ],
    words: 9,
    unless: otherPayments,
  },
  {
    name: 'money to a person',
    all: ['pay', 'cash', 'toMe'],
    words: 6,
    unless: [...otherPayments, 'received'],
  },
  { name: 'cash to a person', all: ['cash', 'payPerson'], words: 8, unless: otherPayments },
  { name: 'cash at the meeting', all: ['cash', 'meeting'], words: 7, unless: [...otherPayments, 'bring'] },
  { name: 'offer of cash', all: ['cashOffer'], words: 1, unless: [...otherPayments, 'bring'] },
  { name: 'pay at the meeting', all: ['payPerson', 'meeting'], words: 9, unless: otherPayments },
  { name: 'pay in person', all: ['pay', 'inPerson'], words: 6, unless: otherPayments },
  {
    name: 'pay between us',
    all: [['pay', 'cash'], 'privately'],
    words: 6,
    unless: otherPayments,
    acrossSentences,
  },
  { name: 'pay outside', all: ['payOutside'], words: 1, unless: others },
  {
    name: 'not here',
    all: ['notHere', ['wallet', 'cash', 'direct']],
    words: 12,
    unless: ['warning'],
    acrossSentences,
  },
  { name: 'not online', all: ['notOnline', ['cash', 'payPerson']], words: 14, unless: otherPayments },
  {
    name: 'cancel here',
    all: ['cancelHere', ['pay', 'cash', 'payPerson']],
    words: 14,
    unless: others,
    acrossSentences,
  },
  { name: 'cancel and pay me', all: ['cancel', 'payPerson'], words: 8, unless: otherPayments },
  {
    name: 'avoid the fee',
    all: ['feeAvoided', ['direct', 'cash', 'wallet', 'payPerson']],
    words: 14,
    unless: others,
    acrossSentences,
  },
  {
    name: 'bypass Tara',
    all: [
      'bypass',
      ['pay', 'payPerson', 'cash', 'wallet', 'direct', 'feeAvoided', 'cheaper', 'deal', 'invite'],
    ],
    words: 10,
    unless: ['warning'],
    acrossSentences,
  },

  // Going on elsewhere
  { name: 'invite to another app', all: ['invite', 'chatApp'], words: 8, unless: ['warning'] },
  { name: 'ask for another app', all: ['chatAppRequest'], words: 1, unless: ['warning'] },
  { name: 'talk on another app', all: ['proposal', 'talk', 'toChatApp'], words: 9, unless: others },
  { name: 'move to another app', all: ['move', 'toChatApp'], words: 6, unless: [...others, 'posting'] },
  {
    name: 'name on another app',
    all: ['chatApp', ['handle', 'phone', 'accountName']],
    words: 7,
    unless: others,
  },
  { name: 'ask for a number', all: ['numberRequest'], words: 1, unless: otherPayments },
  {
    name: 'invite to a number or address',
    all: [
      ['invite', 'ownNumber'],
      ['phone', 'email'],
    ],
    words: 9,
    unless: others,
  },
];
