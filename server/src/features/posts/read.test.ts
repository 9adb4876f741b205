import { nowDate } from '@tara/contract/clock';
import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { prepareRead } from '../../platform/database/prepared.ts';
import { insertMember } from '../../testing/features/members.ts';
import { insertPicture } from '../../testing/features/pictures.ts';
import { test } from '../../testing/test.ts';
import { files, pictureColumns } from '../files/index.ts';
import { profiles } from '../profiles/index.ts';
import { visibilityValues } from '../visibility/index.ts';
import { feedQuery, postReads } from './read.ts';
import { posts } from './tables.ts';

test('a prepared read answers the very rows of the query builder', async ({ connection }) => {
  const { database } = connection;
  const ana = await insertMember(database, { birthDate: '2000-01-02' });
  const imageId = await insertPicture(database, {
    ownerAccountId: ana.accountId,
    usedAt: nowDate(),
    readers: ['a', 'b'],
  });
  await database.insert(posts).values([
    { id: 'one', creatorId: ana.profileId, imageId, tags: ['a', 'b "c"'] },
    { id: 'two', creatorId: ana.profileId, usedDp: true },
  ]);
  const selection = {
    post: { id: posts.id, tags: posts.tags, at: posts.createdAt, likes: posts.totalLikes },
    profile: { id: profiles.id, day: profiles.birthDate, verified: profiles.verified },
    file: pictureColumns(files),
    many: sql<boolean>`${posts.totalLikes} > 3`,
  };
  const query = database
    .select(selection)
    .from(posts)
    .innerJoin(profiles, eq(profiles.id, posts.creatorId))
    .leftJoin(files, eq(files.id, posts.imageId))
    .where(eq(posts.creatorId, sql.placeholder('creator')))
    .orderBy(posts.id);
  const values = { creator: ana.profileId };
  const rows = await prepareRead(database, selection, query)(values);
  expect(rows).toHaveLength(2);
  expect(rows).toEqual(await query.prepare('same').execute(values));
});

test('the feed is the rows of its query', async ({ connection }) => {
  const { database } = connection;
  const viewer = { profileId: 'nobody', hiddenProfileIds: [], mutedProfileIds: [] };
  const values = { viewer: viewer.profileId, ...visibilityValues(viewer) };
  const rows = await feedQuery(database).prepare('feed').execute(values);
  const feed = await postReads(database).feed(viewer, undefined);
  expect(feed.items.map(({ id }) => id)).toEqual(rows.map(({ post }) => post.id));
});
