import { accounts } from '@tara/contract/accounts/accounts';
import { nowDate } from '@tara/contract/clock';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import type { Task } from '../../platform/jobs/task.ts';
import { quietLog } from '../../platform/log.ts';
import { MailRefused } from '../../platform/mail/mailer.ts';
import { openMail } from '../../platform/mail/queue.ts';
import { openSealer } from '../../platform/seal.ts';
import { insertMember } from '../../testing/features/members.ts';
import { testPlatform } from '../../testing/platform.ts';
import { testServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { addAccount, signUp } from './create.ts';
import { DemoAccountsInProduction, demoPassword, refuseDemoAccounts } from './demo.ts';
import { noVisit } from './events.ts';
import { accountLimits } from './limits.ts';
import { hashPassword } from './password.ts';
import { mailRecovery } from './recovery.ts';
import { accountRoutes } from './routes.ts';
import { issueToken } from './secrets.ts';
import { changeEmail } from './settings.ts';
import { accounts as accountRows } from './tables.ts';
import { accountTasks } from './tasks.ts';
import { createVerification } from './verification.ts';

const test = serverTest((app, platform) =>
  accountRoutes(app, platform, accountLimits(platform.config.rateLimits)),
)
  /** The mails that wait in the queue, which is emptied. */
  .extend(
    'waitingMails',
    { scope: 'file' },
    ({ platform }) =>
      async () =>
        (await platform.takeJobs()).map(({ payload }) => openMail(String(payload.sealed), platform.sealer)),
  );

const helpers = { log: quietLog(), attempt: 1, maxAttempts: 1, signal: AbortSignal.timeout(60_000) };
const noMail = { send: async () => expect.unreachable('no mail is due') };

test('returns the signed-in account, with what only its owner may see, and isUserAdmin (§3-session)', async ({
  database,
  server,
}) => {
  const member = await insertMember(database, { username: 'ana', phoneNumber: '0917', admin: true });
  const { reply } = await server.call(member, accounts.session);
  expect(reply).toMatchObject({
    account: {
      id: member.accountId,
      email: member.email,
      emailVerification: true,
      isUserAdmin: true,
      secondFactor: { isSetUp: true, validUntil: expect.any(String) },
      deletesAt: null,
    },
    profile: { id: member.profileId, username: 'ana', phoneNumber: '0917', limitedPlan: 5, totalPlan: 0 },
  });
  const other = await insertMember(database);
  expect((await server.call(other, accounts.session)).reply.account.isUserAdmin).toBe(false);
  expect((await server.call(null, accounts.session)).problem.type).toBe('general_unauthorized_scope');
});

test('is open to a member who has not confirmed the email yet', async ({ database, server }) => {
  const member = await insertMember(database, { confirmed: false });
  expect((await server.call(member, accounts.session)).reply.account.emailVerification).toBe(false);
});

test('mails the confirmation again by username, answering alike for one that nobody has', async ({
  database,
  platform,
  server,
  waitingMails,
}) => {
  const username = 'Ben 1';
  const email = `${newId()}@example.com`;
  await signUp(database, { email, password: 'a long password', name: 'Ben', username }, noVisit);
  for (const name of [username, 'Nobody here']) {
    expect(
      (await server.call(null, accounts.resendVerification, { body: { username: name } })).reply,
    ).toEqual({
      status: 'ok',
    });
  }
  const tasks: Record<string, Task> = accountTasks(platform, noMail);
  for (const job of await platform.takeJobs()) await tasks[job.task]?.(job.payload, helpers);
  const mails = await waitingMails();
  expect(mails).toMatchObject([{ to: email, subject: 'Confirm your email for Tara' }]);
  expect(mails[0]?.text).toContain(`${platform.config.publicUrl}/confirming?username=Ben+1&userId=`);
});

test('a stranger who signs up with a member’s username takes none of the mails that confirm theirs (threat-codes-and-links)', async ({
  database,
  platform,
  server,
  waitingMails,
}) => {
  const username = 'Many Ben';
  // One more than are mailed to in one transaction.
  const emails = Array.from({ length: 101 }, (_, count) => `many-${count}@example.com`);
  await Promise.all(emails.map((email) => insertMember(database, { email, username, confirmed: false })));
  const without = { email: null };
  const closed = { blockedAt: nowDate() };
  for (const change of [without, closed]) {
    const { accountId } = await insertMember(database, { username, confirmed: false });
    await database.update(accountRows).set(change).where(eq(accountRows.id, accountId));
  }
  await server.call(null, accounts.resendVerification, { body: { username: 'many ben' } });
  const tasks: Record<string, Task> = accountTasks(platform, noMail);
  for (const job of await platform.takeJobs()) await tasks[job.task]?.(job.payload, helpers);
  const receivers = (await waitingMails()).map(({ to }) => to);
  expect(receivers.toSorted()).toEqual(emails.toSorted());
});

test('with a session the confirmation goes to its account alone, and strangers use up none of its tries', async ({
  database,
  platform,
  waitingMails,
}) => {
  const strict = testPlatform(database, { RATE_LIMITS: 'on' });
  const limited = await testServer(strict, (app) => accountRoutes(app, strict, accountLimits(true)));
  const username = 'Shared name';
  const mine = await insertMember(database, { username, confirmed: false });
  await insertMember(database, { username, confirmed: false });
  const tasks: Record<string, Task> = accountTasks(strict, noMail);
  const resend = (who: typeof mine | null, username: string) =>
    limited.call(who, accounts.resendVerification, { body: { username: username } });
  const mailed = async () => {
    for (const job of await platform.takeJobs()) await tasks[job.task]?.(job.payload, helpers);
    return (await waitingMails()).map(({ to }) => to);
  };
  expect((await resend(null, username)).status).toBe(200);
  expect(await mailed()).toHaveLength(2);
  expect((await resend(mine, 'Another name')).status).toBe(200);
  expect(await mailed()).toEqual([mine.email]);
  expect((await resend(mine, username)).problem.type).toBe('general_rate_limit_exceeded');
  expect((await resend(mine, ' ')).problem.fields).toEqual({ username: 'Too short' });
  await limited.close();
});

test('§5 asks for a username to mail to, and mails nothing without', async ({ server, platform }) => {
  const { status, problem } = await server.call(null, accounts.resendVerification, {
    body: { username: ' ' },
  });
  expect([status, problem.fields]).toEqual([400, { username: 'Too short' }]);
  expect(await platform.takeJobs()).toEqual([]);
});

test('mails nothing to a member who has confirmed already', async ({ database, platform }) => {
  await insertMember(database, { username: 'Confirmed' });
  await accountTasks(platform, noMail)['accounts.resend']?.({ username: 'Confirmed' }, helpers);
  expect(await platform.takeJobs()).toEqual([]);
});

test('limits resending by username for known and unknown alike, and per account from wherever', async ({
  database,
  platform,
}) => {
  const strict = testPlatform(database, { RATE_LIMITS: 'on' });
  const limited = await testServer(strict, (app) =>
    accountRoutes(app, strict, accountLimits(strict.config.rateLimits)),
  );
  await insertMember(database, { username: 'Carla', confirmed: false });
  for (const username of ['Carla', 'Nobody']) {
    const again = () => limited.call(null, accounts.resendVerification, { body: { username } });
    expect((await again()).status).toBe(200);
    expect((await again()).problem.type).toBe('general_rate_limit_exceeded');
  }
  await platform.takeJobs();
  const tasks: Record<string, Task> = accountTasks(strict, noMail);
  for (const username of ['Carla', 'carla']) await tasks['accounts.resend']?.({ username }, helpers);
  expect(await platform.takeJobs()).toHaveLength(1);
  await limited.close();
});

test('whoever knows a username mails its member no more than strangers may, the last of them once', async ({
  database,
  platform,
  waitingMails,
}) => {
  const limits = accountLimits(true);
  const account = await insertMember(database, { username: 'Dora', confirmed: false });
  const { email } = account;
  for (let sent = 0; sent < 19; sent++) await limits.messagesFromStrangers.consume(email);
  const tasks: Record<string, Task> = accountTasks(platform, noMail, null, limits);
  const subjects: string[] = [];
  for (let resends = 0; resends < 2; resends++) {
    await tasks['accounts.resend']?.({ accountId: account.accountId }, helpers);
    for (const { task, payload } of await platform.takeJobs()) await tasks[task]?.(payload, helpers);
    subjects.push(...(await waitingMails()).map(({ subject }) => subject));
  }
  expect(subjects).toEqual(['Confirm your email for Tara, the last email for today']);
});

test('what is mailed to an email is counted by the one that the account has then, whatever the session knew (threat-codes-and-links)', async ({
  database,
  platform,
  waitingMails,
}) => {
  const password = 'a long password';
  const limits = accountLimits(true);
  const victim = `${newId()}@example.com`;
  for (let sent = 0; sent < 19; sent++) await limits.messagesFromStrangers.consume(victim);
  // Another session of the account changed the email since.
  const stale = { ...(await insertMember(database, { confirmed: false })), email: victim };
  await database
    .update(accountRows)
    .set({ passwordHash: await hashPassword(password, {}) })
    .where(eq(accountRows.id, stale.accountId));
  const full = { type: 'general_rate_limit_exceeded' };
  await expect(
    changeEmail(platform, stale, { email: victim, password }, noVisit, limits),
  ).rejects.toMatchObject(full);
  await database.update(accountRows).set({ email: victim }).where(eq(accountRows.id, stale.accountId));
  const url = `${platform.config.publicUrl}/confirming`;
  await expect(createVerification(platform, stale.accountId, url, noVisit, limits)).rejects.toMatchObject(
    full,
  );
  const [last, ...others] = await platform.takeJobs();
  expect([last?.task, last?.payload, others]).toMatchObject([
    'accounts.recovery',
    { email: victim, isLast: true },
    [],
  ]);
  expect(await waitingMails()).toEqual([]);
});

test('a last link whose mail could not be stored is mailed by the next try, as long as mails are tried', async ({
  connection,
  database,
  platform,
  waitingMails,
}) => {
  const { email } = await insertMember(database, {});
  const limits = accountLimits(true);
  const request = { email, url: `${platform.config.publicUrl}/reset-password`, visit: noVisit, isLast: true };
  const broken = {
    ...platform.sealer,
    seal: () => {
      throw new Error('no key');
    },
  };
  await expect(mailRecovery({ ...platform, sealer: broken }, request, limits)).rejects.toThrow('no key');
  for (const _ of [1, 2]) await mailRecovery(platform, request, limits);
  const jobs = await connection.sql`select max_attempts from graphile_worker._private_jobs`;
  expect(jobs.map(({ max_attempts: tries }) => tries)).toEqual([25]);
  expect((await waitingMails()).map(({ subject }) => subject)).toEqual(['Your way into Tara for today']);
});

test('a link of an hour is mailed by ten tries, the last one of a day by as many as any mail', async ({
  connection,
  database,
  platform,
}) => {
  await platform.takeJobs();
  const url = `${platform.config.publicUrl}/reset-password`;
  const countTries = async (confirmed: boolean, isLast: boolean) => {
    const { email } = await insertMember(database, { confirmed });
    await mailRecovery(platform, { email, url, visit: noVisit, isLast }, accountLimits(true));
    const jobs = await connection.sql`select max_attempts from graphile_worker._private_jobs`;
    await platform.takeJobs();
    return jobs.map(({ max_attempts: tries }) => tries);
  };
  expect(await countTries(true, false)).toEqual([10]);
  expect(await countTries(true, true)).toEqual([25]);
  expect(await countTries(false, true)).toEqual([25]);
});

test('escapes names in mails (threat-stored-xss)', async ({ database, platform, waitingMails }) => {
  const username = 'Script';
  await insertMember(database, { username, name: '<script>alert(1)</script>', confirmed: false });
  await accountTasks(platform, noMail)['accounts.resend']?.({ username }, helpers);
  const [mail] = await waitingMails();
  expect(mail?.html).not.toContain('<script>');
});

test('who reads the job queue finds no mailed secret, link or address (threat-leaked-secrets)', async ({
  connection,
  database,
  platform,
  waitingMails,
}) => {
  const email = `${newId()}@example.com`;
  const account = await signUp(database, { email, password: 'a long password' }, noVisit);
  const recovery = { email, url: 'http://localhost:3000/reset-password', visit: noVisit };
  await createVerification(
    platform,
    account.id,
    'http://localhost:3000/confirming',
    noVisit,
    accountLimits(false),
  );
  await mailRecovery(platform, recovery, accountLimits(false));
  const rows =
    await connection.sql`select jobs.*, payload::text as text from graphile_worker._private_jobs jobs`;
  expect(rows).toHaveLength(2);
  const waiting = rows.map((row) => Object.values(row).join(' ')).join(' ');
  expect(waiting).not.toMatch(/secret|https?:|confirming|reset-password|@example/);
  const mails = await waitingMails();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [email, 'Confirm your email for Tara'],
    [email, 'Set a new password for Tara'],
  ]);
  for (const { text } of mails) {
    const secret = /secret=([\w-]{43})/.exec(text)?.[1] ?? 'none';
    expect(waiting).not.toContain(secret);
    expect(waiting).not.toContain(Buffer.from(secret).toString('base64').slice(0, 40));
  }
});

test('gives up a mail that another key encrypted, or that was changed', async ({ platform }) => {
  const mail = { to: 'a@example.com', subject: 's', text: 't', html: 'h' };
  const send = accountTasks(platform, noMail)['accounts.mail'];
  const other = openSealer(Buffer.alloc(32, 8)).seal('mail in the job queue', mail);
  const changed = platform.sealer
    .seal('mail in the job queue', mail)
    .replace(/^./, (first) => (first === 'A' ? 'Q' : 'A'));
  for (const sealed of [other, changed, platform.sealer.seal('another purpose', mail), '']) {
    await expect(send?.({ sealed }, helpers)).resolves.toBeUndefined();
  }
});

test('gives up a text that another key encrypted, and any text where nothing sends them', async ({
  platform,
}) => {
  const sms = { to: '+639171234567', text: '123456' };
  const noSms = { send: async () => expect.unreachable('no text is due') };
  const send = accountTasks(platform, noMail, noSms)['accounts.sms'];
  const other = openSealer(Buffer.alloc(32, 8)).seal('phone code', sms);
  for (const sealed of [other, platform.sealer.seal('another purpose', sms), ''])
    await expect(send?.({ sealed }, helpers)).resolves.toBeUndefined();
  const sendNothing = accountTasks(platform, noMail)['accounts.sms'];
  const sealed = platform.sealer.seal('phone code', sms);
  await expect(sendNothing?.({ sealed }, helpers)).resolves.toBeUndefined();
});

test('gives up a mail that can never arrive, and tries any other again', async ({ platform }) => {
  const mail = { to: 'a@example.com', subject: 's', text: 't', html: 'h' };
  const sealed = platform.sealer.seal('mail in the job queue', mail);
  const failing = (error: Error) =>
    accountTasks(platform, {
      send: async () => {
        throw error;
      },
    })['accounts.mail']?.({ sealed }, helpers);
  await expect(failing(new MailRefused('no such mailbox'))).resolves.toBeUndefined();
  await expect(failing(new Error('away'))).rejects.toThrow('The mail was not sent');
});

test('removes secrets, sessions and sign-ins under way whose time is over', async ({
  connection,
  database,
  platform,
}) => {
  const { accountId } = await insertMember(database);
  await database.transaction((transaction) => issueToken(transaction, accountId, 'recovery'));
  await connection.sql`update tokens set expires_at = now() - interval '1 s' where account_id = ${accountId}`;
  for (const [hash, expiry] of [
    ['old', '-1 s'],
    ['new', '1 h'],
  ] as const)
    await connection.sql`
      insert into oauth_states (state_hash, browser_hash, provider, sealed, result, success_url, failure_url, expires_at)
      values (${hash}, 'x', 'oidc', '', 'session', '', '', now() + ${expiry}::interval)`;
  await accountTasks(platform, noMail)['accounts.cleanUp']?.({}, helpers);
  const states = await connection.sql`select convert_from(state_hash, 'utf8') as hash from oauth_states`;
  expect(states.map(({ hash }) => hash)).toEqual(['new']);
  expect(await connection.sql`select 1 from tokens where account_id = ${accountId}`).toHaveLength(0);
});

test('keeps neither secret nor password in the database (threat-stolen-sessions)', async ({
  connection,
  database,
}) => {
  const secret = 'a very special password';
  await signUp(database, { email: `${newId()}@example.com`, password: secret }, noVisit);
  const [row] = await connection.sql`select password_hash from accounts order by created_at desc limit 1`;
  expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
});

test('offers the demo world where there is one, and keeps it out of production', async ({
  connection,
  database,
  platform,
  server,
}) => {
  await expect(refuseDemoAccounts(database)).resolves.toBeUndefined();
  const email = `${newId()}@example.com`;
  await database.transaction((transaction) =>
    addAccount(transaction, { email, name: 'Dan', passwordHash: 'none', labels: ['admin'] }),
  );
  await connection.sql`update accounts set demo = true where email = ${email}`;
  expect((await server.call(null, accounts.demo)).reply.accounts).toEqual([]);
  const withDemo = { ...platform, config: { ...platform.config, empty: false } };
  const demo = await testServer(withDemo, (app) =>
    accountRoutes(app, withDemo, accountLimits(withDemo.config.rateLimits)),
  );
  expect((await demo.call(null, accounts.demo)).reply.accounts).toEqual([
    { name: 'Dan', email, password: demoPassword, about: 'Admin', portrait: null, code: null },
  ]);
  await database.transaction((transaction) =>
    addAccount(transaction, { email: 'ben@demo.tara', name: 'Ben', passwordHash: 'none' }),
  );
  await connection.sql`update accounts set demo = true where email = 'ben@demo.tara'`;
  const [first, second] = (await demo.call(null, accounts.demo)).reply.accounts;
  expect(first).toMatchObject({
    name: 'Ben',
    about: expect.stringMatching(/^Requests plans/),
    portrait: '/demo/portrait/ben',
  });
  expect(second).toMatchObject({ name: 'Dan' });
  await demo.close();
  await expect(refuseDemoAccounts(database)).rejects.toThrow(DemoAccountsInProduction);
});
