import { personalData } from '@tara/contract/accounts/personal-data';
import { nowDate, nowMs } from '@tara/contract/clock';
import { deletedName } from '@tara/contract/limits';
import { profiles as profileCalls } from '@tara/contract/members/profiles';
import { plans as planCalls } from '@tara/contract/plans/plans';
import { posts as postCalls } from '@tara/contract/posts/posts';
import { eq, or } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { insertInteraction, insertPlan } from '../../testing/features/interactions.ts';
import { takeMails } from '../../testing/features/mails.ts';
import { insertBlock, insertMember, insertSession, type Member } from '../../testing/features/members.ts';
import {
  documentsKey,
  fillMember,
  findWords,
  helpers,
  marks,
  password,
  test,
} from '../../testing/matrix/personal-data.ts';
import { accounts, sessions } from '../accounts/index.ts';
import { disputeMessages, disputes } from '../disputes/index.ts';
import { files } from '../files/index.ts';
import { interactions } from '../interactions/index.ts';
import { chatEntries, chats, messages } from '../messages/index.ts';
import { notifications } from '../notifications/index.ts';
import { attempts, capturedPayments, disbursements } from '../payments/index.ts';
import { plans } from '../plans/index.ts';
import { posts } from '../posts/index.ts';
import { profiles } from '../profiles/index.ts';
import { publicLinks } from '../public-links/index.ts';
import { receipts } from '../receipts/index.ts';
import { personalDataTasks } from './index.ts';

/** Owes a member a part of the payment of a request. */
async function owe(database: Database, id: string, purpose: 'payout' | 'refund', { profileId }: Member) {
  const money = { id, interactionId: id, amountCentavos: 100_00 };
  await database.insert(capturedPayments).values(money);
  const way = purpose === 'payout' ? 'transfer' : 'provider';
  await database
    .insert(disbursements)
    .values({ ...money, paymentId: id, purpose, way, recipientId: profileId });
}

describe('deleting the account', () => {
  test('hides the member from everybody like one who does not exist, and ends the sessions', async ({
    database,
    platform,
    server,
    newMember,
    leave,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    await fillMember({ database, platform }, member, other, 'hidden');
    platform.viewersChanged.length = 0;
    const { reply } = await leave(member);
    // Two weeks.
    expect(Math.abs(Date.parse(reply.deletesAt) - nowMs() - 14 * 86_400_000)).toBeLessThan(60_000);
    expect(await database.$count(sessions, eq(sessions.accountId, member.accountId))).toBe(0);
    expect(platform.viewersChanged).toEqual([member.accountId]);
    const profile = { params: { id: member.profileId } };
    expect((await server.call(other, profileCalls.get, profile)).problem.type).toBe('profile_not_found');
    const people = (await server.call(other, profileCalls.people)).reply.items.map(({ id }) => id);
    expect(people).not.toContain(member.profileId);
    const feed = (await server.call(other, postCalls.feed)).reply.items.map(({ creatorId }) => creatorId);
    expect(feed).not.toContain(member.profileId);
    expect((await server.call(other, planCalls.byCreator, profile)).problem.type).toBe('profile_not_found');
    // A member who signs in again can do nothing but keep the account.
    expect((await server.call(member, postCalls.feed)).problem.type).toBe('account_leaving');
    // A second time it stays as it is.
    await insertSession(database, member.accountId);
    expect((await leave(member)).reply).toEqual(reply);
  });

  test('mails nobody whose email is not confirmed, however often it is begun and undone (threat-codes-and-links)', async ({
    database,
    platform,
    server,
    newMember,
    leave,
  }) => {
    const [member, owner] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    await database.update(accounts).set({ emailVerifiedAt: null }).where(eq(accounts.id, member.accountId));
    await platform.takeJobs();
    for (let round = 0; round < 3; round++) {
      await leave(member);
      await insertSession(database, member.accountId);
      expect((await server.call(member, personalData.keep)).status).toBe(200);
    }
    expect(await takeMails(platform)).toEqual([]);
    await leave(owner);
    expect((await takeMails(platform)).map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, 'Your Tara account will be deleted'],
    ]);
  });

  test('is undone by keeping it, also twice, and for the member alone', async ({
    server,
    newMember,
    leave,
  }) => {
    const [member, other] = [await newMember('Cora Lim'), await newMember('Ben Reyes')];
    const leaving = await newMember('Dina Sy');
    await leave(leaving);
    await leave(member);
    for (const _ of [1, 2]) expect((await server.call(member, personalData.keep)).status).toBe(200);
    expect((await server.call(member, postCalls.feed)).status).toBe(200);
    expect((await server.call(leaving, postCalls.feed)).problem.type).toBe('account_leaving');
    const profile = { params: { id: member.profileId } };
    expect((await server.call(other, profileCalls.get, profile)).reply.name).toBe('Cora Lim');
  });

  test.for([
    ['no password', {}, 400, { password: expect.any(String) }],
    ['an empty password', { password: '' }, 400, { password: 'Enter your password.' }],
    ['a wrong password', { password: 'not it' }, 401, { password: 'The password is not correct.' }],
    ['another field', { password, force: true }, 400, { force: expect.any(String) }],
  ] as const)(
    'with %s is refused and changes nothing',
    async ([_what, body, status, fields], { database, newMember, leave }) => {
      const member = await newMember();
      const answer = await leave(member, body);
      expect([answer.status, answer.problem.fields]).toEqual([status, fields]);
      const [account] = await database.select().from(accounts).where(eq(accounts.id, member.accountId));
      expect(account?.deletesAt).toBeNull();
    },
  );

  test('is for the member alone', async ({ server }) => {
    for (const call of [personalData.delete, personalData.keep, personalData.get, personalData.requestExport])
      expect((await server.call(null, call, { body: { password } })).status).toBe(401);
  });

  const paid = { paidAt: nowDate() };
  const done = {
    ...paid,
    acceptedAt: nowDate(),
    userSetDoneAt: nowDate(),
    adminSetDoneAt: nowDate(),
    completedAt: nowDate(),
  };
  test.for([
    ['paid', 'client', paid],
    ['paid', 'creator', paid],
    ['ready', 'creator', { ...paid, acceptedAt: nowDate() }],
    ['fulfilled', 'client', { ...paid, acceptedAt: nowDate(), userSetDoneAt: nowDate() }],
    ['completed and not paid out', 'creator', done, 'payout'],
    ['cancelled and not refunded', 'client', { ...paid, cancelledAt: nowDate() }, 'refund'],
    ['split, with a part that is not back', 'client', { ...done, paidOutAt: nowDate() }, 'refund'],
    ['partly taken back by the card issuer', 'creator', { ...done, chargedBackAt: nowDate() }, 'payout'],
  ] as const)(
    'is refused while a request is %s, which is named, for the %s',
    async ([_state, side, state, owed], { database, server, newMember, leave }) => {
      const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
      const [creator, client] = side === 'creator' ? [member, other] : [other, member];
      const planId = await insertPlan(database, creator);
      const id = await insertInteraction(database, { creator, client, planId }, state);
      if (owed) await owe(database, id, owed, owed === 'payout' ? creator : client);
      const { problem } = await leave(member);
      expect([problem.type, problem.text]).toEqual([
        'account_requests_open',
        'finish them first: “Coffee in Makati” with Ben Reyes',
      ]);
      expect((await server.call(member, personalData.get)).reply.openRequests).toMatchObject([
        { id, planTitle: 'Coffee in Makati', otherName: 'Ben Reyes' },
      ]);
      expect((await server.call(member, postCalls.feed)).status).toBe(200);
      expect(await database.$count(interactions, eq(interactions.id, id))).toBe(1);
    },
  );

  test('a plan chat that a block closed is not named with its request', async ({
    database,
    server,
    newMember,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const planId = await insertPlan(database, member);
    const parties = { creatorId: member.profileId, clientId: other.profileId };
    const chatIds: string[] = [];
    for (const state of [paid, done]) {
      const id = await insertInteraction(database, { creator: member, client: other, planId }, state);
      await database.insert(receipts).values({
        ...{ id, interactionId: id, ...parties },
        ...{ creatorAccountId: member.accountId, clientAccountId: other.accountId },
      });
      await owe(database, id, 'payout', member);
      chatIds.push(id);
    }
    const receiptIds = async () =>
      (await server.call(member, personalData.get)).reply.openRequests.map(({ receiptId }) => receiptId);
    expect(await receiptIds()).toEqual(chatIds);
    await insertBlock(database, other, member);
    expect(await receiptIds()).toEqual([chatIds[0], null]);
  });

  test('cancels the member’s open requests that hold no money, closes their payment link, and notifies the other side', async ({
    database,
    platform,
    server,
    newMember,
    leave,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const create = async (state: Partial<typeof interactions.$inferInsert>, client = member) =>
      insertInteraction(
        database,
        { creator: other, client, planId: await insertPlan(database, other) },
        state,
      );
    const unpaid = await create({});
    const free = await create({ priceCentavos: 0, paidAt: nowDate(), acceptedAt: nowDate() });
    const over = await create({ ...done, paidOutAt: nowDate() });
    const cancelledBefore = await create({ cancelledAt: nowDate() });
    const others = await create({}, await newMember('Cora Lim'));
    await platform.takeJobs();
    expect((await server.call(member, personalData.get)).reply.openRequests).toEqual([]);
    expect((await leave(member)).status).toBe(200);
    const rows = new Map((await database.select().from(interactions)).map((row) => [row.id, row]));
    const stages = [unpaid, free, over, others].map((id) => rows.get(id)?.stage);
    expect(stages).toEqual(['cancelled', 'cancelled', 'completed', 'requested']);
    expect(rows.get(cancelledBefore)?.cancelledBy).toBeNull();
    expect(await platform.jobs('payments.archiveLink')).toEqual([{ interactionId: unpaid }]);
    const cancelled = (await database.select().from(notifications)).filter(
      ({ event }) => event === 'cancelled',
    );
    expect(new Set(cancelled.map(({ interactionId }) => interactionId))).toEqual(new Set([unpaid, free]));
    expect(new Set(cancelled.map(({ profileId }) => profileId))).toEqual(new Set([other.profileId]));
  });

  test('a deletion after 14 days leaves nothing of the member but records of money, also when repeated and interrupted', async ({
    database,
    platform,
    server,
    newMember,
    leave,
    endDelay,
    deleteDue,
    work,
  }) => {
    const [member, other] = [await newMember('Gone Cruz'), await newMember('Stay Reyes')];
    const { interactionId, asClient, otherPost, receiptId } = await fillMember(
      { database, platform },
      member,
      other,
      'gone',
    );
    await fillMember({ database, platform }, other, member, 'stay');
    expect((await server.call(member, personalData.requestExport)).status).toBe(200);
    await work();
    const ownFiles = await database.$count(files, eq(files.ownerAccountId, member.accountId));
    expect(ownFiles).toBeGreaterThan(5);
    // Of the requests, the number for a refund; and of the chat the start of the other's last message.
    for (const [id, refundNumber] of [
      [interactionId, '09170000001'],
      [asClient, '09170000002'],
    ] as const)
      await database.update(interactions).set({ refundNumber }).where(eq(interactions.id, id));
    const preview = { preview: 'Answer to gone', previewBy: other.profileId };
    await database.update(chats).set(preview).where(eq(chats.id, receiptId));
    await database.update(chatEntries).set(preview).where(eq(chatEntries.chatId, receiptId));
    const otherPlans = () => database.$count(plans, eq(plans.creatorId, other.profileId));
    const plansBefore = await otherPlans();
    const ownLinks = () => database.$count(publicLinks, eq(publicLinks.profileId, member.profileId));
    expect(await ownLinks()).toBe(2);
    const split = { amount: '12300', note: marks('gone').text, place: marks('gone').text, day: 'June 1' };
    await database.insert(notifications).values({
      ...{ profileId: other.profileId, event: 'refunded', groupName: 'money', inApp: true },
      ...{ interactionId, occasion: 'told before', details: split },
    });
    await leave(member);
    // Guests see nothing from now on, also if the member stays.
    expect(await ownLinks()).toBe(0);
    await database.insert(publicLinks).values({ id: newId(), profileId: member.profileId });
    // Before its time nothing happens.
    await deleteDue();
    expect(await database.$count(files, eq(files.ownerAccountId, member.accountId))).toBe(ownFiles);
    await endDelay(member);
    expect((await server.call(member, personalData.keep)).problem.type).toBe('account_deletion_begun');
    // The server stops in the middle: after some of the statements.
    const stopping = new AbortController();
    let statements = 0;
    const signal = Object.assign(Object.create(stopping.signal), {
      throwIfAborted: () => {
        if (statements++ > 12) throw new Error('the server stops');
      },
    });
    await expect(deleteDue(signal)).rejects.toThrow('the server stops');
    await deleteDue();
    await deleteDue();

    expect(await findWords({ database }, Object.values(marks('gone')))).toEqual([]);
    const bytes = await Promise.all(
      platform.files.keys().map(async (key) => String(await platform.files.read(key))),
    );
    expect(bytes.filter((content) => content.includes('gone'))).toEqual([]);
    expect(platform.files.keys().filter((key) => key.startsWith('exports/'))).toEqual([]);
    expect(await database.$count(files, eq(files.ownerAccountId, member.accountId))).toBe(0);

    expect(await ownLinks()).toBe(0);

    // What stays: money, and what others made.
    const [request] = await database.select().from(interactions).where(eq(interactions.id, interactionId));
    expect(request).toMatchObject({ stage: 'completed', priceCentavos: 250_00, creatorId: member.profileId });
    const [payout] = await database
      .select()
      .from(disbursements)
      .where(eq(disbursements.interactionId, interactionId));
    expect(payout).toMatchObject({ state: 'arrived', amountCentavos: 250_00 });
    const written = await database
      .select({ name: messages.name, body: messages.body })
      .from(messages)
      .where(eq(messages.chatId, receiptId))
      .orderBy(messages.sequence);
    expect(written).toEqual([
      { name: deletedName, body: 'Deleted message' },
      { name: deletedName, body: 'Deleted message' },
      { name: 'Other', body: 'Answer to gone' },
    ]);
    // Of a dispute what the other said and added.
    const [dispute] = await database.select().from(disputes).where(eq(disputes.interactionId, asClient));
    expect(dispute).toMatchObject({ story: '', answer: 'Their answer' });
    const added = await database
      .select({ profileId: disputeMessages.profileId, body: disputeMessages.body })
      .from(disputeMessages)
      .where(eq(disputeMessages.interactionId, asClient));
    expect(added).toEqual(
      expect.arrayContaining([
        { profileId: member.profileId, body: '' },
        { profileId: other.profileId, body: 'Added for gone' },
      ]),
    );
    // The ended requests are without the name, and with that of the other.
    const ended = await database
      .select({
        id: interactions.id,
        clientName: interactions.clientName,
        creatorName: interactions.creatorName,
      })
      .from(interactions)
      .where(or(eq(interactions.creatorId, member.profileId), eq(interactions.clientId, member.profileId)));
    expect(ended).toHaveLength(4);
    expect(ended).toContainEqual({ id: interactionId, clientName: 'Stay Reyes', creatorName: deletedName });
    for (const { clientName, creatorName } of ended) expect([clientName, creatorName]).toContain(deletedName);
    // What the other was told of money still names the amount.
    const [refundNotice] = await database
      .select()
      .from(notifications)
      .where(eq(notifications.occasion, 'told before'));
    expect(refundNotice?.details).toEqual({ amount: '12300' });
    expect(await otherPlans()).toBe(plansBefore);
    const numbers = await database
      .select({ id: interactions.id, number: interactions.refundNumber })
      .from(interactions)
      .where(eq(interactions.clientId, other.profileId));
    expect(numbers).toContainEqual({ id: interactionId, number: '09170000001' });
    const [own] = await database.select().from(interactions).where(eq(interactions.id, asClient));
    expect(own?.refundNumber).toBeNull();
    const [sent] = await database
      .select({ destination: attempts.destination })
      .from(attempts)
      .where(eq(attempts.disbursementId, payout?.id ?? ''));
    expect(sent?.destination).toEqual({ number: '', name: deletedName, bic: 'GXCHPHM2XXX' });
    const [chat] = await database.select().from(chats).where(eq(chats.id, receiptId));
    const [entry] = await database.select().from(chatEntries).where(eq(chatEntries.chatId, receiptId));
    expect([chat?.preview, entry?.preview]).toEqual(['Answer to gone', 'Answer to gone']);
    const [post] = await database.select().from(posts).where(eq(posts.id, otherPost));
    expect(post?.totalLikes).toBe(0);
    const words = await findWords({ database }, [marks('stay').text]);
    expect(words).toEqual(expect.arrayContaining(['profiles.name', 'posts.caption', 'plans.title']));

    // Nobody finds the empty profile, and the email is free again.
    const profile = { params: { id: member.profileId } };
    expect((await server.call(other, profileCalls.get, profile)).problem.type).toBe('profile_not_found');
    const people = (await server.call(other, profileCalls.people)).reply.items.map(({ id }) => id);
    expect(people).not.toContain(member.profileId);
    const [rest] = await database.select().from(plans).where(eq(plans.creatorId, member.profileId));
    expect((await server.call(other, planCalls.get, { params: { id: rest?.id ?? '' } })).problem.type).toBe(
      'plan_not_found',
    );
    await insertMember(database, { email: marks('gone').email });
  });

  test('changes nothing of who stays, or has left a shorter time ago, even when the job is repeated', async ({
    database,
    platform,
    newMember,
    leave,
    endDelay,
    deleteDue,
  }) => {
    const due = await newMember('Ana Cruz');
    const stays = [await newMember('Ben Reyes'), await newMember('Cora Lim')];
    for (const member of [due, ...stays.slice(1)]) await leave(member);
    await endDelay(due);
    const read = (accountIds: string[]) =>
      database
        .select()
        .from(accounts)
        .innerJoin(profiles, eq(profiles.accountId, accounts.id))
        .where(or(...accountIds.map((id) => eq(accounts.id, id))))
        .orderBy(accounts.name);
    const stayIds = stays.map(({ accountId }) => accountId);
    const before = await read([due.accountId, ...stayIds]);
    const tasks = personalDataTasks(platform, documentsKey);
    for (const accountId of stayIds) await tasks['personalData.delete']?.({ accountId }, helpers);
    expect(await read([due.accountId, ...stayIds])).toEqual(before);
    await platform.takeJobs();
    await tasks['personalData.deleteLeft']?.({}, helpers);
    expect(await platform.jobs('personalData.delete')).toEqual([{ accountId: due.accountId }]);
    await deleteDue();
    const deleted = await read([due.accountId]);
    expect(deleted).toMatchObject([{ accounts: { name: '', deletedAt: expect.any(Date) } }]);
    expect(await read(stayIds)).toEqual(before.filter((row) => row.accounts.id !== due.accountId));
    await tasks['personalData.delete']?.({ accountId: due.accountId }, helpers);
    expect(await read([due.accountId])).toEqual(deleted);
  });

  test('waits for money that arrived after the member left', async ({
    database,
    newMember,
    leave,
    endDelay,
    deleteDue,
  }) => {
    const [member, other] = [await newMember('Ana Cruz'), await newMember('Ben Reyes')];
    const planId = await insertPlan(database, other);
    const id = await insertInteraction(database, { creator: other, client: member, planId });
    await leave(member);
    await database.update(interactions).set({ paidAt: nowDate() }).where(eq(interactions.id, id));
    await owe(database, id, 'refund', member);
    await endDelay(member);
    await deleteDue();
    const read = async () =>
      (await database.select().from(accounts).where(eq(accounts.id, member.accountId)))[0];
    expect(await read()).toMatchObject({ deletedAt: null, name: 'Ana Cruz' });
    await database.update(disbursements).set({ state: 'void' }).where(eq(disbursements.id, id));
    await deleteDue();
    expect(await read()).toMatchObject({ deletedAt: expect.any(Date), deletesAt: null, name: '' });
  });
});
