// `npm run chaos database -- --minutes 20 --seed N`: mixed load on a server whose database is killed every two minutes, and
// whose scheduled jobs have a record that always fails. Exits with 1 when the server ended, something acknowledged was
// lost, or its memory grew by more than a tenth from the second quarter of the run to the last (Linux).
import { minutes as minutesOption, readOptions, seed as seedOption } from '@tara/proof/options';
import { openTara } from '../tara.ts';
import { openChats } from './chats.ts';
import { runDatabaseKills } from './database-run.ts';

const { minutes, seed } = readOptions('npm run chaos database', {
  minutes: minutesOption(20),
  seed: seedOption(),
});
/** Of the memory in the second quarter. */
const mostGrowth = 1.1;

const tara = await openTara();
try {
  const chats = await openChats(tara, 2);
  const kills = Math.max(1, Math.ceil(minutes / 2) - 1);
  console.log(`${minutes} minutes, ${kills} kills of the database`);
  const report = await runDatabaseKills(tara, chats, { minutes, kills, seed });
  const { before, after } = report.memoryMb;
  console.log(JSON.stringify(report, null, 2));
  console.log(`memory: ${(after / before).toFixed(2)} times the second quarter's, at most ${mostGrowth}`);
  if (!(after <= mostGrowth * before)) process.exitCode = 1;
} finally {
  await tara.remove();
}
