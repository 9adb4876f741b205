import { expect, test } from 'vitest';
import { openTara } from '../tara.ts';
import { openMailServer } from './mail-server.ts';
import { openNotificationPairs, runNotificationKills } from './notifications-run.ts';

// A short run; the long one is `npm run chaos notifications`.
const counts = { pairs: 1, kills: 2, seed: 20_261_126 };

test('kill -9 while members are notified leaves each notification once, and mails again only what it cut off', {
  timeout: 300_000,
}, async ({ onTestFinished }) => {
  const mails = await openMailServer();
  const tara = await openTara();
  onTestFinished(async () => {
    await tara.remove();
    await mails.stop();
  });
  const pairs = await openNotificationPairs(tara, mails, counts.pairs);
  const report = await runNotificationKills(tara, { pairs, mails }, counts);
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report.notifications).toBeGreaterThanOrEqual(report.acknowledged);
});
