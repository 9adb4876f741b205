// `npm run chaos chat -- --schedules 500 --kills 50 --seed N`: random schedules of two members, and kill -9 under load.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { openTara } from '../tara.ts';
import { openChats } from './chats.ts';
import { runKills } from './kills.ts';
import { runSchedule, schedules } from './schedule.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '500' },
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seed = Number(values.seed);
const counts = { schedules: Number(values.schedules), kills: Number(values.kills) };
/** Pairs of members; each has a plan chat and a conversation. */
const pairs = 3;

const tara = await openTara();
try {
  const chats = await openChats(tara, pairs);
  console.log(`seed ${seed}: ${chats.length} chats of both kinds`);
  let number = 0;
  let acknowledged = 0;
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const chat = chats[number++ % chats.length];
      if (chat) acknowledged += await runSchedule(tara.url, chat, schedule);
    }),
    { seed, numRuns: counts.schedules, endOnFailure: true },
  );
  console.log(
    `${counts.schedules} schedules: ${acknowledged} messages acknowledged, 0 lost, 0 doubled, all in order`,
  );
  const underKills = await runKills(tara, chats, { kills: counts.kills, seed });
  console.log(`${counts.kills} kills: ${underKills} messages acknowledged, 0 lost, 0 doubled, all in order`);
} finally {
  await tara.remove();
}
