import { posts } from '@tara/contract/posts/posts';
import { postRoutes } from '../../features/posts/routes.ts';
import { posts as rows } from '../../features/posts/tables.ts';
import { serverTest } from '../test.ts';
import { insertMember, type Member } from './members.ts';
import { insertPicture } from './pictures.ts';

/** Tests of posts: Ana and Ben, and posts of theirs. */
export const test = serverTest((app, platform) => postRoutes(app, platform))
  .extend('ana', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ana' }))
  .extend('ben', { scope: 'file' }, ({ database }) => insertMember(database, { name: 'Ben' }))
  .extend(
    'upload',
    { scope: 'file' },
    ({ database }) =>
      (owner: Member) =>
        insertPicture(database, { ownerAccountId: owner.accountId }),
  )
  .extend('publish', { scope: 'file' }, ({ server, upload }) => async (owner: Member, caption = 'Hi') => {
    const body = {
      caption,
      location: 'Cebu',
      tags: 'beach, sun set',
      imageId: await upload(owner),
      alt: 'Sea',
    };
    return (await server.call(owner, posts.create, { body })).reply;
  })
  .extend(
    'countPosts',
    { scope: 'file' },
    ({ database }) =>
      () =>
        database.$count(rows),
  );
