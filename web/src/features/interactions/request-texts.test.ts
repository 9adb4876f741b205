import { describe, expect, it, test } from 'vitest';
import { sampleRequest } from '../../testing/samples.ts';
import { calendarFile, meetingLabel, nextStep } from './request-texts.ts';

const paid = { paid: true };
const ready = { paid: true, accepted: true };
const owed = {
  state: 'owed',
  amount: 250,
  released: 250,
  refunded: 0,
  at: '2026-11-21T12:00:00.000Z',
  waitsUntil: null,
  payout: null,
  refund: null,
} as const;
const payout = { amount: 250, way: 'transfer', until: null, problem: null } as const;
const over = { ...{ paid: true, accepted: true, userSetDone: true }, adminSetDone: true, completed: true };
const done = { ...ready, userSetDone: true };

describe('what comes next with a request (§4-interaction)', () => {
  it.each([
    ['client', { checkoutUrl: null }, /being prepared/],
    ['client', {}, /^Pay to open the chat with Ana/],
    ['client', { accepted: true }, /^Ana accepted\. Pay/],
    ['client', paid, /^Waiting for Ana to accept/],
    ['client', ready, /^Open the chat/],
    ['client', { ...ready, haveConvoReceipt: true }, /Plan is fulfilled/],
    ['client', done, /An admin confirms it next/],
    ['client', { ...done, adminSetDone: true, completed: true }, /write a review now/],
    ['client', { ...paid, disputed: true, stage: 'disputed' }, /^You said that there was a problem/],
    ['creator', { ...done, disputed: true, stage: 'disputed' }, /^Ben says that there was a problem/],
    ['creator', {}, /^Accept to meet\. Ben has not paid/],
    ['creator', paid, /^Ben has paid/],
    ['creator', { accepted: true }, /^Waiting for Ben to pay/],
    ['creator', done, /then your payout starts/],
    [
      'creator',
      {
        ...done,
        adminSetDone: true,
        completed: true,
        money: { ...owed, waitsUntil: '2026-11-22T12:00:00.000Z' },
      },
      /waits until Sunday,? 22 November 2026.*phone number changed/,
    ],
    ['creator', { ...done, adminSetDone: true, completed: true, money: owed }, /on its way/],
    [
      'creator',
      { ...over, money: { ...owed, payout: { ...payout, state: 'needs_number' } } },
      /your GCash number/,
    ],
    ['creator', { ...over, money: { ...owed, payout: { ...payout, state: 'refused' } } }, /was refused/],
    ['creator', { ...over, money: { ...owed, payout: { ...payout, state: 'frozen' } } }, /card issuer/],
    ['client', { needsRefundNumber: true, checkoutUrl: null }, /^Name a number for refunds/],
    ['client', { cancelled: true }, /cancelled/],
  ] as const)('is told to the %s in %o', (side, state, words) => {
    expect(nextStep(sampleRequest(state), side)).toMatch(words);
  });
});

test.for([
  ['2026-12-05T10:00:00.000Z', '2026-12-05T12:00:00.000Z', -480, 'Sat, 5 Dec 2026, 6:00 PM to 8:00 PM'],
  ['2026-12-04T16:30:00.000Z', null, -480, 'Sat, 5 Dec 2026, 12:30 AM'],
  ['2026-12-05T04:00:00.000Z', null, 60, 'Sat, 5 Dec 2026, 12:00 PM (Philippine time)'],
] as const)('says %s to %s in Philippine time', ([from, until, offset, label]) => {
  expect(meetingLabel(from, until, offset)).toBe(label);
});

const event = {
  id: 'request',
  title: 'Coffee in Makati with Ana',
  place: 'Cafe; 2nd floor, left\\right\nGate',
  meetsAt: '2026-12-05T10:00:00.000Z',
  meetsUntil: '2026-12-05T12:00:00.000Z',
  updatedAt: '2026-11-22T09:00:00.000Z',
};

test('a calendar file has one event in UTC, with its texts escaped', () => {
  const lines = calendarFile(event).split('\r\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'UID:request@tara',
      'DTSTART:20261205T100000Z',
      'DTEND:20261205T120000Z',
      'SUMMARY:Coffee in Makati with Ana',
      'LOCATION:Cafe\\; 2nd floor\\, left\\\\right\\nGate',
    ]),
  );
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
});

test('folds long lines of a calendar file within 75 bytes, and not within a character', () => {
  const place = '🏝️ñ'.repeat(30);
  const file = calendarFile({ ...event, place });
  for (const line of file.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(file.replaceAll('\r\n ', '')).toContain(`LOCATION:${place}`);
});
