// `npm run chaos notifications -- --kills 100 --seed N`: requests and withdrawals while server and database are killed; each
// notifies the creator once. Exits with 1 when somebody was not notified, twice, or mailed again without a kill between.
import { count, readOptions, seed as seedOption } from '@tara/proof/options';
import { openTara } from '../tara.ts';
import { openDevices } from './devices.ts';
import { openMailServer } from './mail-server.ts';
import { openNotificationPairs, runNotificationKills } from './notifications-run.ts';

const { kills, seed } = readOptions('npm run chaos notifications', {
  kills: count(100),
  seed: seedOption(),
});
/** Creators with a client each. */
const pairCount = 3;

const mails = await openMailServer();
const devices = await openDevices();
const tara = await openTara({ env: { NOTIFICATION_MAIL_MINUTES: '0' } });
try {
  const pairs = await openNotificationPairs(tara, { mails, devices }, pairCount);
  const report = await runNotificationKills(tara, { pairs, mails, devices }, { kills, seed });
  const { acknowledged, notifications, repeatedMails, pushes, repeatedPushes } = report;
  console.log(
    `${kills} kills: ${acknowledged} requests and withdrawals acknowledged, ${notifications} notifications, each once in the list; ${repeatedMails} mails repeated by a kill; ${pushes} pushes, ${repeatedPushes} repeated by a kill, each in the place of the first`,
  );
} finally {
  await tara.remove();
  await mails.stop();
  await devices.stop();
}
