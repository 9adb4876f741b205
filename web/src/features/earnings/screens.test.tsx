import { type Earnings, earnings } from '@tara/contract/earnings';
import { screen } from '@testing-library/react';
import { longWord } from '../../testing/samples.ts';
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
});
