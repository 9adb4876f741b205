import { adminWork } from '@tara/contract/admin';
import type { Call } from '@tara/contract/calls';
import { conversations } from '@tara/contract/messages/conversations';
import { posts } from '@tara/contract/posts/posts';
import { expect } from 'vitest';
import { insertMember } from './testing/features/members.ts';
import { openSession, showSecondFactor } from './testing/features/sessions.ts';
import { startTest as test } from './testing/process.ts';

/** What a node may use by default; operations.md and decision 0010 name it. */
const most = 14;

test('a busy node never holds more connections than an operator is told', async ({
  start,
  connection,
  platform,
}) => {
  const admin = await insertMember(platform.database, { admin: true });
  const secret = await openSession(platform, admin.accountId);
  await showSecondFactor(platform.database, admin.accountId);
  const own = (await connection.sql`select pid from pg_stat_activity where datname = current_database()`).map(
    ({ pid }) => Number(pid),
  );
  const server = await start({}, '--empty');
  const read = async ({ path }: Call) => {
    const response = await fetch(`${server.url}${path}`, { headers: { 'x-appwrite-session': secret } });
    return response.status;
  };
  expect(await read(posts.feed)).toBe(200);
  await connection.sql`select count(graphile_worker.add_job('accounts.cleanUp', job_key => number::text))
    from generate_series(1, 20) as number`;
  const calls = [posts.feed, conversations.list, adminWork.moneyOverview];
  const busy = Array.from({ length: 30 }, () => calls.map(read)).flat();
  expect(new Set(await Promise.all(busy))).toEqual(new Set([200]));
  const open = await connection.sql<{ name: string; count: number }[]>`
    select application_name as name, count(*) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> all(${own}) group by 1`;
  const counts = Object.fromEntries(open.map(({ name, count }) => [name, count]));
  // One more of `core` listens for what commands beside the server change. Jobs are taken by connections without a name.
  const mostConnections = {
    'tara core': 4,
    'tara browsing': 3,
    'tara background': 3,
    'tara single node': 1,
    '': 3,
  };
  expect(Object.values(mostConnections).reduce((sum, count) => sum + count)).toBe(most);
  expect(Object.keys(counts).sort()).toEqual(Object.keys(mostConnections).sort());
  // A pool opens its connections when they are needed.
  for (const [name, count] of Object.entries(mostConnections))
    expect(counts[name], name).toSatisfy((open: number) => open >= 1 && open <= count);
  expect(open.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(most);
});
