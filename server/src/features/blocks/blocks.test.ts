import { nowDate } from '@tara/contract/clock';
import { interactions } from '@tara/contract/interactions/interactions';
import { blocks } from '@tara/contract/members/blocks';
import { profiles } from '@tara/contract/members/profiles';
import { receipts } from '@tara/contract/messages/receipts';
import { plans } from '@tara/contract/plans/plans';
import { posts } from '@tara/contract/posts/posts';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { ids, profileIds, blockTest as test } from '../../testing/features/blocks.ts';
import { insertPlan } from '../../testing/features/interactions.ts';
import { insertMember, type Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { interactions as requests } from '../interactions/index.ts';
import { profiles as profileRows } from '../profiles/index.ts';
import { mutes, blocks as rows } from '../visibility/index.ts';

describe('a block (§6 block)', () => {
  test('hides both members and what they made from each other, until it ends (threat-blocked-members)', async ({
    database,
    server,
    pair,
    publish,
    act,
  }) => {
    const [ana, ben] = await pair();
    const postId = await publish(ben);
    const planId = await insertPlan(database, ben);
    const { reply: seen } = await server.call(ana, posts.feed);
    expect(ids(seen)).toContain(postId);
    expect((await act(ana, 'block', ben)).reply).toEqual({ status: 'ok' });

    const one = { params: { id: postId } };
    for (const list of [posts.feed, posts.recent])
      expect(ids((await server.call(ana, list)).reply)).not.toContain(postId);
    const byBen = { params: { id: ben.profileId } };
    expect((await server.call(ana, posts.byCreator, byBen)).reply.items).toEqual([]);
    expect((await server.call(ana, posts.get, one)).problem.type).toBe('post_not_found');
    const body = { postId };
    for (const call of [posts.like, posts.unlike, posts.updateLikes, posts.save])
      expect((await server.call(ana, call, { body })).problem.type).toBe('post_not_found');
    expect((await server.call(ana, profiles.get, byBen)).problem.type).toBe('profile_not_found');
    expect(ids((await server.call(ana, profiles.people)).reply)).not.toContain(ben.profileId);
    const search = { query: { search: 'Ben' } };
    expect(ids((await server.call(ana, profiles.people, search)).reply)).not.toContain(ben.profileId);
    expect((await server.call(ana, plans.byCreator, byBen)).problem.type).toBe('profile_not_found');
    expect((await server.call(ana, plans.get, { params: { id: planId } })).problem.type).toBe(
      'plan_not_found',
    );

    // The same the other way round.
    const byAna = { params: { id: ana.profileId } };
    expect((await server.call(ben, profiles.get, byAna)).problem.type).toBe('profile_not_found');
    const own = await publish(ana);
    expect(ids((await server.call(ben, posts.feed)).reply)).not.toContain(own);

    await act(ana, 'unblock', ben);
    expect(ids((await server.call(ana, posts.feed)).reply)).toContain(postId);
    expect((await server.call(ana, posts.like, { body })).reply).toMatchObject({ totalLikes: 1 });
  });

  test('keeps lists full: hidden rows are no part of a page', async ({ server, pair, publish, act }) => {
    const [ana, ben] = await pair();
    const [cora] = await pair();
    const shown: string[] = [];
    for (let count = 0; count < 10; count++) shown.push(await publish(cora));
    for (let count = 0; count < 12; count++) await publish(ben);
    await act(ana, 'block', ben);
    const { reply } = await server.call(ana, posts.feed);
    expect(ids(reply).sort()).toEqual(shown.sort());
  });

  test('leaves the other’s likes in the totals', async ({ server, pair, publish, act }) => {
    const [ana, ben] = await pair();
    const postId = await publish(ana);
    await server.call(ben, posts.like, { body: { postId } });
    await act(ana, 'block', ben);
    expect((await server.call(ana, posts.get, { params: { id: postId } })).reply.totalLikes).toBe(1);
  });

  test('reaches both sessions before the reply (threat-blocked-members)', async ({ platform, pair, act }) => {
    const [ana, ben] = await pair();
    for (const name of ['block', 'unblock'] as const) {
      platform.viewersChanged.length = 0;
      await act(ana, name, ben);
      expect(platform.viewersChanged.sort()).toEqual([ana.accountId, ben.accountId].sort());
    }
    platform.viewersChanged.length = 0;
    await act(ana, 'unblock', ben);
    expect(platform.viewersChanged).toEqual([]);
  });

  test('is listed for the blocker alone, by the name that the member had at the block', async ({
    database,
    server,
    pair,
    act,
  }) => {
    const [ana, ben] = await pair();
    await act(ana, 'block', ben);
    await database.update(profileRows).set({ name: 'Benny' }).where(eq(profileRows.id, ben.profileId));
    expect((await server.call(ana, blocks.blocked)).reply).toEqual({
      items: [{ id: ben.profileId, name: 'Ben', mixId: null, blockedAt: expect.any(String) }],
      next: null,
    });
    expect((await server.call(ben, blocks.blocked)).reply.items).toEqual([]);
    // Blocking back shows the name by which Ben knows Ana.
    await database.update(profileRows).set({ name: 'Anna' }).where(eq(profileRows.id, ana.profileId));
    await act(ben, 'block', ana);
    expect((await server.call(ben, blocks.blocked)).reply.items).toMatchObject([{ name: 'Ana' }]);
  });

  test('lasts while either of two blocks does', async ({ server, pair, act }) => {
    const [ana, ben] = await pair();
    await act(ana, 'block', ben);
    await act(ben, 'block', ana);
    await act(ana, 'unblock', ben);
    const one = { params: { id: ben.profileId } };
    expect((await server.call(ana, profiles.get, one)).problem.type).toBe('profile_not_found');
  });

  test('is of one member by one member: others begin and end by themselves', async ({
    server,
    pair,
    act,
  }) => {
    const [ana, ben] = await pair();
    const [cora, dan] = await pair();
    const listBlocks = async (who: Member) => ids((await server.call(who, blocks.blocked)).reply).sort();
    await act(cora, 'block', ben);
    await act(ana, 'block', ben);
    await act(ana, 'block', dan);
    expect([await listBlocks(ana), await listBlocks(cora)]).toEqual([profileIds(ben, dan), profileIds(ben)]);
    await act(ana, 'unblock', ben);
    expect([await listBlocks(ana), await listBlocks(cora)]).toEqual([profileIds(dan), profileIds(ben)]);
  });
});

describe('a request between members of whom one blocked the other', () => {
  test('stays reachable with its chat to read while it is open, by name only (threat-blocked-members)', async ({
    database,
    server,
    act,
  }) => {
    const { creator, client, interactionId, chatId } = await insertChat(database);
    const message = { conversation: chatId, message: 'Hello', clientKey: 'before-block' };
    await server.call(creator, receipts.sendMessage, { body: message });
    await act(client, 'block', creator);

    const { reply } = await server.call(client, receipts.receipt, { params: { id: chatId } });
    expect(reply.interaction).toMatchObject({
      id: interactionId,
      blocked: true,
      conversationReceipt: chatId,
      creator: { id: '', accountId: '', name: creator.name, username: '' },
      creatorAccountId: '',
      clientAccountId: client.accountId,
      whoSentReq: { id: client.profileId },
      cover: { imageId: null },
    });
    expect(reply.messages.items).toMatchObject([{ body: 'Hello', userId: '', name: creator.name }]);
    expect(JSON.stringify(reply)).not.toContain(creator.profileId);
    expect(JSON.stringify(reply)).not.toContain(creator.accountId);
    for (const who of [client, creator]) {
      const body = { ...message, clientKey: 'after-block' };
      expect((await server.call(who, receipts.sendMessage, { body })).problem.type).toBe('chat_read_only');
    }

    await database
      .update(requests)
      .set({
        acceptedAt: nowDate(),
        userSetDoneAt: nowDate(),
        adminSetDoneAt: nowDate(),
        completedAt: nowDate(),
      })
      .where(eq(requests.id, interactionId));
    for (const who of [client, creator]) {
      const read = await server.call(who, receipts.receipt, { params: { id: chatId } });
      expect(read.problem.type).toBe('receipt_not_found');
    }
    const { reply: history } = await server.call(creator, interactions.interactionList, {
      params: { list: 'history' },
    });
    expect(history.items).toMatchObject([
      { id: interactionId, whoSentReq: { id: '', name: client.name }, conversationReceipt: null },
    ]);
  });

  test('can be withdrawn by either while it is not paid', async ({ database, server, pair, act }) => {
    const creator = await insertMember(database, { verified: true });
    const client = await insertMember(database, { verified: true });
    const planId = await insertPlan(database, creator);
    for (const who of [creator, client]) {
      const { reply } = await server.call(client, interactions.createInteraction, { body: { planId } });
      await act(client, 'block', creator);
      const cancelled = await server.call(who, interactions.cancelRequest, {
        body: { interactionId: reply.id },
      });
      expect(cancelled.reply).toMatchObject({ cancelled: true, blocked: true });
      // Nothing new begins between them.
      const again = await server.call(client, interactions.createInteraction, { body: { planId } });
      expect(again.problem.type).toBe('plan_not_found');
      await act(client, 'unblock', creator);
    }
    await pair();
  });
});

describe('wrong inputs change nothing', () => {
  test.for([
    ['oneself', 'self', 'block_own_profile'],
    ['nobody', 'nobody', 'profile_not_found'],
    ['an impossible id', '../x', 'general_argument_invalid'],
    ['no id', undefined, 'general_argument_invalid'],
    ['a list of ids', ['a', 'b'], 'general_argument_invalid'],
  ] as const)('%s', async ([, input, type], { database, server, pair }) => {
    const [ana] = await pair();
    const profileId = input === 'self' ? ana.profileId : input;
    for (const call of [blocks.block, blocks.mute])
      expect((await server.call(ana, call, { body: { profileId } })).problem.type).toBe(type);
    expect(await database.$count(rows, eq(rows.blockerId, ana.profileId))).toBe(0);
    expect(await database.$count(mutes, eq(mutes.muterId, ana.profileId))).toBe(0);
  });

  test('an unknown field and a foreign cursor', async ({ server, pair }) => {
    const [ana, ben] = await pair();
    const body = { profileId: ben.profileId, forEver: true };
    expect((await server.call(ana, blocks.block, { body })).problem.type).toBe('general_argument_invalid');
    for (const call of [blocks.blocked, blocks.muted]) {
      const read = await server.call(ana, call, { query: { cursor: 'elsewhere' } });
      expect(read.problem.type).toBe('general_cursor_not_found');
    }
  });

  test('a repeated block is one block, also at once, and a member blocks at most 500', async ({
    database,
    server,
    pair,
    act,
  }) => {
    const [ana, ben] = await pair();
    const both = await Promise.all([act(ana, 'block', ben), act(ana, 'block', ben)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const others = await Promise.all(Array.from({ length: 498 }, () => insertMember(database)));
    await database.insert(rows).values(
      others.map(({ profileId }) => ({
        blockerId: ana.profileId,
        blockedId: profileId,
        blockerName: 'Ana',
        blockedName: 'Other',
      })),
    );
    const [cora, dan] = await pair();
    const last = await Promise.all([act(ana, 'block', cora), act(ana, 'block', dan)]);
    expect(last.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await act(ana, 'block', ben)).status).toBe(200);
    const first = (await server.call(ana, blocks.blocked)).reply;
    expect(first.items).toHaveLength(20);
    expect(first.next).not.toBeNull();
  });
});
