import type { EarningsRow } from '@tara/contract/earnings';
import { expect, it } from 'vitest';
import { earningsCsv, sumBy } from './earnings-table.ts';

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
