// `npm run chaos chat -- --schedules 500 --kills 50 --seed N`: random schedules of two members, and kill -9 under load.
import { count, readOptions, seed as seedOption } from '@tara/proof/options';
import { openTara } from '../tara.ts';
import { openChats } from './chats.ts';
import { runKills } from './kills.ts';
import { runSchedules } from './schedule.ts';

const { schedules, kills, seed } = readOptions('npm run chaos chat', {
  schedules: count(500),
  kills: count(50),
  seed: seedOption(),
});
/** Pairs of members; each has a plan chat and a conversation. */
const pairs = 3;

const tara = await openTara();
try {
  const chats = await openChats(tara, pairs);
  console.log(`${chats.length} chats of both kinds`);
  const acknowledged = await runSchedules(tara.url, chats, { schedules, seed });
  console.log(
    `${schedules} schedules: ${acknowledged} messages acknowledged, 0 lost, 0 doubled, all in order`,
  );
  const underKills = await runKills(tara, chats, { kills, seed });
  console.log(`${kills} kills: ${underKills} messages acknowledged, 0 lost, 0 doubled, all in order`);
} finally {
  await tara.remove();
}
