import { nowDate } from '@tara/contract/clock';
import { blocks } from '@tara/contract/members/blocks';
import { type ReportKind, reports } from '@tara/contract/members/reports';
import { plans as planCalls } from '@tara/contract/plans/plans';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { reportTest } from '../../testing/features/reports.ts';
import { interactions as requests } from '../interactions/index.ts';
import { plans } from '../plans/index.ts';
import { posts } from '../posts/index.ts';
import { reviewComments, reviews } from '../reviews/index.ts';
import { reports as rows } from './tables.ts';

const test = reportTest();

/** A review of a plan by its client, with a comment by another member. */
async function insertReview(database: Database, commenter: Member) {
  const { creator, client, interactionId } = await insertChat(database);
  const [request] = await database.select().from(requests).where(eq(requests.id, interactionId));
  const [reviewId, commentId] = [newId(), newId()];
  await database.insert(reviews).values({
    ...{ id: reviewId, interactionId, creatorId: client.profileId, ownerId: creator.profileId },
    ...{ planId: request?.planId ?? '', caption: 'Bad review', stars: 0 },
  });
  await database.insert(reviewComments).values({
    ...{ id: commentId, reviewId, creatorId: commenter.profileId, clientKey: newId(), body: 'Bad comment' },
  });
  return { creator, client, reviewId, commentId };
}

describe('a report', () => {
  test('copies the record as it is, and reaches the list of admins (threat-rule-breakers)', async ({
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
    platform,
    server,
    admin,
    members,
    report,
  }) => {
    const { ana, ben } = await members();
    const { creator, client, reviewId, commentId } = await insertReview(database, ben);
    const [planId, otherPlanId] = [await insertPlan(database, creator), await insertPlan(database, creator)];
    const picture = expect.any(String);
    const expected = [
      ['member', ben.profileId, ben, 'Surfs at dawn', null],
      ['comment', commentId, ben, 'Bad comment', null],
      ['review', reviewId, client, 'Bad review', null],
      ['plan', planId, creator, 'We meet in a public place.', picture],
    ] as const;
    for (const [kind, recordId, owner, text, imageUrl] of expected) {
      const id = await report(ana, kind, recordId);
      const { items } = (await server.call(admin, reports.open)).reply;
      expect(items.find((item) => item.id === id)).toMatchObject({
        member: { id: owner.profileId },
        snapshot: { text: expect.stringContaining(text), imageUrl },
      });
      const body = { id, decision: kind === 'member' ? 'dismiss' : 'remove' };
      expect((await server.call(admin, reports.decide, { body })).status).toBe(200);
      const deletions = platform.announced.filter((one) => one.id === recordId && one.change === 'delete');
      expect(deletions).toHaveLength(kind === 'member' ? 0 : 1);
    }
    expect(await database.$count(reviews, eq(reviews.id, reviewId))).toBe(0);
    const one = { params: { id: planId } };
    expect((await server.call(ana, planCalls.get, one)).problem.type).toBe('plan_not_found');
    expect((await server.call(ana, planCalls.get, { params: { id: otherPlanId } })).status).toBe(200);
  });

  test('of what is gone when an admin removes it is decided, and announced no more', async ({
    database,
    platform,
    server,
    admin,
    members,
    publish,
    report,
  }) => {
    const { ana, ben } = await members();
    const { creator, reviewId, commentId } = await insertReview(database, ben);
    const planId = await insertPlan(database, creator);
    const postId = await publish(ben);
    const records = [
      ['post', postId],
      ['comment', commentId],
      ['review', reviewId],
      ['plan', planId],
    ] as const;
    const ids: string[] = [];
    for (const [kind, recordId] of records) ids.push(await report(ana, kind, recordId));
    await database.delete(posts).where(eq(posts.id, postId));
    await database.delete(reviews).where(eq(reviews.id, reviewId));
    await database.update(plans).set({ removedAt: nowDate() }).where(eq(plans.id, planId));
    platform.announced.length = 0;
    for (const id of ids) {
      const { status } = await server.call(admin, reports.decide, { body: { id, decision: 'remove' } });
      expect(status).toBe(200);
    }
    expect(platform.announced).toEqual([]);
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
