import { expect, test } from 'vitest';
import { readConfig } from '../../server/src/config.ts';
import { killAfterMs } from './drain.mjs';

test.for([
  {},
  { DRAIN_DELAY: '', DRAIN_SECONDS: ' ' },
  { DRAIN_DELAY: '10' },
  { DRAIN_SECONDS: '60' },
  { DRAIN_DELAY: '600', DRAIN_SECONDS: '3600' },
])('a server is killed a second after it ends by itself: %o', (environment) => {
  const { drainDelayMs, drainMs } = readConfig(environment, []);
  expect(killAfterMs(environment)).toBe(drainDelayMs + drainMs + 1000);
});

test('what the server refuses counts as unset', () => {
  expect(killAfterMs({ DRAIN_DELAY: 'long', DRAIN_SECONDS: '1.5' })).toBe(6000);
});
