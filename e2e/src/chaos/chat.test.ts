import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTara, type Tara } from '../tara.ts';
import { type OpenChat, openChats } from './chats.ts';
import { runKills } from './kills.ts';
import { arbitrarySchedule, runSchedule } from './schedule.ts';

// A short run; the long one is `npm run chaos chat`.
const counts = { schedules: 10, kills: 1 };

let tara: Tara;
let chats: OpenChat[];
beforeAll(async () => {
  tara = await openTara();
  chats = await openChats(tara, 1);
}, 300_000);
afterAll(() => tara.remove());

test('random schedules lose, double and reorder nothing, also with lost requests (§1-chat)', {
  timeout: 300_000,
}, async () => {
  let number = 0;
  let acknowledged = 0;
  await fc.assert(
    fc.asyncProperty(arbitrarySchedule, async (schedule) => {
      const chat = chats[number++ % chats.length];
      if (chat) acknowledged += await runSchedule(tara.url, chat, schedule);
    }),
    { seed: 20_261_122, numRuns: counts.schedules, endOnFailure: true },
  );
  expect(acknowledged).toBeGreaterThan(counts.schedules);
});

test('kill -9 under load loses nothing acknowledged', { timeout: 300_000 }, async () => {
  expect(await runKills(tara, chats, { kills: counts.kills, seed: 1 })).toBeGreaterThan(0);
});
