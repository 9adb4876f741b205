import * as z from 'zod/mini';
import { type Call, Done, type Nothing, post } from '../calls.ts';
import { Id, wholeNumber } from '../fields.ts';

/** What can be liked, and how a like names it. */
const subjects = {
  post: { key: 'postId', problem: 'post_not_found' },
  review: { key: 'reviewId', problem: 'review_not_found' },
} as const;
type Subjects = typeof subjects;

const LikeReply = z.extend(Done, { totalLikes: z.int(), liked: z.boolean() });

/** The likes of a record as a member sees them: how many, and whether the member's own is among them. */
export type Likes = Omit<z.infer<typeof LikeReply>, 'status'>;

/** The calls of likes, of which `Body` names the record. */
export interface LikeCalls<Body extends z.ZodMiniType> {
  like: Call<Nothing, Nothing, Body, typeof LikeReply, 'member'>;
  unlike: Call<Nothing, Nothing, Body, typeof LikeReply, 'member'>;
  updateLikes: Call<Nothing, Nothing, Body, typeof LikeReply, 'member'>;
}

/** The calls by which members like posts or reviews. */
export function likeCalls<Subject extends keyof Subjects>(subject: Subject) {
  const { key, problem } = subjects[subject];
  type Key = Subjects[Subject]['key'];
  const body = z.strictObject({
    ...({ [key]: Id } as Record<Key, typeof Id>),
    /** The total that the client shows (§4). Any value is ignored: the count is derived from the like rows. */
    totalLikes: z.optional(wholeNumber()),
  });
  const options = { body, reply: LikeReply, errors: [problem] };
  return {
    like: post('/like', { ...options, summary: `Likes a ${subject}; repeating it changes nothing.` }),
    unlike: post('/unlike', {
      ...options,
      whileDiskFull: true,
      summary: `Removes a like of a ${subject}; repeating it changes nothing.`,
    }),
    updateLikes: post('/updateLikes', {
      ...options,
      summary: `Returns the count of a ${subject}’s likes; the total sent is ignored.`,
    }),
  };
}
