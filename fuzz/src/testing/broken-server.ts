// A server whose calls are broken on purpose, so that tests see the fuzzer find each kind of mistake.

import { setTimeout as delay } from 'node:timers/promises';
import type { Done } from '@tara/contract/calls';
import { readConfig } from '@tara/server/config';
import { connect } from '@tara/server/platform/database/connect';
import { serve } from '@tara/server/platform/http/serve';
import { createHttpServer } from '@tara/server/platform/http/server';
import { quietLog } from '@tara/server/platform/log';
import { Problem } from '@tara/server/platform/problem';
import { resolveMember } from '@tara/server/testing/features/members';
import { answerFuzzer } from '../server/monitor.ts';
import { broken } from './broken-calls.ts';

const done: Done = { status: 'ok' };
const config = readConfig();
const { database, sql } = connect(config.databaseUrl ?? '', { size: 4 });
const app = await createHttpServer({ config, log: quietLog(), resolveViewer: resolveMember(database) });

serve(app, broken.fails, async ({ body }) => {
  // As code does that trusts a value to be what it was declared as.
  if (typeof body.note === 'object' && body.note !== null) String(Reflect.get(body.note, 'name').length);
  return done;
});
serve(app, broken.blocks, async ({ body }) => {
  const before = process.threadCpuUsage();
  let workedMs = 0;
  // System time counts as well: asking for the time used is most of this loop's work.
  while (workedMs < body.words.length) {
    const { user, system } = process.threadCpuUsage(before);
    workedMs = (user + system) / 1000;
  }
  return done;
});
// As a pool of one connection does.
let pool = Promise.resolve();
const hold = (ms: number) => {
  pool = pool.then(() => delay(ms));
  return pool;
};
serve(app, broken.holds, async ({ body }) => {
  await hold(body.words.length * 6);
  return done;
});
let stalls = 0;
serve(app, broken.stalls, async () => {
  await hold(stalls++ % 3 === 0 ? 1_000 : 0);
  return done;
});
serve(app, broken.shared, async () => {
  await pool;
  return done;
});
serve(app, broken.leaksField, async () => {
  const reply = { id: 'a', passwordHash: 'argon2' };
  return reply;
});
serve(app, broken.leaksOther, async () => {
  const [row] = await sql<
    { id: string; email: string }[]
  >`select id, email from accounts order by email limit 1`;
  return { accountId: row?.id ?? '', email: row?.email };
});
serve(app, broken.writes, async ({ body }) => {
  if (body.title.length > 4) await sql`update profiles set bio = bio || 'x'`;
  throw new Problem('post_not_found');
});
serve(app, broken.missingAccess, async () => done);
serve(app, broken.works, async () => done);

answerFuzzer();
await app.listen({ port: config.port, host: '127.0.0.1' });
console.log(`The broken server is ready at ${config.port}`);
