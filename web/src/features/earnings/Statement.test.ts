import type { EarningsRow } from '@tara/contract/money/earnings';
import { expect, it } from 'vitest';
import { earningsCsv, statementCsv, sumBy } from './Statement.tsx';

const row = (part: Partial<EarningsRow>): EarningsRow => ({
  ...{ month: '2026-11', planId: 'coffee', planTitle: 'Coffee', held: 0, earned: 0, paidOut: 0 },
  ...part,
});
const rows = [
  row({ earned: 0.1, paidOut: 0.1 }),
  row({ planId: 'surf', planTitle: 'Surfing', earned: 0.2, held: 900 }),
  row({ month: '2026-10', earned: 225 }),
];

it('sums by month, newest first, and by plan, most earned first', () => {
  expect(sumBy(rows, 'month')).toEqual([
    { key: '2026-11', label: 'November 2026', held: 900, earned: 0.3, paidOut: 0.1 },
    { key: '2026-10', label: 'October 2026', held: 0, earned: 225, paidOut: 0 },
  ]);
  expect(sumBy(rows, 'plan').map(({ label, earned }) => [label, earned])).toEqual([
    ['Coffee', 225.1],
    ['Surfing', 0.2],
  ]);
});

it('writes titles that spreadsheets cannot take for formulas or cells', () => {
  const titles = ['Two "cups", one walk', '=1+1', '@home', 'Line\nbreak'];
  const text = earningsCsv(titles.map((planTitle) => row({ planTitle, earned: 1234.5 })));
  expect(text).toBe(
    '\uFEFF"Month","Plan","Held (PHP)","Earned (PHP)","Paid out (PHP)"\r\n' +
      '"2026-11","Two ""cups"", one walk",0.00,1234.50,0.00\r\n' +
      '"2026-11","\'=1+1",0.00,1234.50,0.00\r\n' +
      '"2026-11","\'@home",0.00,1234.50,0.00\r\n' +
      '"2026-11","Line\nbreak",0.00,1234.50,0.00\r\n',
  );
});

it('writes a statement in which a release is what a creator earned or a client passed on', () => {
  const movement = {
    ...{ id: '1', at: '2026-11-02T03:04:05.000Z', interactionId: 'request', planTitle: 'Coffee' },
    confirmation: null,
  };
  const text = statementCsv(
    [
      { ...movement, kind: 'release', amount: 225, balance: 225 },
      { ...movement, kind: 'release', amount: -250, balance: 0 },
    ],
    { opening: 250, closing: 225 },
  );
  expect(text).toBe(
    '\uFEFF"Time","Plan","Movement","Amount (PHP)","Balance (PHP)"\r\n' +
      '"","","Closing balance","",225.00\r\n' +
      '"2026-11-02 11:04:05","Coffee","Earned",225.00,225.00\r\n' +
      '"2026-11-02 11:04:05","Coffee","Passed on to the creator",-250.00,0.00\r\n' +
      '"","","Opening balance","",250.00\r\n',
  );
});
