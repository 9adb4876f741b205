// `npm run chaos nodes -- --minutes 20 --seed N`: two nodes behind a proxy under messages, pages, pictures and payments, while a
// node, Redis, Postgres and the S3 store are killed, paused, failed over, flushed, filled and cut off, in an order drawn from the
// seed. Prints what each fault did. Exits with 1 when something acknowledged was lost or doubled, or not as promised.
import { count, minutes as minutesOption, readOptions, seed as seedOption } from '@tara/proof/options';
import { printTable } from '@tara/proof/table';
import { runNodeChaos } from '../nodes/chaos-run.ts';
import { openNodes } from '../nodes/nodes.ts';
import { openChats } from './chats.ts';
import { amongKills, openMoneyFixture } from './money-fixture.ts';

const { minutes, seed, messages, readers, payments } = readOptions('npm run chaos nodes', {
  minutes: minutesOption(20),
  seed: seedOption(),
  messages: count(100),
  readers: count(50),
  payments: count(2),
});
/** Pairs of members with a plan chat and a conversation. */
const pairs = 3;
/** Creators and clients; each creator has three plans. */
const parties = 4;

const nodes = await openNodes();
try {
  const chats = await openChats(nodes, pairs);
  const money = await openMoneyFixture(nodes, parties);
  console.log(
    `Two nodes, in a second ${messages} messages, ${readers} pages, ${payments} payments, a post with its picture, and two pictures`,
  );
  const report = await amongKills(() =>
    runNodeChaos(nodes, { chats, money }, { minutes, seed, messages, readers, payments }),
  );
  const ms = (value: number) => `${value} ms`;
  printTable(
    [
      'fault',
      'away',
      'longest error of others',
      'slowest refusal',
      'recovered after',
      'slowest message',
      'as promised',
    ],
    report.faults.map((fault) => [
      fault.name,
      ...[
        fault.awayMs,
        fault.longestError,
        fault.slowestRefusal,
        fault.recoveredAfter,
        fault.slowestMessage,
      ].map(ms),
      fault.breaches.length === 0 ? 'yes' : 'no',
    ]),
  );
  console.log(
    `${report.requests} requests; acknowledged: ${report.messages} messages, ${report.posts} posts, ${report.payments} payments`,
  );
  for (const { name, failures } of report.faults)
    if (failures.length > 0) console.log(`${name}: ${failures.join(', ')}`);
  for (const breach of report.breaches) console.log(breach);
  if (report.breaches.length > 0) process.exitCode = 1;
} finally {
  await nodes.remove();
}
