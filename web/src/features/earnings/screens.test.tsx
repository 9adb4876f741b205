import { type Earnings, earnings } from '@tara/contract/money/earnings';
import { payments, type StatementRow } from '@tara/contract/money/payments';
import { fireEvent, screen } from '@testing-library/react';
import { longWord, samplePage } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, reply } from '../../testing/screen.tsx';

const sample: Earnings = {
  rows: [
    {
      ...{ month: '2026-11', planId: 'coffee', planTitle: 'Coffee in Makati' },
      ...{ held: 250, earned: 1500.5, paidOut: 750 },
    },
  ],
  totals: { held: 250, earned: 1500.5, paidOut: 750, onTheWay: 750.5 },
};
const nothing: Earnings = { rows: [], totals: { held: 0, earned: 0, paidOut: 0, onTheWay: 0 } };
const [row] = sample.rows;
const movement = (id: string, kind: StatementRow['kind'], amount: number): StatementRow => ({
  ...{ id, kind, amount, balance: Math.max(amount, 0) },
  confirmation: kind === 'payout' ? { kind, id: 'request' } : null,
  ...{ at: '2026-11-02T03:04:05.000Z', interactionId: 'request', planTitle: 'Coffee in Makati' },
});

describeScreen('/_main/earnings', {
  path: '/earnings',
  replies: [reply(earnings.get, sample)],
  loading: 'Loading your earnings',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Earnings'],
      ['button', 'Download CSV'],
      ['rowheader', 'November 2026'],
      ['cell', '₱1,500.50'],
      ['radio', 'By plan'],
    ],
  },
  empty: {
    replies: [reply(earnings.get, nothing)],
    shows: ['Nothing earned yet', ['link', 'Your plans']],
    hides: [['button', 'Download CSV']],
  },
  longTexts: {
    replies: [reply(earnings.get, { ...sample, rows: row ? [{ ...row, planTitle: longWord }] : [] })],
    steps: async (user) => user.click(await screen.findByRole('radio', { name: 'By plan' })),
    shows: [['rowheader', longWord]],
  },
  forbidden: guestsSignIn,
  more: {
    'the statement on demand': {
      replies: [
        reply(
          payments.statement,
          samplePage([movement('2', 'payout', -225), movement('1', 'release', 225)]),
          {
            query: {},
          },
        ),
        reply(payments.statementBalances, { opening: 0, closing: 225 }, { query: {} }),
      ],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Show the statement' })),
      shows: [
        ['rowheader', /^Paid out to you Coffee in Makati .*\d{4} Confirmation$/],
        ['link', 'Confirmation', '/confirmation/payout/request'],
        'Closing balance',
        ['rowheader', /^Earned Coffee in Makati/],
        ['cell', '+₱225.00'],
        ['cell', '-₱225.00'],
        ['button', 'Download the statement'],
      ],
    },
    'a statement of some days, on which nothing was moved': {
      replies: [
        reply(payments.statement, samplePage([]), { query: {} }),
        reply(payments.statementBalances, { opening: 0, closing: 0 }, { query: {} }),
        ...[{ from: '2026-01-01' }, { from: '2026-01-01', to: '2026-01-31' }].flatMap((query) => [
          reply(payments.statement, samplePage([]), { query }),
          reply(payments.statementBalances, { opening: 80, closing: 80.5 }, { query }),
        ]),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Show the statement' }));
        fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2026-01-01' } });
        fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-31' } });
      },
      shows: ['₱80.00', '₱80.50', 'No money was moved for you on these days.'],
    },
    'a statement that ends before it begins': {
      replies: [
        reply(payments.statement, samplePage([]), { query: {} }),
        reply(payments.statementBalances, { opening: 0, closing: 0 }, { query: {} }),
        reply(payments.statement, samplePage([]), { query: { from: '2026-01-31' } }),
        reply(payments.statementBalances, { opening: 0, closing: 0 }, { query: { from: '2026-01-31' } }),
      ],
      steps: async (user) => {
        await user.click(await screen.findByRole('button', { name: 'Show the statement' }));
        fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2026-01-31' } });
        fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-01' } });
      },
      shows: ['Must not be before the first day.'],
      hides: [['button', 'Download the statement']],
    },
    'a statement without movements': {
      replies: [
        reply(payments.statement, samplePage([]), { query: {} }),
        reply(payments.statementBalances, { opening: 0, closing: 0 }, { query: {} }),
      ],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Show the statement' })),
      shows: ['No money was moved for you yet.'],
      hides: [['button', 'Download the statement']],
    },
  },
});
