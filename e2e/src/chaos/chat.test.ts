import { expect } from 'vitest';
import { runKills } from './kills.ts';
import { runSchedules } from './schedule.ts';
import { chaosTest as test } from './testing/chaos-test.ts';

// A short run; the long one is `npm run chaos chat`.
const counts = { schedules: 10, kills: 1 };

test('random schedules lose, double and reorder nothing, also with lost requests (§1-chat)', {
  timeout: 300_000,
}, async ({ tara, chats }) => {
  const acknowledged = await runSchedules(tara.url, chats, { schedules: counts.schedules, seed: 20_261_122 });
  expect(acknowledged).toBeGreaterThan(counts.schedules);
});

test('kill -9 under load loses nothing acknowledged', { timeout: 300_000 }, async ({ tara, chats }) => {
  expect(await runKills(tara, chats, { kills: counts.kills, seed: 1 })).toBeGreaterThan(0);
});
