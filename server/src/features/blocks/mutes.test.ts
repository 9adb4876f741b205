import { blocks } from '@tara/contract/members/blocks';
import { profiles } from '@tara/contract/members/profiles';
import { reviews } from '@tara/contract/plans/reviews';
import { posts } from '@tara/contract/posts/posts';
import { eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { ids, profileIds, blockTest as test } from '../../testing/features/blocks.ts';
import type { Member } from '../../testing/features/members.ts';
import { insertChat } from '../../testing/features/receipts.ts';
import { interactions as requests } from '../interactions/index.ts';
import { reviews as reviewRows } from '../reviews/tables.ts';

describe('a mute (§6 mute)', () => {
  test('hides posts and reviews, but not the profile, and only from the one who muted', async ({
    database,
    server,
    platform,
    pair,
    publish,
    act,
  }) => {
    const [ana] = await pair();
    const { creator, client, interactionId } = await insertChat(database);
    const ben = client;
    const postId = await publish(ben);
    const [request] = await database.select().from(requests).where(eq(requests.id, interactionId));
    const review = {
      interactionId,
      creatorId: ben.profileId,
      ownerId: creator.profileId,
      caption: 'Nice',
      stars: 8,
    };
    await database.insert(reviewRows).values({ id: newId(), planId: request?.planId ?? '', ...review });
    platform.viewersChanged.length = 0;
    await act(ana, 'mute', ben);
    expect(platform.viewersChanged).toEqual([ana.accountId]);

    expect(ids((await server.call(ana, posts.feed)).reply)).not.toContain(postId);
    const about = { params: { id: creator.profileId } };
    expect((await server.call(ana, reviews.byOwner, about)).reply.items).toEqual([]);
    expect((await server.call(ben, reviews.byOwner, about)).reply.items).toHaveLength(1);
    const byBen = { params: { id: ben.profileId } };
    expect((await server.call(ana, profiles.get, byBen)).reply).toMatchObject({ muted: true });
    expect((await server.call(ana, posts.get, { params: { id: postId } })).status).toBe(200);
    expect((await server.call(ana, blocks.muted)).reply.items).toMatchObject([{ id: ben.profileId }]);
    await act(ana, 'unmute', ben);
    expect(ids((await server.call(ana, posts.feed)).reply)).toContain(postId);
    expect((await server.call(ana, profiles.get, byBen)).reply).toMatchObject({ muted: false });
  });

  test('of a hidden member is refused as of one who does not exist', async ({ pair, act }) => {
    const [ana, ben] = await pair();
    await act(ben, 'block', ana);
    expect((await act(ana, 'mute', ben)).problem.type).toBe('profile_not_found');
  });

  test('is of one member by one member, and leaves the list when the member is hidden', async ({
    server,
    pair,
    act,
  }) => {
    const [ana, ben] = await pair();
    const [cora, dan] = await pair();
    const listMutes = async (who: Member) => ids((await server.call(who, blocks.muted)).reply).sort();
    await act(cora, 'mute', ben);
    await act(ana, 'mute', dan);
    for (let count = 0; count < 2; count++) expect((await act(ana, 'mute', ben)).status).toBe(200);
    expect([await listMutes(ana), await listMutes(cora)]).toEqual([profileIds(ben, dan), profileIds(ben)]);
    await act(ana, 'unmute', ben);
    expect([await listMutes(ana), await listMutes(cora)]).toEqual([profileIds(dan), profileIds(ben)]);
    await act(dan, 'block', ana);
    expect(await listMutes(ana)).toEqual([]);
  });
});
