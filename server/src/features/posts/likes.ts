import { tasks } from '../../platform/tasks.ts';
import { likeable } from '../likes/index.ts';
import { postLikes, posts } from './tables.ts';

/** Likes of posts; the place among the popular posts moves with them (decision 0034). */
export const likeablePosts = likeable({
  collection: 'posts',
  table: posts,
  members: [posts.creatorId],
  likes: {
    collection: 'likedPosts',
    table: postLikes,
    subject: postLikes.postId,
    index: 'post_likes_own_id',
  },
  event: 'postLiked',
  task: tasks.notifyPostLikes,
  problem: 'post_not_found',
});
