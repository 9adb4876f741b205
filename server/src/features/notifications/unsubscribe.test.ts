import { nowDate } from '@tara/contract/clock';
import { notificationSettings as settingCalls } from '@tara/contract/notifications/settings';
import { unsubscribe as calls } from '@tara/contract/notifications/unsubscribe';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { takeMails } from '../../testing/features/mails.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { serverTest } from '../../testing/test.ts';
import { accounts } from '../accounts/index.ts';
import { type NotifyArgs, notify } from './notify.ts';
import { notificationRoutes } from './routes.ts';
import { notificationSettings, notifications } from './tables.ts';
import { notificationTasks } from './tasks.ts';

const test = serverTest((app, platform) => notificationRoutes(app, platform))
  .extend('ana', ({ database }) => insertMember(database, { name: 'Ana', verified: true }))
  .extend('ben', ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend('interactionId', async ({ database, ana, ben }) => {
    const planId = await insertPlan(database, ana);
    const state = { planTitle: 'Coffee', priceCentavos: 250_00, paidAt: nowDate() };
    return insertInteraction(database, { creator: ana, client: ben, planId }, state);
  })
  /** Notifies of something; returns the emails. */
  .extend('mail', ({ database, platform }) => async (args: NotifyArgs) => {
    await database.transaction((transaction) => notify(transaction, args));
    return takeMails(platform);
  })
  .extend('emailsOff', ({ server }) => async (who: Member) => {
    const { choices } = (await server.call(who, settingCalls.get)).reply;
    return choices.flatMap(({ group, channel, isOn }) => (channel === 'email' && !isOn ? [group] : []));
  });

const tokenOf = (url: string | undefined) => url?.split('/').at(-1) ?? '';
/** What a mail program sends (RFC 8058), and what a page may send by itself. */
const oneClick = {
  method: 'POST',
  // Some are pages, or parts of one.
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://mail.example.org',
    'sec-fetch-site': 'cross-site',
  },
  payload: 'List-Unsubscribe=One-Click',
} as const;

test('one click in the mail program ends the emails of a group, without signing in or being signed in by it (threat-unsubscribe-links)', async ({
  server,
  platform,
  ben,
  ana,
  interactionId,
  mail,
  emailsOff,
}) => {
  const [sent] = await mail({ event: 'accepted', interactionId, to: ['client'] });
  const { publicUrl } = platform.config;
  expect(sent?.unsubscribeUrl).toMatch(new RegExp(`^${publicUrl}/api/unsubscribe/[\\w-]{60,}$`));
  const url = sent?.unsubscribeUrl?.slice(publicUrl.length) ?? '';
  for (let times = 0; times < 2; times += 1) {
    const answer = await server.request(null, { ...oneClick, url });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
  }
  expect(await emailsOff(ben)).toEqual(['plans']);
  expect(await emailsOff(ana)).toEqual([]);
  expect(await mail({ event: 'creatorMet', interactionId, to: ['client'] })).toEqual([]);
  expect(await mail({ event: 'refunded', interactionId, to: ['client'] })).toHaveLength(1);
});

test('a form of several parts, as other mail programs send it, is taken as well', async ({
  server,
  platform,
  ben,
  interactionId,
  mail,
  emailsOff,
}) => {
  const [sent] = await mail({ event: 'accepted', interactionId, to: ['client'] });
  const payload =
    '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  const url = sent?.unsubscribeUrl?.slice(platform.config.publicUrl.length) ?? '';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await server.request(null, { method: 'POST', url, headers, payload })).statusCode).toBe(200);
  expect(await emailsOff(ben)).toEqual(['plans']);
});

test('opening the link changes nothing: it leads to a page that says what it would end', async ({
  server,
  platform,
  ben,
  interactionId,
  mail,
  emailsOff,
}) => {
  const [sent] = await mail({ event: 'accepted', interactionId, to: ['client'] });
  const token = tokenOf(sent?.unsubscribeUrl);
  const page = `${platform.config.publicUrl}/unsubscribe/${token}`;
  expect(sent?.text).toContain(`Stop emails about plans: ${page}`);
  const { status, headers } = await server.call(null, calls.open, { params: { token } });
  expect([status, headers.location, headers['set-cookie']]).toEqual([302, page, undefined]);
  expect((await server.call(null, calls.topics, { params: { token } })).reply).toEqual({ topics: ['plans'] });
  expect(await emailsOff(ben)).toEqual([]);
});

test('a token that the server did not seal ends nothing (threat-unsubscribe-links)', async ({
  server,
  platform,
  ben,
  emailsOff,
}) => {
  const other = platform.sealer.seal('mail in the job queue', [ben.profileId, 'plans']);
  const plain = Buffer.from(JSON.stringify([ben.profileId, 'plans'])).toString('base64url');
  for (const token of [other, plain, ben.profileId, 'x']) {
    for (const call of [calls.confirm, calls.topics])
      expect((await server.call(null, call, { params: { token } })).problem.type).toBe(
        'unsubscribe_link_not_found',
      );
  }
  expect(await emailsOff(ben)).toEqual([]);
});

test('the link of the daily email ends that email alone', async ({
  database,
  server,
  platform,
  ana,
  ben,
  emailsOff,
}) => {
  await database.insert(notifications).values({
    ...{ profileId: ana.profileId, event: 'review', groupName: 'posts', inApp: true, recordId: 'r1' },
    ...{ actorId: ben.profileId, details: { title: 'Coffee' } },
  });
  await notificationTasks(platform)['notifications.mailDaily']({ profileId: ana.profileId }, {} as never);
  const [sent] = await takeMails(platform);
  const token = tokenOf(sent?.unsubscribeUrl);
  expect(sent?.text).toContain('Stop the daily email: ');
  expect((await server.call(null, calls.confirm, { params: { token } })).status).toBe(200);
  expect((await server.call(ana, settingCalls.get)).reply.dailyEmail).toBe(false);
  expect(await emailsOff(ana)).toEqual([]);
});

test('no link of an email signs anybody in, and none ends what is about security, money or safety (threat-unsubscribe-links)', async ({
  platform,
  ana,
  ben,
  interactionId,
  mail,
}) => {
  const sent = [
    ...(await mail({ event: 'accepted', interactionId, to: ['client'] })),
    ...(await mail({ event: 'paidOut', interactionId, to: ['creator'] })),
    ...(await mail({ event: 'signedIn', to: { accountId: ben.accountId } })),
    ...(await mail({ event: 'verificationAccepted', to: { accountId: ana.accountId } })),
  ];
  expect(sent.map(({ unsubscribeUrl }) => unsubscribeUrl !== undefined)).toEqual([true, false, false, false]);
  const { publicUrl } = platform.config;
  const links = sent.flatMap(({ text }) => text.match(/https?:\S+/g) ?? []);
  // Pages alone, which ask for a session, and the one link that ends emails.
  for (const link of links)
    expect(link.slice(publicUrl.length)).toMatch(/^\/(unsubscribe\/[\w-]+|[\w/?=-]+)$/);
  expect(links.filter((link) => /secret|token|userId/i.test(link))).toEqual([]);
  expect(sent.slice(1).flatMap(({ text }) => text.match(/unsubscribe/g) ?? [])).toEqual([]);
});

test('the link of a member who left writes nothing', async ({
  database,
  server,
  platform,
  ben,
  interactionId,
  mail,
}) => {
  const [sent] = await mail({ event: 'accepted', interactionId, to: ['client'] });
  await database.update(accounts).set({ deletedAt: sql`now()` }).where(eq(accounts.id, ben.accountId));
  const url = sent?.unsubscribeUrl?.slice(platform.config.publicUrl.length) ?? '';
  expect((await server.request(null, { ...oneClick, url })).statusCode).toBe(200);
  const isBens = eq(notificationSettings.profileId, ben.profileId);
  expect(await database.$count(notificationSettings, isBens)).toBe(0);
});
