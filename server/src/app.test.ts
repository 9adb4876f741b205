import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { account, accountAliases, accounts as accountCalls } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import { type Call, readReply } from '@tara/contract/calls';
import { stages } from '@tara/contract/interactions/stages';
import { timeZone } from '@tara/contract/limits';
import { eachAboutText } from '@tara/contract/members/profiles';
import { fillPath } from '@tara/contract/url';
import { describe, expect, vi } from 'vitest';
import { z } from 'zod';
import { runAdmin } from './admin.ts';
import { connect } from './platform/database/connect.ts';
import { startTest } from './testing/process.ts';
import { hasOlderPostgres, startOlderPostgres } from './testing/services/postgres.ts';
import { startServer } from './testing/start.ts';

const everyCall = Object.entries(allCalls).flatMap(([table, calls]) =>
  Object.entries(calls).map(([name, call]) => [`${table}.${name}`, call] as const),
);

/** What is looked at of the reference document. */
const Reference = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), summary: z.string() })),
  ),
});

const Opened = z.object({ secret: z.string(), $id: z.string(), type: z.string().optional() });
const Hit = z.object({ id: z.string(), caption: z.string() });
const about = {
  ...eachAboutText(() => ''),
  birthDate: '2000-01-01',
};

/** A first start that ends as by a power cut while the demo world is filled. */
async function cutOffStart(databaseUrl: string, dataDir: string): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'ignore' });
  const journal = () => readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => '');
  while (!(await journal()).includes('account')) {
    if (child.exitCode !== null) throw new Error('The server ended before it filled the demo world.');
    await setTimeout(20);
  }
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Tests of one server with the demo world, which is filled by a second start. */
const test = startTest
  .extend('server', { scope: 'file' }, async ({ connection, dataDir }, { onCleanup }) => {
    await cutOffStart(connection.url, dataDir);
    // Somebody signs in while the demo world is being filled.
    await connection.sql`insert into sessions (id, account_id, secret_hash, ip, expires_at)
      select 'of-a-visitor', id, '\\x00', '127.0.0.1', now() + interval '1 day' from accounts where demo limit 1`;
    const server = await startServer({ DATABASE_URL: connection.url, DATA_DIR: dataDir });
    onCleanup(async () => void (await server.stop()));
    return server;
  })
  .extend(
    'ask',
    { scope: 'file' },
    ({ server }) =>
      (path: string, init?: RequestInit) =>
        fetch(`${server.url}${path}`, init),
  )
  .extend('counts', { scope: 'file' }, ({ server: _, connection }) => async (sql = connection.sql) => {
    const [row] = await sql`select
      (select count(*) from accounts) accounts, (select count(*) from profiles) profiles,
      (select count(*) from posts) posts, (select count(*) from plans) plans,
      (select count(*) from interactions) interactions, (select count(*) from messages where user_id is not null) messages,
      (select count(*) from verifications) verifications, (select count(*) from reviews) reviews,
      (select count(*) from ledger_transfers) transfers, (select count(*) from files) files`;
    return { ...row };
  });

const json = { 'content-type': 'application/json' };

/** ms for the first test, which waits for two starts. */
const startTimeoutMs = 240_000;

describe('every call of the contract', () => {
  test.for(everyCall)(
    '%s is answered by the running server',
    { timeout: startTimeoutMs },
    async ([, call], { ask }) => {
      // Nobody is signed in and nothing is sent: a call refuses that with its own error, an unknown address with
      // another.
      const path = fillPath(call.path, () => 'x');
      const unbound = await ask(`${path}/nothing/here`, { method: call.method });
      expect(await unbound.json()).toMatchObject({ type: 'general_route_not_found' });
      // Without an error in what is sent, this one would add a member to the demo world.
      const sent = call === account.createAnonymousSession ? { body: '{', headers: json } : {};
      const answer = await ask(path, { method: call.method, redirect: 'manual', ...sent });
      const body = answer.status === 204 ? '' : await answer.text();
      expect(body).not.toContain('general_route_not_found');
      expect(answer.status).toBeLessThan(500);
      if (call.access !== 'anyone') expect(answer.status).toBe(401);
    },
  );

  test('of the sensitive ones refuses a session whose password is not recent (threat-stolen-sessions)', async ({
    connection,
    ask,
    server: _,
  }) => {
    const { accounts } = readReply(accountCalls.demo, await (await ask('/api/account/demo')).json());
    const admin = accounts.find(({ email }) => email.startsWith('admin')) ?? accounts[0];
    const signIn = await ask('/v1/account/sessions/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: admin?.email, password: admin?.password }),
    });
    const { secret, $id } = Opened.parse(await signIn.json());
    await connection.sql`update accounts set labels = '{admin}' where email = ${admin?.email ?? ''}`;
    await connection.sql`update sessions set password_shown_at = now() - interval '15 minutes 1 second' where id = ${$id}`;
    const headers = { 'x-appwrite-session': secret, 'content-type': 'application/json' };
    /** Calls that need it for some input, with such input. */
    const sometimes: Record<string, object> = {
      'profiles.updateAbout': { ...about, phoneNumber: '09170000001' },
    };
    const sensitive = everyCall.filter(([, call]) => call.recentPassword !== null);
    const refusals = await Promise.all(
      sensitive.map(async ([name, call]) => {
        const answer = await ask(
          fillPath(call.path, () => 'x'),
          {
            method: call.method,
            headers,
            ...(call.method === 'GET' ? {} : { body: JSON.stringify(sometimes[name] ?? {}) }),
          },
        );
        return [name, answer.status, Opened.partial().parse(await answer.json()).type];
      }),
    );
    expect(sensitive.length).toBeGreaterThan(3);
    expect(refusals).toEqual(sensitive.map(([name]) => [name, 403, 'user_recent_password_required']));
  });

  test('is on the reference page, and nothing else is', async ({ ask }) => {
    const { paths } = Reference.parse(await (await ask('/docs/openapi.json')).json());
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
    );
    const listed = operations.map(
      ({ operationId, method, path }) => `${operationId} ${method.toUpperCase()} ${path}`,
    );
    const line = (name: string, { method, path }: Pick<Call, 'method' | 'path'>) =>
      `${name} ${method} ${fillPath(path, (parameter) => `{${parameter}}`)}`;
    const lines = [
      ...everyCall.map(([name, call]) => line(name, call)),
      line('avatars.initials', { method: 'GET', path: '/v1/avatars/initials' }),
      line('realtime.connect', { method: 'GET', path: '/v1/realtime' }),
    ];
    const aliases = accountAliases.map(({ call, path }) =>
      line(`account.${call}.alias`, { method: account[call].method, path }),
    );
    // A route that is bound without a call of the contract has no summary.
    expect(operations.filter(({ summary }) => summary === '')).toEqual([]);
    expect(listed.filter((one) => !/^\S+\.alias /.test(one)).sort()).toEqual(lines.sort());
    expect(listed).toEqual(expect.arrayContaining(aliases));
    expect((await ask('/docs')).status).toBe(200);
  });
});

test('stands in for mail and payment by itself when neither is configured', async ({ server, ask }) => {
  expect(server.output().out).toMatch(/^loaded .*sandbox/m);
  expect((await ask('/mailbox/')).status).toBe(200);
  expect((await ask('/sandbox/v1/payments')).status).toBe(401);
});

describe('the demo world', () => {
  test('has members in every state (§4)', async ({ connection, server: _ }) => {
    const [row] = await connection.sql`select
      count(*) filter (where 'admin' = any(labels)) > 0 as admin,
      count(*) filter (where verified) > 0 as verified,
      count(*) filter (where verified is null and sent_verified_req) > 0 as waiting,
      count(*) filter (where verified is null and not sent_verified_req) > 0 as "not verified",
      count(*) filter (where not demo) as others
      from accounts join profiles on account_id = accounts.id`;
    expect(row).toEqual({ admin: true, verified: true, waiting: true, 'not verified': true, others: 0 });
  });

  test('has requests in every state (§4)', async ({ connection, server: _ }) => {
    const rows = await connection.sql<{ state: string }[]>`select distinct concat_ws(' ',
      case when paid_at is not null then 'paid' end, case when accepted_at is not null then 'accepted' end,
      case when user_set_done_at is not null then 'fulfilled' end,
      case when admin_set_done_at is not null then 'confirmed' end,
      case when review_submitted then 'reviewed' end) as state from interactions`;
    expect(rows.map(({ state }) => state).sort()).toEqual([
      '',
      'accepted',
      'paid',
      'paid accepted',
      'paid accepted fulfilled',
      'paid accepted fulfilled confirmed',
      'paid accepted fulfilled confirmed reviewed',
    ]);
  });

  test('notifies of what happened when it happened, and leaves a few to be seen', async ({
    connection,
    server: _,
  }) => {
    const [row] = await connection.sql`select
      count(*) filter (where read_at is not null) > 20 as seen,
      count(*) filter (where read_at is null and created_at < now() - interval '25 hours')::int as "long unseen",
      count(*) filter (where event in ('requested', 'confirmed', 'review') and created_at > now() - interval '5 minutes')::int as new
      from notifications where in_app`;
    expect(row).toEqual({ seen: true, 'long unseen': 0, new: 0 });
    const [jobs] =
      await connection.sql`select count(*)::int from graphile_worker.jobs where task_identifier like '%notifyLikes'`;
    expect(jobs).toEqual({ count: 0 });
    const unseen = await connection.sql<{ count: number }[]>`
      select count(*)::int from notifications where in_app and read_at is null group by profile_id`;
    expect(Math.max(...unseen.map(({ count }) => count))).toBeLessThanOrEqual(9);
  });

  test('has a request in every stage', async ({ connection, server: _ }) => {
    const rows = await connection.sql<{ stage: string }[]>`select distinct stage from interactions`;
    expect(rows.map(({ stage }) => stage).sort()).toEqual([...stages].sort());
  });

  test('has requests that meet when and where their plans say', async ({ connection, server: _ }) => {
    const rows = await connection.sql<
      { stage: string; time: string; place: string; planPlace: string; begins: string }[]
    >`
      select stage, plans.time, interactions.place, plans.place as "planPlace",
        to_char(meets_at at time zone ${timeZone}, 'FMHH12') as begins
      from interactions join plans on plans.id = plan_id where meets_at is not null`;
    expect(rows.map(({ stage }) => stage).sort()).toEqual([
      'accepted',
      'paid',
      'ready',
      'ready',
      'requested',
    ]);
    for (const { time, place, planPlace, begins } of rows) {
      expect(place).toBe(planPlace);
      expect(time).toMatch(new RegExp(`^${begins}(am)?-`));
    }
  });

  test('has as much of everything after a start that was cut off as it is to have', async ({
    counts,
    dataDir,
  }) => {
    const { accounts, posts, plans, interactions, messages, reviews, verifications } = await counts();
    expect({ accounts, posts, plans, interactions, messages, reviews, verifications }).toEqual({
      ...{ accounts: 12, posts: 12, plans: 6, interactions: 16 },
      ...{ messages: 50, reviews: 7, verifications: 8 },
    });
    expect(await readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => 'gone')).toBe('gone');
  });

  test('has a creator with reviews and meetings, and nothing unread in chats of what is over', async ({
    connection,
    server: _,
  }) => {
    const [row] = await connection.sql`select total_reviews as reviews, total_interaction as meetings
      from profiles where username = 'ana'`;
    expect(row).toEqual({ reviews: 6, meetings: 6 });
    const unread = await connection.sql`select receipts.id from chat_entries
      join receipts on receipts.id = chat_id join interactions on interactions.id = interaction_id
      where stage = 'completed' and incoming > incoming_read`;
    expect([...unread]).toEqual([]);
  });

  test('shows guests a portrait of each account that stands first, and of nothing else', async ({ ask }) => {
    const { accounts } = readReply(accountCalls.demo, await (await ask('/api/account/demo')).json());
    expect(accounts.slice(0, 4).map(({ email }) => email.split('@')[0])).toEqual([
      'ana',
      'ben',
      'tala',
      'rico',
    ]);
    for (const { portrait } of accounts.slice(0, 4)) {
      const answer = await ask(portrait ?? '');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect(await answer.text()).toContain('<svg');
    }
    expect(accounts.slice(4).map(({ portrait }) => portrait)).toEqual(accounts.slice(4).map(() => null));
    for (const key of ['nobody', '..%2fid-back', 'ana.svg'])
      expect((await ask(`/demo/portrait/${key}`)).status).toBe(404);
  });

  test('has a ledger that adds up: held for what is paid and not completed, nothing owed', async ({
    connection,
    server: _,
  }) => {
    const [sums] = await connection.sql`select coalesce(sum(amount), 0)::int as total,
      coalesce(sum(amount) filter (where account in ('cash', 'fees', 'tax_withheld', 'paid_out')), 0)::int as ours
      from ledger_entries`;
    const held = await connection.sql<{ stage: string; price: number; held: number; kinds: string }[]>`
      select stage, price_centavos::int as price,
        coalesce((select -sum(amount) from ledger_entries where account = 'escrow' and owner = interactions.id), 0)::int as held,
        coalesce((select string_agg(kind, ' ' order by id) from ledger_transfers
          where interaction_id = interactions.id), '') as kinds
      from interactions where price_centavos > 0`;
    const owed = await connection.sql`select owner from ledger_entries where account = 'payable'
      group by owner having sum(amount) <> 0`;
    const isHeld = (stage: string) => ['paid', 'ready', 'fulfilled', 'disputed'].includes(stage);
    const transferKinds = (stage: string) =>
      stage === 'completed' ? 'capture release payout' : isHeld(stage) ? 'capture' : '';
    for (const row of held) {
      expect(row).toMatchObject({ held: isHeld(row.stage) ? row.price : 0, kinds: transferKinds(row.stage) });
    }
    const totalHeld = held.reduce((sum, row) => sum + row.held, 0);
    expect(totalHeld).toBeGreaterThan(0);
    expect(sums).toEqual({ total: 0, ours: totalHeld });
    expect(owed).toEqual([]);
  });

  test('has ages in the order of what happened, in states that still only move forward', async ({
    connection,
    server: _,
  }) => {
    const [row] = await connection.sql`select bool_and(created_at < least(paid_at, accepted_at, cancelled_at)
        or stage = 'requested') as sent, bool_and(user_set_done_at > greatest(paid_at, accepted_at)) as fulfilled,
        bool_and(completed_at > user_set_done_at) as completed, bool_and(paid_out_at > completed_at) as "paid out",
        bool_and(updated_at <= now() and updated_at >= greatest(created_at, paid_at, paid_out_at)) as updated,
        min(created_at) < now() - interval '10 days' as old
      from interactions where price_centavos > 0`;
    expect(row).toEqual({
      sent: true,
      fulfilled: true,
      completed: true,
      'paid out': true,
      updated: true,
      old: true,
    });
    const [chats] = await connection.sql`select bool_and(messages.created_at > paid_at) as after_payment
      from messages join receipts on receipts.id = chat_id join interactions on interactions.id = interaction_id`;
    expect(chats).toEqual({ after_payment: true });
    const change = connection.sql`update interactions set paid_at = now() where paid_at is not null`;
    await expect(change).rejects.toThrow('a state of a request is never taken back');
  });

  test('has members who confirmed their email and are signed out', async ({ connection, server: _ }) => {
    const [row] = await connection.sql`select
      (select count(*) from accounts where email_verified_at is null) as unconfirmed,
      (select count(*) from sessions where ip = '192.0.2.1') as sessions`;
    expect(row).toEqual({ unconfirmed: 0, sessions: 0 });
  });

  test('does not sign out who signed in while it was being filled', async ({ connection, server: _ }) => {
    expect(await connection.sql`select from sessions where id = 'of-a-visitor'`).toHaveLength(1);
  });

  test('offers its accounts on the sign-in page, and their password opens them', async ({ ask }) => {
    const { accounts, isFilling } = readReply(
      accountCalls.demo,
      await (await ask('/api/account/demo')).json(),
    );
    expect(isFilling).toBe(false);
    expect(accounts.length).toBeGreaterThan(3);
    const answer = await ask('/v1/account/sessions/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: accounts[0]?.email, password: accounts[0]?.password }),
    });
    expect(answer.status).toBe(201);
  });

  test.skipIf(!hasOlderPostgres)(
    'goes on in a Postgres of its own, into which it was moved',
    async ({ ask, connection, counts, dataDir, server, onTestFinished }) => {
      const { accounts } = readReply(accountCalls.demo, await (await ask('/api/account/demo')).json());
      const signIn = await ask('/v1/account/sessions/email', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: accounts[0]?.email, password: accounts[0]?.password }),
      });
      const headers = { 'x-appwrite-session': Opened.parse(await signIn.json()).secret };
      const find = async (url: string | null) => {
        const answer = await fetch(`${url}/api/post/search?search=sea`, { headers });
        return z.object({ items: z.array(Hit) }).parse(await answer.json()).items;
      };
      const hits = await find(server.url);
      const before = await counts();
      await server.stop();
      const older = await startOlderPostgres();
      onTestFinished(() => older.stop());
      await older.run('postgres', 'create role tara login', 'create database tara owner tara');
      const target = older.url('tara', 'tara');
      vi.stubEnv('DATABASE_URL', connection.url);
      const output: string[] = [];
      const code = await runAdmin(['database', 'move', target], (text) => void output.push(text));
      const last = expect.stringContaining(
        'counts, checksums and the ledger are the same on both sides.\nWhat',
      );
      expect([code, output.at(-1)]).toEqual([0, last]);
      const moved = await startServer({ DATABASE_URL: target, DATA_DIR: dataDir });
      onTestFinished(async () => void (await moved.stop()));
      expect(hits.length).toBeGreaterThan(0);
      expect(await find(moved.url)).toEqual(hits);
      const { sql, close } = connect(target, { size: 1 });
      expect(await counts(sql)).toEqual(before);
      await close();
    },
  );

  test('is filled once and not again by the next start', async ({ server, start, counts }) => {
    const before = await counts();
    expect((await server.stop()).code).toBe(0);
    const again = await start({});
    expect(again.url).not.toBeNull();
    expect(await counts()).toEqual(before);
  });
});
