import { accounts as accountCalls } from '@tara/contract/accounts/accounts';
import { allCalls } from '@tara/contract/all';
import { nowDate, nowMs } from '@tara/contract/clock';
import { blocks } from '@tara/contract/members/blocks';
import { reports } from '@tara/contract/members/reports';
import { posts as postCalls } from '@tara/contract/posts/posts';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { admit } from '../../platform/http/serve.ts';
import { newId } from '../../platform/ids.ts';
import { insertCapture } from '../../testing/features/captures.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { reportTest } from '../../testing/features/reports.ts';
import { accounts } from '../accounts/index.ts';
import { sessions } from '../accounts/tables.ts';
import { auditLog } from '../audit/tables.ts';
import { interactions } from '../interactions/index.ts';
import { notifications, notify } from '../notifications/index.ts';
import { disbursements } from '../payments/index.ts';
import { posts } from '../posts/index.ts';
import { reports as rows } from './tables.ts';

const test = reportTest();

describe('a decision', () => {
  test('removes the record once, and is written to the audit log (threat-rule-breakers)', async ({
    database,
    server,
    admin,
    members,
    publish,
    report,
  }) => {
    const { ana, ben } = await members();
    const postId = await publish(ben);
    const id = await report(ana, 'post', postId);
    const other = await insertMember(database, { admin: true });
    const body = { id, decision: 'remove' };
    const answers = await Promise.all(
      [admin, other].map((who) => server.call(who, reports.decide, { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await database.$count(posts, eq(posts.id, postId))).toBe(0);
    const [entry] = await database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `report:${id}`));
    expect(entry).toMatchObject({ action: 'report.remove', after: { memberId: ben.profileId } });
    const { items } = (await server.call(admin, reports.open)).reply;
    expect(items.map((item) => item.id)).not.toContain(id);
  });

  test('is never made about one’s own report, or about oneself (threat-rule-breakers)', async ({
    database,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    const about = await report(ana, 'member', admin.profileId);
    const by = await report(admin, 'member', ben.profileId);
    for (const id of [about, by]) {
      const { problem } = await server.call(admin, reports.decide, { body: { id, decision: 'dismiss' } });
      expect(problem.type).toBe('admin_own_record');
      expect(await database.$count(rows, sql`${rows.id} = ${id} and ${rows.decidedAt} is null`)).toBe(1);
    }
  });

  test.for([
    ['an unknown decision', { decision: 'praise' }, 'general_argument_invalid'],
    ['a suspension without days', { decision: 'suspend' }, 'general_argument_invalid'],
    ['a suspension for no day', { decision: 'suspend', days: 0 }, 'general_argument_invalid'],
    ['a suspension for half a day', { decision: 'suspend', days: 0.5 }, 'general_argument_invalid'],
    ['a suspension for ever', { decision: 'suspend', days: 366 }, 'general_argument_invalid'],
    ['a ban with days', { decision: 'ban', days: 3 }, 'general_argument_invalid'],
    ['a warning without words', { decision: 'warn', note: ' ' }, 'general_argument_invalid'],
    ['the removal of a profile', { decision: 'remove' }, 'report_not_possible'],
    ['an unknown report', { id: 'nothing', decision: 'dismiss' }, 'report_not_found'],
  ] as const)(
    '%s is refused and changes nothing',
    async ([, part, type], { database, server, admin, members, report }) => {
      const { ana, ben } = await members();
      const id = await report(ana, 'member', ben.profileId);
      const answer = await server.call(admin, reports.decide, { body: { id, ...part } });
      expect(answer.problem.type).toBe(type);
      const [account] = await database.select().from(accounts).where(eq(accounts.id, ben.accountId));
      expect(account).toMatchObject({ blockedAt: null, suspendedUntil: null, warning: null });
      const memberAnswer = await server.call(ana, reports.decide, { body: { id, decision: 'ban' } });
      expect(memberAnswer.problem.type).toBe('admin_only');
    },
  );

  test('warns a member, who sees it until they say so', async ({
    database,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    await database.transaction((transaction) =>
      notify(transaction, {
        ...{ event: 'messageRequest', to: { profileId: ana.profileId }, recordId: newId() },
        actorId: ben.profileId,
      }),
    );
    const id = await report(ana, 'member', ben.profileId);
    const body = { id, decision: 'warn', note: 'Please be kind.' };
    await server.call(admin, reports.decide, { body });
    const warning = async () => (await server.call(ben, accountCalls.session)).reply.account.warning;
    expect(await warning()).toBe('Please be kind.');
    await server.call(ben, accountCalls.dismissWarning);
    expect(await warning()).toBeNull();
    // What a warned member did stays in the lists of others.
    expect(await database.$count(notifications, eq(notifications.actorId, ben.profileId))).toBe(1);
  });

  test('is told to the member whom it is about, with its words and its days, and a dismissal to nobody', async ({
    database,
    server,
    admin,
    members,
    publish,
    report,
  }) => {
    const { ana, ben } = await members();
    const decide = async (body: object) =>
      expect((await server.call(admin, reports.decide, { body: body as never })).status).toBe(200);
    const reportPost = async () => report(ana, 'post', await publish(ben));
    await decide({ id: await reportPost(), decision: 'dismiss' });
    await decide({ id: await reportPost(), decision: 'remove' });
    await decide({ id: await reportPost(), decision: 'warn', note: 'Please be kind.' });
    await decide({ id: await reportPost(), decision: 'suspend', days: 7 });
    const notices = await database
      .select({ details: notifications.details })
      .from(notifications)
      .where(and(eq(notifications.profileId, ben.profileId), eq(notifications.event, 'sanctioned')))
      .orderBy(notifications.createdAt);
    expect(notices.map(({ details }) => details)).toEqual([
      expect.objectContaining({ decision: 'remove' }),
      expect.objectContaining({ decision: 'warn', note: 'Please be kind.' }),
      expect.objectContaining({ decision: 'suspend', until: expect.stringMatching(/^\d+ \w+ \d{4}/) }),
    ]);
  });

  test('is told to who reported: what was done about it, and that nothing was', async ({
    database,
    server,
    admin,
    members,
    publish,
    report,
  }) => {
    const { ana, ben } = await members();
    const decide = async (decision: object) => {
      const id = await report(ana, 'post', await publish(ben));
      const { status } = await server.call(admin, reports.decide, { body: { id, ...decision } as never });
      expect(status).toBe(200);
      const notices = await database
        .select({ event: notifications.event, details: notifications.details })
        .from(notifications)
        .where(and(eq(notifications.profileId, ana.profileId), eq(notifications.occasion, id)));
      return notices.map(({ event, details }) => `${event}: ${details.decision}`);
    };
    expect(await decide({ decision: 'dismiss' })).toEqual(['reportDecided: dismiss']);
    expect(await decide({ decision: 'remove' })).toEqual(['reportDecided: act']);
  });

  test('suspends a member, who reads and does not write until it ends', async ({
    database,
    platform,
    server,
    admin,
    members,
    publish,
    report,
  }) => {
    const { ana, ben } = await members();
    const id = await report(ana, 'post', await publish(ben));
    platform.viewersChanged.length = 0;
    await server.call(admin, reports.decide, { body: { id, decision: 'suspend', days: 7 } });
    expect(platform.viewersChanged).toEqual([ben.accountId]);
    const { problem } = await server.call(ben, postCalls.quick, { body: { caption: 'Hi' } });
    expect(problem).toMatchObject({
      type: 'user_suspended',
      code: 403,
      title: 'Your account is suspended',
      text: expect.stringMatching(/^until \d+ \w+ \d{4}/),
    });
    expect((await server.call(ben, postCalls.feed)).status).toBe(200);
    const { account } = (await server.call(ben, accountCalls.session)).reply;
    const days = (Date.parse(account.suspendedUntil ?? '') - nowMs()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(account.warning).toBeNull();
    expect((await server.call(ben, blocks.block, { body: { profileId: ana.profileId } })).status).toBe(200);
    await database
      .update(accounts)
      .set({ suspendedUntil: new Date(nowMs() - 1) })
      .where(eq(accounts.id, ben.accountId));
    expect((await server.call(ben, postCalls.quick, { body: { caption: 'Hi' } })).status).toBe(200);
  });

  test('bans a member: sessions end, no new one begins, and what they paid for is listed (threat-rule-breakers)', async ({
    database,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    const parties = { creator: ana, client: ben, planId: await insertPlan(database, ana) };
    const open = await insertInteraction(database, parties, { paidAt: nowDate() });
    await database.insert(sessions).values({
      ...{ id: newId(), accountId: ben.accountId, secretHash: Buffer.from('x') },
      expiresAt: new Date(nowMs() + 60_000),
    });
    const id = await report(ana, 'member', ben.profileId);
    await server.call(admin, reports.decide, { body: { id, decision: 'ban' } });
    expect(await database.$count(sessions, eq(sessions.accountId, ben.accountId))).toBe(0);
    const [account] = await database.select().from(accounts).where(eq(accounts.id, ben.accountId));
    expect(account?.blockedAt).not.toBeNull();
    // Not listed: unpaid, over, or between others.
    const cora = await insertMember(database);
    for (const [client, state] of [
      [ben, {}],
      [ben, { paidAt: nowDate(), cancelledAt: nowDate() }],
      [cora, { paidAt: nowDate() }],
    ] as const) {
      const planId = await insertPlan(database, ana);
      await insertInteraction(database, { creator: ana, client, planId }, state);
    }
    const { items } = (await server.call(admin, reports.bannedRequests)).reply;
    expect(items).toEqual([
      expect.objectContaining({ id: open, client: 'Ben', creator: 'Ana', banned: 'client', price: 250 }),
    ]);
    expect((await server.call(ana, reports.bannedRequests)).problem.type).toBe('admin_only');
  });

  test('a ban refunds the unfulfilled paid requests on the member’s plans, and closes the unpaid ones', async ({
    database,
    platform,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    const at = nowDate();
    const request = async (state: Parameters<typeof insertInteraction>[2], creator = ben) => {
      const parties = {
        creator,
        client: await insertMember(database),
        planId: await insertPlan(database, creator),
      };
      const id = await insertInteraction(database, parties, state);
      if (state?.paidAt) await insertCapture(database, id, 250_00);
      return id;
    };
    const paid = await request({ paidAt: at });
    const ready = await request({ paidAt: at, acceptedAt: at });
    const unpaid = await request({});
    const untouched = [
      await request({ paidAt: at, acceptedAt: at, userSetDoneAt: at }),
      await request({ paidAt: at, disputedAt: at }),
      await request({ paidAt: at, frozenAt: at }),
      await request({ paidAt: at }, ana),
    ];
    const id = await report(ana, 'member', ben.profileId);
    await server.call(admin, reports.decide, { body: { id, decision: 'ban' } });
    const readRow = async (request: string) =>
      (await database.select().from(interactions).where(eq(interactions.id, request)))[0];
    for (const request of [paid, ready]) {
      expect(await readRow(request)).toMatchObject({ cancelReason: 'removed', refundCentavos: 250_00 });
      const [refund] = await database
        .select()
        .from(disbursements)
        .where(eq(disbursements.interactionId, request));
      expect(await platform.jobs('payments.disburse')).toContainEqual({ disbursementId: refund?.id });
    }
    expect(await readRow(unpaid)).toMatchObject({ cancelReason: 'removed', refundCentavos: 0 });
    expect(await platform.jobs('payments.archiveLink')).toContainEqual({ interactionId: unpaid });
    for (const request of untouched) expect(await readRow(request)).toMatchObject({ cancelledAt: null });
    const sent = await database.select().from(notifications).where(eq(notifications.event, 'cancelled'));
    const clients = await Promise.all(
      [paid, ready, unpaid].map(async (request) => (await readRow(request))?.clientId),
    );
    expect(sent.map(({ profileId }) => profileId).sort()).toEqual(clients.sort());
    for (const { details } of sent) expect(details).toEqual({ reason: 'removed' });
  });
});

test('an open report says how often admins acted against its member before', async ({
  server,
  admin,
  members,
  publish,
  report,
}) => {
  const { ana, ben } = await members();
  for (const decision of ['dismiss', 'remove', 'remove']) {
    const id = await report(ana, 'post', await publish(ben));
    expect((await server.call(admin, reports.decide, { body: { id, decision } })).status).toBe(200);
  }
  const id = await report(ana, 'post', await publish(ben));
  const { items } = (await server.call(admin, reports.open)).reply;
  expect(items.find((item) => item.id === id)).toMatchObject({ earlierDecisions: 2 });
});

test('a report whose members are gone is listed and dismissed, and nobody is warned by it', async ({
  database,
  server,
  admin,
  members,
  publish,
  report,
}) => {
  const { ana, ben } = await members();
  const id = await report(ana, 'post', await publish(ben));
  await database.update(rows).set({ reporterId: null, memberId: null }).where(eq(rows.id, id));
  const { items } = (await server.call(admin, reports.open)).reply;
  expect(items.find((item) => item.id === id)).toMatchObject({ reporter: null, member: null });
  const warn = { id, decision: 'warn', note: 'Please be kind.' };
  expect((await server.call(admin, reports.decide, { body: warn })).problem.type).toBe('report_not_possible');
  const dismiss = { id, decision: 'dismiss' };
  expect((await server.call(admin, reports.decide, { body: dismiss })).status).toBe(200);
});

test('a suspended member reads, and writes only what ends something or is their own account (threat-rule-breakers)', () => {
  const viewer: Member = {
    ...{
      accountId: 'a',
      profileId: 'a',
      sessionId: 'a',
      passwordShownAt: nowDate(),
      name: 'A',
      email: 'a@x',
    },
    ...{ emailVerified: true, verified: true, admin: false, secret: '' },
    ...{ hasAdminLabel: false, hasSecondFactor: false, secondFactorShownAt: null },
    ...{ hiddenProfileIds: [], hiddenAccountIds: [], mutedProfileIds: [] },
    deletesAt: null,
    hasConsented: true,
    suspendedUntil: new Date(nowMs() + 60_000),
  };
  const written = Object.entries(allCalls).flatMap(([table, calls]) =>
    Object.entries(calls).flatMap(([name, call]) => {
      if (['anyone', 'adminLabel', 'admin'].includes(call.access)) return [];
      const attempt = () => admit({ ...call, recentPassword: null }, viewer);
      if (call.method === 'GET') {
        expect(attempt).not.toThrow();
        return [];
      }
      if (!call.whileSuspended) {
        expect(attempt).toThrow('Your account is suspended');
        return [];
      }
      expect(attempt).not.toThrow();
      return [`${table}.${name}`];
    }),
  );
  expect(
    written.filter((name) => !/^(account|accounts|accountTokens|oauth2|personalData)[.]/.test(name)).sort(),
  ).toEqual([
    'blocks.block',
    'blocks.mute',
    'blocks.unblock',
    'blocks.unmute',
    'conversations.deleteChat',
    'conversations.markRead',
    // Of their own devices, and of what notifies them.
    ...['devices.register', 'devices.remove', 'devices.renew', 'devices.test', 'devices.update'],
    'disputes.answer',
    'disputes.open',
    // Each collection says which of its documents and attributes, as the calls here (backend/documents/suspended.test.ts).
    ...['documents.create', 'documents.delete', 'documents.update'],
    'interactions.cancelRequest',
    'interactions.cardDown',
    'interactions.checkPayment',
    'interactions.markDone',
    'interactions.sayMet',
    'interactions.setRefundNumber',
    'messages.mark',
    ...['notificationSettings.choose', 'notificationSettings.pause', 'notificationSettings.update'],
    'notifications.findRead',
    'notifications.markAllRead',
    'notifications.markRead',
    'plans.close',
    'publicLinks.revoke',
    'receipts.createConversationReceipt',
    'sharedPlans.revoke',
  ]);
});
