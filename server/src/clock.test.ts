import { nowDate, nowMs, replaceClock } from '@tara/contract/clock';
import { isRefundable } from '@tara/contract/money/payment-methods';
import { replaceRandom } from '@tara/contract/random';
import { expect, it, onTestFinished } from 'vitest';
import { newId as newProviderId } from '../../sandbox/src/provider/ids.ts';
import { realClock } from '../../sandbox/src/provider/settings.ts';
import { codeExpiry } from './features/accounts/secrets.ts';
import { newId } from './platform/ids.ts';

it('one clock moves the server, the sandbox and the rules of the contract', () => {
  const later = nowMs() + 3 * 365 * 86_400_000;
  const payment = { method: 'card', paidAt: nowDate(), isPart: false };
  expect(isRefundable(payment)).toBe(true);
  onTestFinished(replaceClock({ nowMs: () => later }));
  expect(isRefundable(payment)).toBe(false);
  expect(realClock.now()).toBe(later);
  expect(codeExpiry().getTime()).toBeGreaterThan(later);
});

it('one source of chance is behind the ids of the server and of the sandbox', () => {
  onTestFinished(replaceRandom({ fill: (bytes) => bytes.fill(0) }));
  expect([newId(), newProviderId('pay')]).toEqual(['a'.repeat(20), `pay_${'A'.repeat(24)}`]);
});
