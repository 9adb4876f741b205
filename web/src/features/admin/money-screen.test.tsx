import {
  adminWork,
  type MoneyAlarm,
  type MoneyOverview,
  moneyAlarmKinds,
  moneyPlaces,
} from '@tara/contract/admin';
import { adminMoney, type MoneyCase, type UnassignedDispute } from '@tara/contract/money/admin-money';
import { posts } from '@tara/contract/posts/posts';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { longText, longWord, sampleAdminSession, samplePage, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const none = { count: 0, pesos: 0 };
const overview = (day: { count: number; pesos: number }): MoneyOverview => ({
  alarms: [],
  losingSale: null,
  places: moneyPlaces.map((place) => ({ place, ages: { day, week: none, month: none, older: none } })),
});
const alarm = (kind: MoneyAlarm['kind'], number: number): MoneyAlarm => ({
  ...{ kind, count: number, pesos: 750.5, dueOn: '2026-01-09', since: time },
});
const list = (name: 'toPayOut' | 'failed') => ({ params: { list: name }, query: {} });
const payout: MoneyCase = {
  ...{ id: 'payout', way: 'transfer', purpose: 'payout', interactionId: 'request' },
  ...{ planTitle: 'Coffee in Makati', receiverName: 'Benedicto Cruz', number: '09171234567', amount: 250 },
  ...{ atProvider: 'no', problem: 'Destination account inactive.', attempts: 2, createdAt: time },
};
const refund: MoneyCase = { ...payout, id: 'refund', way: 'provider', purpose: 'refund', number: null };
const unsent: MoneyCase = { ...payout, id: 'unsent', problem: null, attempts: 0 };
/** A payout of which the provider said nothing for a day. */
const undecided = [
  reply(adminMoney.openMoney, samplePage([{ ...unsent, atProvider: 'doubtful' as const }]), list('failed')),
  reply(adminMoney.decideSending, { status: 'ok' }),
];
const check = { checkedAt: time, counts: { transfers: 1234, providerPayments: 5 }, differences: [] };

const counts = {
  ...{ verifications: 0, plans: 0, reports: 0, disputes: 0, noAnswer: 0, chargebacks: 0 },
  ...{ unassignedDisputes: 0, byHand: 0 },
};

const dispute: UnassignedDispute = {
  ...{ id: 'dsp_1', amount: 250, reason: 'fraudulent', state: 'open', disputedAt: time },
  dueOn: '2026-01-09',
  isUnderReview: false,
  isForeign: false,
  payments: [
    { id: 'pay_1', planTitle: 'Coffee in Makati', clientName: 'Ana Reyes', amount: 250, paidAt: time },
    { id: 'pay_2', planTitle: 'A walk', clientName: 'Carla Lim', amount: 300, paidAt: time },
  ],
};

const decideCase = async (user: UserEvent, button: string, field: string, send: string) => {
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(await dialog.findByLabelText(field), 'GC-77');
  await user.click(dialog.getByRole('button', { name: send }));
};

describeScreen('/_main/_admin/money', {
  path: '/money',
  viewer: sampleAdminSession('Boss'),
  replies: [
    reply(adminWork.moneyOverview, overview({ count: 3, pesos: 1500.5 })),
    reply(adminMoney.ledgerCheck, { check }),
    reply(adminMoney.unassignedDisputes, samplePage([dispute])),
    reply(adminMoney.openMoney, samplePage([unsent]), list('toPayOut')),
    reply(adminMoney.openMoney, samplePage([payout, refund]), list('failed')),
  ],
  loading: 'Loading the overview',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Money'],
      ['heading', 'In escrow ₱1,500.50'],
      /^No alarms/,
      'The provider takes evidence until 9 January 2026.',
      ['heading', /^No answer/],
      'The books agree with the provider.',
      '1,234',
      'Refund, the way it was paid',
      ['heading', 'Card disputes without a payment'],
      ['button', 'Assign to pay_2'],
      'Friday, 2 January 2026 at 3:04 AM',
      ['button', 'Another payment'],
      ['button', 'Record transfer: Benedicto Cruz'],
      ['button', 'Try again: Benedicto Cruz'],
      ['button', 'By transfer: Benedicto Cruz'],
    ],
  },
  empty: {
    replies: [
      reply(adminWork.moneyOverview, overview(none)),
      reply(adminMoney.ledgerCheck, { check: null }),
      reply(adminMoney.unassignedDisputes, samplePage([])),
      reply(adminMoney.openMoney, samplePage([]), list('toPayOut')),
      reply(adminMoney.openMoney, samplePage([]), list('failed')),
    ],
    shows: [
      ['heading', 'Failed ₱0.00'],
      'No payout or refund waits to be sent by hand.',
      'Nothing was refused or is late.',
      /The first time is still to come/,
    ],
    hides: [['heading', 'Card disputes without a payment'], 'Under a week'],
  },
  longTexts: {
    replies: [
      reply(adminWork.moneyOverview, overview({ count: 12_345, pesos: 98_765_432.1 })),
      reply(
        adminMoney.openMoney,
        samplePage([{ ...payout, receiverName: longWord, problem: longText }]),
        list('failed'),
      ),
    ],
    shows: [
      ['heading', 'In escrow ₱98,765,432.10'],
      ['button', `Try again: ${longWord}`],
    ],
  },
  forbidden: {
    viewer: sampleSession('Ana'),
    replies: [reply(posts.feed, samplePage([]))],
    endsAt: '/',
    shows: ['No current post'],
  },
  more: {
    'a guest': guestsSignIn,
    'one of everything that can be wrong': {
      replies: [
        reply(adminWork.moneyOverview, {
          ...overview(none),
          alarms: moneyAlarmKinds.map((kind) => alarm(kind, 1)),
        }),
      ],
      shows: [
        ['list', 'What is wrong'],
        ...['A difference in the books', 'An open chargeback', 'A payout or refund is stuck'],
        '₱750.50 is disputed. Evidence is due by 9 January 2026.',
        '₱750.50 did not move for an hour.',
        ['link', 'Open the chargebacks'],
        ['link', 'Show what is stuck'],
        ['link', 'Show the check'],
        ...['A transfer by hand was not recorded', '₱750.50 may have left Tara. Say what became of it.'],
        'The wallet holds less than is owed',
        'The provider’s wallet lacks ₱750.50 of what members have to get.',
        ...['The provider stopped its deliveries', 'The books were not checked for 36 hours'],
      ],
      hides: [/^No alarms/],
    },
    'several of what can be wrong': {
      replies: [
        reply(adminWork.moneyOverview, {
          ...overview(none),
          alarms: (['ledgerDiffers', 'chargebackOpened', 'disbursementStuck'] as const).map((kind) =>
            alarm(kind, 3),
          ),
        }),
      ],
      shows: [
        ...['3 differences in the books', '3 open chargebacks', '3 payouts and refunds are stuck'],
        '₱750.50 is disputed. The first evidence is due by 9 January 2026.',
      ],
    },
    'evidence that was sent': {
      replies: [
        reply(adminWork.moneyOverview, {
          ...overview(none),
          alarms: [{ ...alarm('chargebackOpened', 1), dueOn: null }],
        }),
        reply(adminMoney.unassignedDisputes, samplePage([{ ...dispute, isUnderReview: true }])),
      ],
      shows: ['₱750.50 is disputed. The evidence was sent.', 'The evidence was sent.'],
      hides: [/The provider takes evidence until/, /due by/],
    },
    'what waits for an admin before the money that only waits': {
      steps: async () => {
        const titles = (await screen.findAllByRole('heading', { level: 2 })).map((one) => one.textContent);
        expect(titles.slice(0, 3)).toEqual([
          'Card disputes without a payment',
          'Failed payouts and refunds',
          'To pay out by hand',
        ]);
      },
      shows: [['heading', 'Failed payouts and refunds']],
    },
    'a fee with which each sale loses money': {
      replies: [
        reply(adminWork.moneyOverview, {
          ...overview(none),
          losingSale: { price: 50_000, earned: 0, cost: 1260 },
        }),
      ],
      shows: ['Each sale loses money', /Of a plan of ₱50,000.00 Tara earns ₱0.00, .* at least ₱1,260.00/],
    },
    'books that do not agree': {
      replies: [
        reply(adminMoney.ledgerCheck, {
          check: {
            ...check,
            differences: [{ rule: 'a payout is sent once', subject: 'p-1', text: '2 transfers succeeded' }],
          },
        }),
      ],
      shows: ['Not true: a payout is sent once', 'p-1: 2 transfers succeeded'],
      hides: ['The books agree with the provider.'],
    },
    'a dispute that an admin assigns': {
      replies: [reply(adminMoney.assignDispute, { status: 'ok' })],
      steps: async (user, answer) => {
        const button = await screen.findByRole('button', { name: 'Assign to pay_2' });
        answer([reply(adminMoney.unassignedDisputes, samplePage([]))]);
        await user.click(button);
        const dialog = within(await screen.findByRole('dialog'));
        await dialog.findByDisplayValue('pay_2');
        dialog.getByText('dsp_1');
        await user.type(dialog.getByLabelText('Reason'), 'The day agrees.');
        await user.click(dialog.getByRole('button', { name: 'Assign' }));
        await screen.findByText('The dispute is assigned.');
        await waitFor(() =>
          expect(screen.queryByRole('heading', { name: 'Card disputes without a payment' })).toBeNull(),
        );
      },
      shows: ['The dispute is assigned.'],
    },
    'a dispute that an admin says is about no payment of Tara, until it is decided': {
      replies: [reply(adminMoney.assignDispute, { status: 'ok' })],
      steps: async (user, answer) => {
        const button = await screen.findByRole('button', { name: 'No payment of Tara' });
        answer([
          reply(adminMoney.unassignedDisputes, samplePage([{ ...dispute, isForeign: true, payments: [] }])),
        ]);
        await user.click(button);
        const dialog = within(await screen.findByRole('dialog', { name: 'No payment of Tara' }));
        await user.type(await dialog.findByLabelText('Reason'), 'Of the other shop.');
        await user.click(dialog.getByRole('button', { name: 'Confirm' }));
        await screen.findByText('The dispute is about no payment of Tara.');
        await waitFor(() => expect(screen.queryByRole('button', { name: 'No payment of Tara' })).toBeNull());
      },
      shows: [
        'About no payment of Tara, as an admin or the provider said. You can correct it.',
        ['button', 'Enter its payment'],
      ],
      hides: [/The provider takes evidence until/],
    },
    'a dispute that cannot be about the payment': {
      replies: [refusal(adminMoney.assignDispute, 'dispute_assignment_not_possible')],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Another payment' }));
        const dialog = within(await screen.findByRole('dialog'));
        await user.type(await dialog.findByLabelText('Payment'), 'pay_other');
        await user.type(dialog.getByLabelText('Reason'), 'The day agrees.');
        await user.click(dialog.getByRole('button', { name: 'Assign' }));
      },
      shows: ['This dispute waits for no payment.', ['dialog']],
    },
    'a refund that was never tried': {
      replies: [reply(adminMoney.openMoney, samplePage([{ ...refund, attempts: 0 }]), list('failed'))],
      shows: [['button', /^Try again/]],
      hides: [['button', /^By transfer/]],
    },
    'a payout that was sent by hand': {
      replies: [
        reply(adminMoney.recordPayout, { status: 'ok' }),
        reply(adminWork.counts, { ...counts, byHand: 1 }),
      ],
      steps: async (user, answer) => {
        await screen.findByRole('link', { name: /^Money ?1 waiting$/ });
        await screen.findByRole('button', { name: /^Record transfer/ });
        answer([
          reply(adminMoney.openMoney, samplePage([]), list('toPayOut')),
          reply(adminWork.counts, counts),
        ]);
        const [button, field] = ['Record transfer: Benedicto Cruz', 'Reference of the transfer'];
        await decideCase(user, button, field, 'Record transfer');
      },
      shows: [
        'The transfer is recorded.',
        'No payout or refund waits to be sent by hand.',
        ['link', 'Money'],
      ],
    },
    'a payout that is tried again': {
      replies: [
        reply(adminMoney.openMoney, samplePage([payout]), list('failed')),
        reply(adminMoney.retryMoney, { status: 'ok' }),
      ],
      steps: async (user) => decideCase(user, 'Try again: Benedicto Cruz', 'Reason', 'Try again'),
      shows: ['Tara tries to send it now.'],
    },
    'an alarm that leads to its part of the page': {
      replies: [
        reply(adminWork.moneyOverview, { ...overview(none), alarms: [alarm('disbursementStuck', 1)] }),
      ],
      steps: async (user) => {
        const link = await screen.findByRole('link', { name: 'Show what is stuck' });
        const part = document.getElementById(link.getAttribute('href')?.split('#')[1] ?? '');
        expect(part).toBe(screen.getByRole('region', { name: 'Failed payouts and refunds' }));
        await user.click(link);
      },
      shows: [['region', 'Failed payouts and refunds']],
    },
    'a dispute that is lost already': {
      replies: [reply(adminMoney.unassignedDisputes, samplePage([{ ...dispute, state: 'lost' as const }]))],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Assign to pay_1' })),
      shows: [
        /The issuer took the money back: .* You cannot change this later\. Open disputes .* wait to be assigned again\.$/,
      ],
      hides: [/until the issuer decides/],
    },
    'a payout by hand whose receiver has no number': {
      replies: [reply(adminMoney.openMoney, samplePage([{ ...unsent, number: null }]), list('toPayOut'))],
      steps: async (user) => user.click(await screen.findByRole('button', { name: /^Record transfer/ })),
      shows: ['Only after you sent ₱250.00 to Benedicto Cruz. It cannot be changed after.'],
    },
    'a split of which both parts were refused': {
      replies: [
        reply(
          adminMoney.openMoney,
          samplePage([payout, { ...refund, id: payout.id, receiverName: 'Ana Reyes' }]),
          list('failed'),
        ),
      ],
      shows: [
        ['button', 'Try again: Benedicto Cruz'],
        ['button', 'Try again: Ana Reyes'],
      ],
    },
    'a payout whose amount changed after it was sent': {
      replies: [refusal(adminMoney.recordPayout, 'money_case_changed')],
      steps: async (user) => {
        const [button, field] = ['Record transfer: Benedicto Cruz', 'Reference of the transfer'];
        await decideCase(user, button, field, 'Record transfer');
      },
      shows: [
        'Another amount is owed now.',
        'Nothing was recorded. Your reference is below, until you say whether the money left.',
      ],
      hides: [['dialog']],
    },
    'payouts that have not moved for an hour': {
      replies: [
        reply(
          adminMoney.openMoney,
          samplePage([
            { ...unsent, id: 'no' },
            { ...unsent, id: 'maybe', atProvider: 'maybe' as const, receiverName: 'Carla Lim' },
            { ...unsent, id: 'doubtful', atProvider: 'doubtful' as const, receiverName: 'Eva Santos' },
            { ...unsent, id: 'yes', atProvider: 'yes' as const, receiverName: 'Dan Ocampo' },
          ]),
          list('failed'),
        ),
      ],
      shows: [
        ...['It was not sent within an hour.', 'It was sent, and the provider has not answered.'],
        'It was sent more than 24 hours ago, and the provider has not answered.',
        'The provider has it, and has not said that it arrived.',
        ['button', 'Try again: Benedicto Cruz'],
        ['button', 'Ask the provider: Carla Lim'],
        ['button', 'Ask the provider: Dan Ocampo'],
      ],
      hides: [['button', 'Try again: Dan Ocampo']],
    },
    'a payout that waits for a number': {
      replies: [
        reply(adminMoney.openMoney, samplePage([{ ...unsent, number: null }]), list('failed')),
        reply(adminMoney.openMoney, samplePage([]), list('toPayOut')),
      ],
      shows: [
        'Payout, without a GCash number',
        'It is sent once Benedicto Cruz names a GCash number.',
        ['link', 'Timeline: Coffee in Makati'],
      ],
      hides: [['button', /^Try again/]],
    },
    'a payout that the provider has': {
      replies: [
        reply(adminMoney.openMoney, samplePage([{ ...unsent, atProvider: 'yes' as const }]), list('failed')),
      ],
      steps: async (user) => user.click(await screen.findByRole('button', { name: /^Ask the provider/ })),
      shows: [
        'The provider has the ₱250.00 for Benedicto Cruz. Tara asks what became of it, and sends nothing again meanwhile.',
      ],
    },
    'a refund that the provider may have': {
      replies: [
        reply(
          adminMoney.openMoney,
          samplePage([{ ...refund, atProvider: 'maybe' as const }]),
          list('failed'),
        ),
        reply(adminMoney.retryMoney, { status: 'ok' }),
      ],
      steps: async (user) => {
        const name = 'Ask the provider: Benedicto Cruz';
        await user.click(await screen.findByRole('button', { name }));
        await screen.findByText(
          'The provider may have the ₱250.00 for Benedicto Cruz. Tara looks for it, and sends nothing that could arrive twice.',
        );
        const dialog = within(screen.getByRole('dialog'));
        await user.type(dialog.getByLabelText('Reason'), 'It is late.');
        await user.click(dialog.getByRole('button', { name: 'Ask the provider' }));
      },
      shows: ['Tara asks the provider now.'],
      hides: [['button', /^By transfer/]],
    },
    'a payout that nobody answered, and that the provider has': {
      replies: undecided,
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'It was sent: Benedicto Cruz' }));
        const dialog = within(await screen.findByRole('dialog'));
        await user.type(await dialog.findByLabelText('Its id in the dashboard'), 'tr_1');
        await user.type(dialog.getByLabelText('Reason'), 'The dashboard says so.');
        await user.click(dialog.getByRole('button', { name: 'It was sent' }));
      },
      shows: ['Tara asks the provider about it now.', ['button', 'Ask the provider: Benedicto Cruz']],
    },
    'a payout that nobody answered, and that did not leave': {
      replies: undecided,
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'It did not leave: Benedicto Cruz' }));
        await screen.findByText(/if it did leave, it arrives twice/);
        const dialog = within(screen.getByRole('dialog'));
        await user.type(dialog.getByLabelText('Reason'), 'The dashboard has nothing.');
        await user.click(dialog.getByRole('button', { name: 'It did not leave' }));
      },
      shows: ['Tara sends what is owed still.'],
      hides: [['button', /^Try again/]],
    },
    'a transfer by hand that was refused, and left': {
      replies: [
        reply(
          adminMoney.openMoney,
          samplePage([{ ...payout, way: 'hand' as const, id: 'BPI 4711', problem: 'It was not recorded.' }]),
          list('failed'),
        ),
        reply(adminMoney.settleManualTransfer, { status: 'ok' }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Book as a loss: Benedicto Cruz' }));
        const dialog = within(await screen.findByRole('dialog'));
        await dialog.findByText(/^Only if ₱250.00 left .* It is a loss for Tara/);
        await user.type(dialog.getByLabelText('Reason'), 'The bank says so.');
        await user.click(dialog.getByRole('button', { name: 'Book as a loss' }));
      },
      shows: ['It is booked as a loss.', 'Sent by hand: BPI 4711'],
    },
    'a refund that another admin sent meanwhile': {
      replies: [
        reply(adminMoney.openMoney, samplePage([refund]), list('failed')),
        refusal(adminMoney.retryMoney, 'money_case_not_possible'),
      ],
      steps: async (user) => decideCase(user, 'By transfer: Benedicto Cruz', 'Reason', 'Refund by transfer'),
      shows: ['Nothing of this waits for you.'],
      hides: [['dialog']],
    },
  },
});
