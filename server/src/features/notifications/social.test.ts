import { reports } from '@tara/contract/members/reports';
import { notifications as calls } from '@tara/contract/notifications/notifications';
import { reviews as reviewCalls } from '@tara/contract/plans/reviews';
import { posts as postCalls } from '@tara/contract/posts/posts';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { tasks } from '../../platform/tasks.ts';
import { insertMember, insertMembers, type Member } from '../../testing/features/members.ts';
import { reviewRoutesTest } from '../../testing/features/reviews.ts';
import { accounts } from '../accounts/index.ts';
import { block, mute } from '../blocks/write.ts';
import { postLikes, postRoutes, posts, postTasks } from '../posts/index.ts';
import { reportRoutes } from '../reports/index.ts';
import { reviewTasks } from '../reviews/index.ts';
import { mutes } from '../visibility/index.ts';
import { notify } from './notify.ts';
import { withdrawByMember } from './remove.ts';
import { notificationRoutes } from './routes.ts';
import { notifications } from './tables.ts';

const test = reviewRoutesTest((app, platform) => {
  postRoutes(app, platform);
  reportRoutes(app, platform);
  notificationRoutes(app, platform);
})
  .extend('newPost', ({ database, creator }) => async () => {
    const id = newId();
    await database.insert(posts).values({ id, creatorId: creator.profileId, usedDp: true });
    return id;
  })
  .extend(
    'like',
    ({ server }) =>
      (who: Member, postId: string) =>
        server.call(who, postCalls.like, { body: { postId } }),
  )
  .extend(
    'unlike',
    ({ server }) =>
      (who: Member, postId: string) =>
        server.call(who, postCalls.unlike, { body: { postId } }),
  )
  /** Does the jobs of likes, each twice. */
  .extend('work', ({ platform }) => async () => {
    const handlers: Record<string, (payload: unknown, helpers: never) => Promise<void>> = {
      ...postTasks(platform),
      ...reviewTasks(platform),
    };
    const jobs = (await platform.takeJobs()).filter(({ task }) => task in handlers);
    for (const { task, payload } of [...jobs, ...jobs]) await handlers[task]?.(payload, {} as never);
    return jobs.length;
  })
  .extend('titles', ({ server }) => async (who: Member) => {
    const { reply } = await server.call(who, calls.list, { query: {} });
    return reply.items.map(({ title }) => title);
  });

test.beforeEach(async ({ database, platform }) => {
  await platform.takeJobs();
  await database.delete(notifications);
});

test('the likes of a post are one notification, by the latest, with how many others', async ({
  database,
  creator,
  newPost,
  like,
  unlike,
  work,
  titles,
}) => {
  const id = await newPost();
  const [ben, cora, dan] = (await Promise.all(
    ['Ben', 'Cora', 'Dan'].map((name) => insertMember(database, { name })),
  )) as [Member, Member, Member];
  await like(creator, id);
  await like(ben, id);
  expect(await work()).toBe(1);
  expect(await titles(creator)).toEqual(['Ben liked your post']);
  // Who likes it in the place of another is named, and how many others do so now.
  await unlike(ben, id);
  await like(cora, id);
  await work();
  expect(await titles(creator)).toEqual(['Cora liked your post']);
  await unlike(cora, id);
  for (const who of [ben, cora, dan]) await like(who, id);
  await work();
  expect(await titles(creator)).toEqual(['Dan and 2 others liked your post']);
  await unlike(cora, id);
  await work();
  expect(await titles(creator)).toEqual(['Dan and one other liked your post']);
  await unlike(dan, id);
  for (const who of [cora, dan]) await like(who, id);
  await work();
  expect(await titles(creator)).toEqual(['Dan and 2 others liked your post']);
  // What was taken back is not named any more.
  await unlike(dan, id);
  await work();
  expect(await titles(creator)).toEqual(['Cora and one other liked your post']);
  // What was read stays; what follows is another one.
  await database.update(notifications).set({ readAt: sql`now()` });
  await like(dan, id);
  await work();
  expect(await titles(creator)).toEqual(['Dan liked your post', 'Cora and one other liked your post']);
  await unlike(dan, id);
  await work();
  expect(await titles(creator)).toEqual(['Cora and one other liked your post']);
  // A job that runs after the post is gone does nothing.
  await like(dan, id);
  await database.delete(posts).where(eq(posts.id, id));
  await work();
  expect(await titles(creator)).toEqual([]);
});

test('each post has a notification of its own, whatever was read of another', async ({
  database,
  creator,
  newPost,
  like,
  work,
  titles,
}) => {
  const [first, second] = [await newPost(), await newPost()];
  const [ben, cora] = [
    await insertMember(database, { name: 'Ben' }),
    await insertMember(database, { name: 'Cora' }),
  ];
  await like(ben, first);
  await like(cora, second);
  await work();
  expect((await titles(creator)).sort()).toEqual(['Ben liked your post', 'Cora liked your post']);
  // One that was read, and is newer than the like.
  const newer = { readAt: sql`now()`, createdAt: sql`now() + interval '1 minute'` };
  await database.update(notifications).set(newer).where(eq(notifications.recordId, first));
  await like(ben, second);
  await work();
  expect((await titles(creator)).sort()).toEqual([
    'Ben and one other liked your post',
    'Ben liked your post',
  ]);
  const third = await newPost();
  await like(cora, third);
  await work();
  expect(await titles(creator)).toContain('Cora liked your post');
});

test('10,000 who like a post notify its author at most once a minute', async ({
  database,
  creator,
  newPost,
  like,
  work,
  titles,
}) => {
  const id = await newPost();
  const likers = await Promise.all(Array.from({ length: 12 }, () => insertMember(database)));
  await Promise.all(likers.map((who) => like(who, id)));
  const waiting = () =>
    database.execute<{ wait: number }>(sql`
      select round(extract(epoch from run_at - jobs.created_at))::int as wait
      from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = task_id
      where identifier = ${tasks.notifyPostLikes.name}`);
  expect([...(await waiting())]).toEqual([{ wait: 60 }]);
  await work();
  expect(await titles(creator)).toEqual([expect.stringMatching(/ and 11 others liked your post$/)]);
  await insertMembers(database, 'liker', 10_000);
  await database.execute(sql`
    insert into post_likes (id, who_liked, post_id)
    select md5(profiles.id), profiles.id, ${id} from profiles where id like 'liker%'`);
  const [last, another] = await Promise.all([insertMember(database), insertMember(database)]);
  await like(last, id);
  await like(another, id);
  expect([...(await waiting())]).toEqual([{ wait: 60 }]);
  expect(await work()).toBe(1);
  expect(await titles(creator)).toEqual([expect.stringMatching(/ and more than 99 others liked your post$/)]);
  expect(await work()).toBe(0);
});

test('likes that were read of long ago are not counted again', async ({
  database,
  creator,
  newPost,
  like,
  work,
  titles,
}) => {
  const id = await newPost();
  const [ben, cora, dan] = (await Promise.all(
    ['Ben', 'Cora', 'Dan'].map((name) => insertMember(database, { name })),
  )) as [Member, Member, Member];
  await like(ben, id);
  await work();
  // As after 90 days.
  await database.delete(notifications);
  await database.update(postLikes).set({ createdAt: sql`now() - interval '100 days'` });
  await like(cora, id);
  await work();
  expect(await titles(creator)).toEqual(['Cora liked your post']);
  await like(dan, id);
  await work();
  expect(await titles(creator)).toEqual(['Dan and one other liked your post']);
});

test('one notification of several names another of them once who it named is gone', async ({
  database,
  platform,
  creator,
  newPost,
  like,
  work,
  titles,
}) => {
  const id = await newPost();
  const people = await Promise.all(
    ['Ben', 'Cora', 'Dan', 'Eve'].map((name) => insertMember(database, { name })),
  );
  const [ben, cora, dan, eve] = people as [Member, Member, Member, Member];
  for (const who of people) await like(who, id);
  await work();
  expect(await titles(creator)).toEqual(['Eve and 3 others liked your post']);
  await database
    .update(accounts)
    .set({ suspendedUntil: sql`now() + interval '1 day'` })
    .where(eq(accounts.id, eve.accountId));
  await database.transaction((transaction) => withdrawByMember(transaction, platform, eve.profileId));
  await work();
  expect(await titles(creator)).toEqual(['Dan and 2 others liked your post']);
  await mute(platform, creator, dan.profileId);
  await work();
  expect(await titles(creator)).toEqual(['Cora and one other liked your post']);
  await block(platform, cora, creator.profileId);
  await work();
  expect(await titles(creator)).toEqual([`${ben.name} liked your post`]);
});

test('nobody hears of what a suspended member did', async ({ database, creator, newPost }) => {
  const ben = await insertMember(database, { name: 'Ben' });
  const request = (recordId: string) =>
    database.transaction((transaction) =>
      notify(transaction, {
        ...{ event: 'messageRequest', to: { profileId: creator.profileId }, recordId },
        actorId: ben.profileId,
      }),
    );
  expect(await request(await newPost())).toBe(true);
  await database
    .update(accounts)
    .set({ suspendedUntil: sql`now() + interval '1 day'` })
    .where(eq(accounts.id, ben.accountId));
  expect(await request(await newPost())).toBe(false);
});

test('likes of a member whom the author muted notify nobody', async ({
  database,
  creator,
  newPost,
  like,
  work,
  titles,
}) => {
  const [id, ben] = [await newPost(), await insertMember(database)];
  await database.insert(mutes).values({ muterId: creator.profileId, mutedId: ben.profileId });
  await like(ben, id);
  await work();
  expect(await titles(creator)).toEqual([]);
  expect(await database.$count(postLikes, eq(postLikes.postId, id))).toBe(1);
});

test('a review and its comments notify the others of the two, and go with the record', async ({
  server,
  database,
  creator,
  client,
  stranger,
  publish,
  titles,
}) => {
  const review = await publish();
  expect(await titles(creator)).toEqual([`${client.name} reviewed your plan ${review.planTitle}`]);
  const clientKey = newId();
  const comment = async (who: Member, body: string) => {
    const { reply } = await server.call(who, reviewCalls.createComment, {
      body: { reviewId: review.id, body, clientKey },
    });
    return reply;
  };
  await comment(creator, 'Thank you');
  await comment(creator, 'Thank you');
  expect(await titles(client)).toEqual([`${creator.name} commented on your review`]);
  const { id } = (await comment(stranger, 'Nice')).comment;
  const byStranger = `${stranger.name} commented on`;
  expect((await titles(client))[0]).toBe(`${byStranger} your review`);
  expect((await titles(creator))[0]).toBe(`${byStranger} a review about you`);
  await server.call(stranger, reviewCalls.deleteComment, { body: { commentId: id } });
  expect((await titles(creator)).filter((title) => title.startsWith(byStranger))).toEqual([]);
  await database.execute(sql`delete from reviews where id = ${review.id}`);
  expect(await titles(creator)).toEqual([]);
  expect(await titles(client)).toEqual([]);
});

test('who reported and who is suspended for it are notified, and what that member did is shown no more', async ({
  server,
  database,
  creator,
  newPost,
  like,
  work,
  titles,
}) => {
  const [admin, ben, reporter] = [
    await insertMember(database, { admin: true }),
    await insertMember(database, { name: 'Ben' }),
    await insertMember(database),
  ];
  const [likedId, otherId] = [await newPost(), await newPost()];
  const cora = await insertMember(database, { name: 'Cora' });
  await like(cora, otherId);
  await like(ben, likedId);
  await work();
  expect((await titles(creator)).sort()).toEqual(['Ben liked your post', 'Cora liked your post']);
  await server.call(reporter, reports.create, {
    body: { kind: 'member', recordId: ben.profileId, reason: 'spam', detail: '' },
  });
  const { items } = (await server.call(admin, reports.open, { query: {} })).reply;
  const { status } = await server.call(admin, reports.decide, {
    body: { id: items.at(-1)?.id ?? '', decision: 'suspend', days: 3 },
  });
  expect(status).toBe(200);
  expect(await titles(reporter)).toEqual(['An admin decided about your report']);
  expect(await titles(ben)).toEqual(['An admin suspended your account']);
  expect(await titles(creator)).toEqual(['Cora liked your post']);
  await like(reporter, likedId);
  await work();
  expect(await titles(creator)).toEqual([`${reporter.name} liked your post`, 'Cora liked your post']);
});
