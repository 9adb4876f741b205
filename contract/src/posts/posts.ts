import * as z from 'zod/mini';
import { calls, get, post } from '../calls.ts';
import { Id, OptionalId, Picture, Time, text } from '../fields.ts';
import { altLength, captionLength, locationLength, search, searchLength, tagsLength } from '../limits.ts';
import { Person } from '../members/profiles.ts';
import { getPage } from '../page.ts';
import { likeCalls } from './likes.ts';

export const Post = z.object({
  id: z.string(),
  creator: Person,
  creatorId: z.string(),
  caption: z.string(),
  picture: Picture,
  location: z.string(),
  tags: z.array(z.string()),
  totalLikes: z.int(),
  createdAt: Time,
  updatedAt: Time,
  /** The picture is the creator's profile picture: the edit form then hides the photo field (decisions §1). */
  usedDp: z.boolean(),
  /** Whether the viewer likes it, and saved it. */
  liked: z.boolean(),
  saved: z.boolean(),
});
export type Post = z.infer<typeof Post>;

export const postCan = {
  /** Only its creator edits and deletes a post (§6). */
  change: (profileId: string, post: { creatorId: string }): boolean => post.creatorId === profileId,
} as const;

/** A tag as it is stored and compared: spellings that look alike, such as full-width letters, are one. */
export const foldTag = (text: string) => text.normalize('NFKC');

/** 'beach, sun set' → ['beach', 'sunset']: folded, split on commas, without spaces, empty tags and duplicates (§3). */
export function parseTags(text: string): string[] {
  const tags = foldTag(text)
    .split(',')
    .map((tag) => tag.replace(/\s+/g, '').replace(/^#+/, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

const fields = {
  caption: text(captionLength),
  location: text(locationLength),
  tags: text(tagsLength),
};

/** The fields of the post form beside its photo (§5). */
export const PostFormFields = z.strictObject(fields);
export type PostFormFields = z.infer<typeof PostFormFields>;

export const NewPost = z.strictObject({ ...fields, imageId: Id, alt: z._default(text(altLength), '') });
export type NewPost = z.infer<typeof NewPost>;

export const PostChange = z.strictObject({
  postId: Id,
  ...fields,
  /** A new photo; the one of the post, or none, leaves it. */
  imageId: OptionalId,
  alt: z.optional(text(altLength)),
});
export type PostChange = z.infer<typeof PostChange>;

export const QuickPost = z.strictObject({
  caption: text(captionLength).check(z.minLength(1, 'Please write something.')),
});
export type QuickPost = z.infer<typeof QuickPost>;

/** What is searched for; an empty text is no search. */
export const SearchText = text(searchLength).check(z.minLength(1, 'Must not be empty.'));

const PostId = z.object({ id: Id });

export const posts = calls('/api/post', {
  feed: getPage('/feed', Post, { summary: 'The home feed by last update, 10 a page (§7).' }),
  recent: getPage('/recent', Post, { summary: 'Posts by creation, 10 a page (§7).' }),
  popular: getPage('/popular', Post, {
    summary: 'Posts by their likes, those of the last hours first, then the newest; 10 a page.',
  }),
  search: get('/search', {
    summary: `Posts that have all words in caption, tags or place, the last one also as a beginning; the best ${search.results} of the newest ${search.newestHits}.`,
    query: z.object({ search: SearchText }),
    reply: z.object({ items: z.array(Post) }),
  }),
  saved: getPage('/saved', Post, { summary: 'The posts that you saved, last saved first, 10 a page (§7).' }),
  likers: getPage('/likers/:id', Person, {
    summary: 'Members who like your own post, last like first, 20 a page.',
    params: PostId,
    errors: ['post_not_found', 'user_unauthorized'],
  }),
  byCreator: getPage('/by/:id', Post, {
    summary: 'One member’s posts, newest first, 10 a page.',
    params: PostId,
  }),
  get: get('/one/:id', { summary: 'One post.', params: PostId, reply: Post, errors: ['post_not_found'] }),
  sharedPicture: get('/shared/:id/picture', {
    summary: 'The picture of a post whose creator shows posts in shared links, for sites that show the link.',
    access: 'anyone',
    params: PostId,
    reply: z.unknown(),
    errors: ['post_not_found'],
  }),
  create: post('/create', {
    summary: 'Publishes a post with an uploaded photo.',
    body: NewPost,
    reply: Post,
    errors: ['storage_file_not_found'],
  }),
  quick: post('/quick', {
    summary: 'Publishes a caption with your profile picture (`usedDp`).',
    body: QuickPost,
    reply: Post,
    errors: ['profile_not_found'],
  }),
  update: post('/update', {
    summary: 'Changes your own post.',
    body: PostChange,
    reply: Post,
    errors: ['post_not_found', 'user_unauthorized', 'storage_file_not_found'],
  }),
  delete: post('/delete', {
    whileDiskFull: true,
    summary: 'Deletes your own post and its picture.',
    body: z.strictObject({ postId: Id }),
    errors: ['post_not_found', 'user_unauthorized'],
  }),
  ...likeCalls('post'),
  save: post('/save', {
    summary: 'Saves a post.',
    body: z.strictObject({ postId: Id }),
    errors: ['post_not_found', 'post_already_saved'],
  }),
  unsave: post('/unsave', {
    whileDiskFull: true,
    summary: 'Removes a post from the saved ones; repeating it changes nothing.',
    body: z.strictObject({ postId: Id }),
  }),
});
