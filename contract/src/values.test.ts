import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { Name, Password, SignIn } from './accounts/forms.ts';
import type { Schema } from './calls.ts';
import { meetingFields, meetingTime } from './interactions/meetings.ts';
import { SendReceiptMessage } from './messages/receipts.ts';
import { centavos, PlanFormFields, WrittenPrice } from './plans/plans.ts';
import { parseTags } from './posts/posts.ts';

describe('the value read from an input', () => {
  it.each([
    ['a name without the spaces around it', Name, '  Ana  ', 'Ana'],
    ['a password unchanged', Password, '  eight  ', '  eight  '],
    ['an email in lower case', SignIn.shape.email, ' ANA@Example.com ', 'ana@example.com'],
    ['a message trimmed', SendReceiptMessage.shape.message, ' hi \n', 'hi'],
    ['a price that is not a number as 0 (§5-plan-price-text)', PlanFormFields.shape.price, 'much', 0],
    ['an empty price as 0', PlanFormFields.shape.price, ' ', 0],
    ['a written price as a number (§5-plan)', PlanFormFields.shape.price, '150.50', 150.5],
  ])('%s', (_case, schema: Schema, input, expected) => {
    expect(z.parse(schema, input)).toBe(expected);
  });

  it('tags split on commas, each once (§5-post)', () => {
    expect(parseTags('beach, sun set,,#sea, beach , ')).toEqual(['beach', 'sunset', 'sea']);
  });
});

it('an amount in minor units is the price times 100, to the centavo (§9-minor-units)', () => {
  // Of which 100 times is 110.00000000000001, and 1998.9999999999998.
  expect([0, 250, 750.5, 1.1, 19.99].map(centavos)).toEqual([0, 25_000, 75_050, 110, 1_999]);
});

it.each([
  ['2026-12-01', '18:30', '2026-12-01T18:30:00+08:00', '2026-12-01T10:30:00.000Z'],
  ['2026-12-01', '02:00', '2026-12-01T02:00:00+08:00', '2026-11-30T18:00:00.000Z'],
])('%s %s is Philippine time, written and read', (day, time, written, stored) => {
  expect(meetingTime(day, time)).toBe(written);
  expect(meetingFields(stored)).toEqual({ day, time });
});

describe('the price of the form: free only when it is chosen (decisions §2)', () => {
  const choose = 'Please enter a price, or choose that the plan is free.';
  const number = 'Please write a number, such as 1,000 or 750.50.';
  it.each([
    ['1,000', 1000],
    ['₱750.50', 750.5],
    [' PHP 9,999,999.99 ', 9_999_999.99],
    ['500 pesos', 500],
    ['100.', 100],
    ['free', 0],
  ])('%j is %d', (written, pesos) => expect(z.parse(WrittenPrice, written)).toBe(pesos));

  it.each([
    ['', choose],
    ['  ', choose],
    ['0', 'A plan without a price is free: please choose that it is free.'],
    ['much', number],
    ['1,5', number],
    ['1.000,50', number],
    ['1,0000', number],
    ['-100', number],
    ['1e3', number],
    ['9'.repeat(400), number],
    ['99', 'The price must be at least ₱100.00.'],
    ['100.001', 'The price has at most two decimals.'],
    ['10,000,000', 'The price must be at most ₱9,999,999.99.'],
  ])('%.20j is refused: %s', (written, message) =>
    expect(z.safeParse(WrittenPrice, written).error?.issues[0]?.message).toBe(message),
  );
});
