import { accounts as accountCalls } from '@tara/contract/accounts';
import { allCalls } from '@tara/contract/all';
import { blocks } from '@tara/contract/blocks';
import { plans as planCalls } from '@tara/contract/plans';
import { posts as postCalls } from '@tara/contract/posts';
import { type ReportKind, reports } from '@tara/contract/reports';
import { and, desc, eq, sql } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { admit } from '../../platform/http/serve.ts';
import { newId } from '../../platform/ids.ts';
import { chatActions, chatRoutes } from '../../testing/chats.ts';
import { insertInteraction, insertPlan } from '../../testing/interactions.ts';
import { insertMember, type Member } from '../../testing/members.ts';
import { insertPicture } from '../../testing/pictures.ts';
import { insertChat } from '../../testing/receipts.ts';
import type { TestServer } from '../../testing/server.ts';
import { serverTest } from '../../testing/test.ts';
import { accountLimits, accountRoutes, accounts } from '../accounts/index.ts';
import { sessions } from '../accounts/tables.ts';
import { auditLog } from '../audit/tables.ts';
import { blockRoutes } from '../blocks/index.ts';
import { files } from '../files/index.ts';
import { canSee } from '../files/policy.ts';
import { interactions as requests } from '../interactions/index.ts';
import { planRoutes } from '../plans/index.ts';
import { postRoutes, posts } from '../posts/index.ts';
import { reviewComments, reviews } from '../reviews/index.ts';
import { reportRoutes } from './routes.ts';
import { reports as rows } from './tables.ts';

const test = serverTest((app, platform) => {
  accountRoutes(app, platform, accountLimits(false));
  blockRoutes(app, platform);
  postRoutes(app, platform);
  planRoutes(app, platform);
  reportRoutes(app, platform);
  chatRoutes(app, platform);
})
  .extend('admin', { scope: 'file' }, ({ database }) => insertMember(database, { admin: true }))
  .extend('members', { scope: 'file' }, ({ database }) => async () => ({
    ana: await insertMember(database, { name: 'Ana' }),
    ben: await insertMember(database, { name: 'Ben', bio: 'Surfs at dawn' }),
  }))
  .extend('publish', { scope: 'file' }, ({ database }) => async (creator: Member) => {
    const id = newId();
    await database.insert(posts).values({ id, creatorId: creator.profileId, usedDp: true, caption: 'Rude' });
    return id;
  })
  /** Reports a record as a member, and returns the id of the report. */
  .extend('report', { scope: 'file' }, ({ server, database }) => {
    return async (who: Member, kind: ReportKind, recordId: string) => {
      const body = { kind, recordId, reason: 'spam', detail: '' };
      expect((await server.call(who, reports.create, { body })).reply).toEqual({ status: 'ok' });
      const [row] = await database
        .select({ id: rows.id })
        .from(rows)
        .where(eq(rows.reporterId, who.profileId))
        .orderBy(desc(rows.createdAt))
        .limit(1);
      return row?.id ?? '';
    };
  });

describe('a report', () => {
  test('copies the record as it is, and reaches the list of admins', async ({
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
    await database.update(posts).set({ caption: 'Kind' }).where(eq(posts.id, postId));
    const { items } = (await server.call(admin, reports.open)).reply;
    expect(items.find((item) => item.id === id)).toMatchObject({
      kind: 'post',
      recordId: postId,
      reason: 'spam',
      reporter: { id: ana.profileId },
      member: { id: ben.profileId },
      snapshot: { text: expect.stringContaining('Rude'), imageUrl: null },
      earlierDecisions: 0,
    });
    expect((await server.call(ana, reports.open)).problem.type).toBe('admin_only');
  });

  test('is possible of a member, comment, review and plan', async ({
    database,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    const { creator, client, interactionId } = await insertChat(database);
    const [request] = await database.select().from(requests).where(eq(requests.id, interactionId));
    const [reviewId, commentId] = [newId(), newId()];
    await database.insert(reviews).values({
      ...{ id: reviewId, interactionId, creatorId: client.profileId, ownerId: creator.profileId },
      ...{ planId: request?.planId ?? '', caption: 'Bad review', stars: 0 },
    });
    await database
      .insert(reviewComments)
      .values({ id: commentId, reviewId, creatorId: ben.profileId, clientKey: newId(), body: 'Bad comment' });
    const planId = await insertPlan(database, creator);
    const expected = [
      ['member', ben.profileId, ben, 'Surfs at dawn'],
      ['comment', commentId, ben, 'Bad comment'],
      ['review', reviewId, client, 'Bad review'],
      ['plan', planId, creator, 'We meet in a public place.'],
    ] as const;
    for (const [kind, recordId, owner, text] of expected) {
      const id = await report(ana, kind, recordId);
      const { items } = (await server.call(admin, reports.open)).reply;
      expect(items.find((item) => item.id === id)).toMatchObject({
        member: { id: owner.profileId },
        snapshot: { text: expect.stringContaining(text) },
      });
      const body = { id, decision: kind === 'member' ? 'dismiss' : 'remove' };
      expect((await server.call(admin, reports.decide, { body })).status).toBe(200);
    }
    expect(await database.$count(reviews, eq(reviews.id, reviewId))).toBe(0);
    const one = { params: { id: planId } };
    expect((await server.call(ana, planCalls.get, one)).problem.type).toBe('plan_not_found');
  });

  test.for([
    ['of nothing', { recordId: 'nobody' }, 'report_record_not_found'],
    ['of an unknown kind', { kind: 'chat' }, 'general_argument_invalid'],
    ['without a known reason', { reason: 'dull' }, 'general_argument_invalid'],
    ['of something else without words', { reason: 'other', detail: ' ' }, 'general_argument_invalid'],
    ['with too many words', { detail: 'a'.repeat(1001) }, 'general_argument_invalid'],
    ['with an unknown field', { days: 3 }, 'general_argument_invalid'],
    ['with a snapshot of one’s own', { snapshot: { text: 'x' } }, 'general_argument_invalid'],
  ] as const)(
    '%s is refused and stores nothing',
    async ([, part, type], { database, server, members, publish }) => {
      const { ana, ben } = await members();
      const body = { kind: 'post', recordId: await publish(ben), reason: 'spam', detail: '', ...part };
      expect((await server.call(ana, reports.create, { body })).problem.type).toBe(type);
      expect(await database.$count(rows, eq(rows.reporterId, ana.profileId))).toBe(0);
    },
  );

  test('of oneself, of a hidden record, and a second one are refused', async ({
    server,
    members,
    publish,
    report,
  }) => {
    const { ana, ben } = await members();
    const send = async (who: Member, kind: ReportKind, recordId: string) =>
      (await server.call(who, reports.create, { body: { kind, recordId, reason: 'spam', detail: '' } }))
        .problem.type;
    expect(await send(ana, 'member', ana.profileId)).toBe('report_own_record');
    expect(await send(ana, 'post', await publish(ana))).toBe('report_own_record');
    const postId = await publish(ben);
    await report(ana, 'post', postId);
    expect(await send(ana, 'post', postId)).toBe('report_already_sent');
    await server.call(ben, blocks.block, { body: { profileId: ana.profileId } });
    expect(await send(ana, 'member', ben.profileId)).toBe('report_record_not_found');
  });
});

describe('a report of a message', () => {
  const send = (server: TestServer, who: Member, form: object) =>
    server.call(who, reports.create, {
      body: { kind: 'message', reason: 'money', detail: '', ...form },
    });
  const readOpen = async (server: TestServer, admin: Member, recordId: string) =>
    (await server.call(admin, reports.open)).reply.items.find((item) => item.recordId === recordId);

  test('copies it with those before it by the same member, and shows its picture to admins', async ({
    database,
    server,
    admin,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    await chat.send(client, chatId, 'Pay me directly');
    await chat.send(creator, chatId, 'No');
    const imageId = await insertPicture(database, {
      ...{ ownerAccountId: client.accountId, bucket: 'messageFiles' },
    });
    const { id, picture } = await chat.send(client, chatId, 'My account number', { imageId });
    await chat.send(client, chatId, 'Hurry up');
    expect((await send(server, creator, { recordId: id, chatId })).reply).toEqual({ status: 'ok' });
    const report = await readOpen(server, admin, id);
    expect(report).toMatchObject({
      member: { id: client.profileId },
      snapshot: { text: 'Pay me directly\nMy account number', imageUrl: picture?.imageUrl },
    });
    const [file] = await database.select().from(files).where(eq(files.id, imageId));
    expect(file && canSee({ accountId: admin.accountId, hiddenAccountIds: [], admin: true }, file)).toBe(
      true,
    );
    // Taken back, the words stay in the report.
    await chat.unsend(client, chatId, id);
    expect((await readOpen(server, admin, id))?.snapshot.text).toContain('My account number');
    // One that is gone already is no failure.
    const body = { id: report?.id ?? '', decision: 'remove' };
    expect((await server.call(admin, reports.decide, { body })).status).toBe(200);
  });

  test('can remove it, for both members', async ({ database, platform, server, admin }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    const { id } = await chat.send(client, chatId, 'Pay me directly');
    await server.call(creator, blocks.block, { body: { profileId: client.profileId } });
    await send(server, creator, { recordId: id, chatId });
    const report = await readOpen(server, admin, id);
    await server.call(admin, reports.decide, { body: { id: report?.id, decision: 'remove' } });
    const { messages } = (await chat.read(creator, chatId)).reply;
    expect(messages.items[0]).toMatchObject({ id, unsent: true, body: 'message unsent' });
    expect(platform.announced.at(-1)).toMatchObject({ id, change: 'update', document: { unsent: true } });
  });

  test('lets an admin look at the original of one taken back in a plan chat, each look audited (§4-unsend)', async ({
    database,
    server,
    admin,
    members,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const chat = chatActions(server);
    const picture = { ownerAccountId: client.accountId, bucket: 'messageFiles' } as const;
    const imageId = await insertPicture(database, picture);
    const { id } = await chat.send(client, chatId, 'Pay me directly', { imageId });
    await chat.unsend(client, chatId, id);
    await send(server, creator, { recordId: id, chatId });
    const report = await readOpen(server, admin, id);
    expect(report).toMatchObject({ hasOriginal: true, snapshot: { text: 'message unsent', imageUrl: null } });
    const look = (who: Member, reportId = report?.id ?? '') =>
      server.call(who, reports.original, { body: { id: reportId } });
    const canSeePicture = async () => {
      const [file] = await database.select().from(files).where(eq(files.id, imageId));
      const viewer = ({ accountId }: Member, isAdmin: boolean) => ({
        ...{ accountId, hiddenAccountIds: [], admin: isAdmin },
      });
      return file && [canSee(viewer(admin, true), file), canSee(viewer(client, false), file)];
    };
    expect(await canSeePicture()).toEqual([false, false]);
    expect((await look(admin)).reply).toMatchObject({
      text: 'Pay me directly',
      imageUrl: expect.any(String),
    });
    expect(await canSeePicture()).toEqual([true, false]);
    await look(admin);
    const looks = await database
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'report.original'), eq(auditLog.subject, `report:${report?.id}`)));
    expect(looks.map(({ actorAccountId }) => actorAccountId)).toEqual([admin.accountId, admin.accountId]);
    expect(JSON.stringify(looks)).not.toContain('Pay me');
    expect((await look(creator)).problem.type).toBe('admin_only');
    const { ana, ben } = await members();
    expect((await look(admin, 'nothing')).problem.type).toBe('report_not_found');
    await server.call(ana, reports.create, {
      body: { kind: 'member', recordId: ben.profileId, reason: 'spam', detail: '' },
    });
    const other = await readOpen(server, admin, ben.profileId);
    expect((await look(admin, other?.id)).problem.type).toBe('report_not_possible');
  });

  test('is for the members of its chat, about the other one', async ({
    database,
    server,
    admin,
    members,
  }) => {
    const { chatId, client, creator } = await insertChat(database);
    const other = await insertChat(database);
    const { ana } = await members();
    const { id: recordId } = await chatActions(server).send(client, chatId, 'Pay me directly');
    const refusals = [
      [ana, { recordId, chatId }, 'report_record_not_found'],
      [admin, { recordId, chatId }, 'report_record_not_found'],
      [other.client, { recordId, chatId: other.chatId }, 'report_record_not_found'],
      [creator, { recordId: 'nothing', chatId }, 'report_record_not_found'],
      [client, { recordId, chatId }, 'report_own_record'],
      [creator, { recordId }, 'general_argument_invalid'],
      [creator, { recordId: client.profileId, kind: 'member', chatId }, 'general_argument_invalid'],
    ] as const;
    for (const [who, form, type] of refusals)
      expect((await send(server, who, form)).problem.type, JSON.stringify(form)).toBe(type);
    expect((await send(server, creator, { recordId, chatId })).reply).toEqual({ status: 'ok' });
    expect((await send(server, creator, { recordId, chatId })).problem.type).toBe('report_already_sent');
  });

  test('is possible after blocking its writer', async ({ database, server, admin }) => {
    const { chatId, client, creator } = await insertChat(database);
    const { id } = await chatActions(server).send(client, chatId, 'Pay me directly');
    await server.call(creator, blocks.block, { body: { profileId: client.profileId } });
    expect((await send(server, creator, { recordId: id, chatId })).reply).toEqual({ status: 'ok' });
    expect(await readOpen(server, admin, id)).toMatchObject({ member: { id: client.profileId } });
  });
});

describe('a decision', () => {
  test('removes the record once, and is written to the audit log', async ({
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

  test('is never made about one’s own report, or about oneself', async ({
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

  test('warns a member, who sees it until they say so', async ({ server, admin, members, report }) => {
    const { ana, ben } = await members();
    const id = await report(ana, 'member', ben.profileId);
    const body = { id, decision: 'warn', note: 'Please be kind.' };
    await server.call(admin, reports.decide, { body });
    const warning = async () => (await server.call(ben, accountCalls.session)).reply.account.warning;
    expect(await warning()).toBe('Please be kind.');
    await server.call(ben, accountCalls.dismissWarning);
    expect(await warning()).toBeNull();
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
      text: expect.stringMatching(/^until \w+ \d+, \d{4}/),
    });
    expect((await server.call(ben, postCalls.feed)).status).toBe(200);
    const { account } = (await server.call(ben, accountCalls.session)).reply;
    const days = (Date.parse(account.suspendedUntil ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect((await server.call(ben, blocks.block, { body: { profileId: ana.profileId } })).status).toBe(200);
    await database
      .update(accounts)
      .set({ suspendedUntil: new Date(Date.now() - 1) })
      .where(eq(accounts.id, ben.accountId));
    expect((await server.call(ben, postCalls.quick, { body: { caption: 'Hi' } })).status).toBe(200);
  });

  test('bans a member: sessions end, no new one begins, and open paid requests are listed', async ({
    database,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    const planId = await insertPlan(database, ben);
    const parties = { creator: ben, client: ana, planId };
    const open = await insertInteraction(database, parties, { paidAt: new Date() });
    const other = await insertMember(database);
    await insertInteraction(database, { ...parties, client: other });
    await database.insert(sessions).values({
      ...{ id: newId(), accountId: ben.accountId, secretHash: Buffer.from('x') },
      expiresAt: new Date(Date.now() + 60_000),
    });
    const id = await report(ana, 'member', ben.profileId);
    await server.call(admin, reports.decide, { body: { id, decision: 'ban' } });
    expect(await database.$count(sessions, eq(sessions.accountId, ben.accountId))).toBe(0);
    const [account] = await database.select().from(accounts).where(eq(accounts.id, ben.accountId));
    expect(account?.blockedAt).not.toBeNull();
    const { items } = (await server.call(admin, reports.bannedRequests)).reply;
    expect(items).toEqual([
      expect.objectContaining({ id: open, client: 'Ana', creator: 'Ben', banned: 'creator', price: 250 }),
    ]);
    expect((await server.call(ana, reports.bannedRequests)).problem.type).toBe('admin_only');
  });
});

test('a suspended member reads, and writes only what ends something or is their own account', () => {
  const viewer: Member = {
    ...{
      accountId: 'a',
      profileId: 'a',
      sessionId: 'a',
      passwordShownAt: new Date(),
      name: 'A',
      email: 'a@x',
    },
    ...{ emailVerified: true, verified: true, admin: false, secret: '' },
    ...{ hiddenProfileIds: [], hiddenAccountIds: [], mutedProfileIds: [] },
    deletesAt: null,
    suspendedUntil: new Date(Date.now() + 60_000),
  };
  const written = Object.entries(allCalls).flatMap(([table, calls]) =>
    Object.entries(calls).flatMap(([name, call]) => {
      if (call.access === 'anyone' || call.access === 'admin') return [];
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
  expect(written.filter((name) => !/^(account|accounts|personalData)[.]/.test(name)).sort()).toEqual([
    'blocks.block',
    'blocks.mute',
    'blocks.unblock',
    'blocks.unmute',
    'conversations.deleteChat',
    'conversations.markRead',
    'interactions.cancelRequest',
    'interactions.cardDown',
    'interactions.checkPayment',
    'interactions.markDone',
    'messages.mark',
    'receipts.createConversationReceipt',
  ]);
});
