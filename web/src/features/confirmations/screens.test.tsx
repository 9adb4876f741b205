import { type Confirmation, payments } from '@tara/contract/money/payments';
import { longText, longWord, sampleTime } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const payment: Confirmation = {
  ...{ number: 'TARA-00000042', kind: 'payment', issuedAt: sampleTime, interactionId: 'request' },
  ...{ planTitle: 'Coffee in Makati', client: 'Ben', creator: 'Ana', meetsAt: sampleTime, place: 'Luneta' },
  ...{ price: 250, released: 0, fee: 0, amount: 250, way: 'provider', method: 'GCash', receiver: null },
  ...{ reference: 'pay_1', referenceNumber: 'AbC1234', terms: 'We meet in a public place.' },
};
const refund: Confirmation = {
  ...{ ...payment, kind: 'refund', amount: 100, way: 'transfer', receiver: '4567', reference: 'tr_1' },
};
const payout: Confirmation = {
  ...{ ...payment, kind: 'payout', released: 250, fee: 12.5, amount: 237.5 },
  ...{ way: 'transfer', receiver: '4567', reference: 'tr_2' },
};
const at = (kind: Confirmation['kind']) => ({ params: { kind, id: 'request' } });

describeScreen('/_main/confirmation/$kind/$id', {
  path: '/confirmation/payment/request',
  replies: [reply(payments.confirmation, payment, at('payment'))],
  loading: 'Loading the confirmation',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Payment confirmation'],
      'TARA-00000042',
      'You paid',
      'Coffee in Makati',
      'GCash',
      'pay_1',
      'AbC1234',
      'We meet in a public place.',
      'This is no official receipt.',
      ['button', 'Print or save as PDF'],
      ['link', 'See your history'],
    ],
  },
  empty: {
    replies: [
      reply(
        payments.confirmation,
        { ...payment, meetsAt: null, place: '', method: null, reference: null, terms: '' },
        at('payment'),
      ),
    ],
    shows: ['Payment page', 'This is no official receipt.'],
    hides: ['Agreed day', 'Place', ['heading', /^The terms/]],
  },
  longTexts: {
    replies: [
      reply(
        payments.confirmation,
        { ...payment, planTitle: longWord, creator: longWord, terms: longText },
        at('payment'),
      ),
    ],
    shows: [longText],
  },
  forbidden: guestsSignIn,
  more: {
    'of others': {
      replies: [refusal(payments.confirmation, 'payment_confirmation_not_found', at('payment'))],
      shows: ['There is no such confirmation.', /^only who paid or received the money/],
    },
    'a part that went back by a transfer': {
      path: '/confirmation/refund/request',
      replies: [reply(payments.confirmation, refund, at('refund'))],
      shows: [
        ['heading', 'Refund confirmation'],
        'You got back',
        '₱100.00',
        'Transfer to the GCash number that ends in 4567',
      ],
    },
    'a refund the way it was paid': {
      path: '/confirmation/refund/request',
      replies: [
        reply(
          payments.confirmation,
          { ...refund, way: 'provider', method: 'card', receiver: null },
          at('refund'),
        ),
      ],
      shows: ['Card, the way you paid'],
    },
    'a payout with its fee': {
      path: '/confirmation/payout/request',
      replies: [reply(payments.confirmation, payout, at('payout'))],
      shows: [
        ['heading', 'Payout confirmation'],
        'You received',
        '₱237.50',
        '-₱12.50',
        'tr_2',
        'The terms that the client accepted',
      ],
      hides: ['AbC1234', 'Taken back by the card issuer'],
    },
    'a payout without a fee': {
      path: '/confirmation/payout/request',
      replies: [reply(payments.confirmation, { ...payout, fee: 0, amount: 250 }, at('payout'))],
      shows: ['Tara’s fee', '₱0.00'],
    },
    'a payout of which the card issuer took a part': {
      path: '/confirmation/payout/request',
      replies: [
        reply(
          payments.confirmation,
          { ...payout, amount: 137.5, way: 'manual', reference: 'BANK-1' },
          at('payout'),
        ),
      ],
      shows: ['Taken back by the card issuer', '-₱100.00', 'Transfer by Tara', 'BANK-1'],
    },
  },
});
