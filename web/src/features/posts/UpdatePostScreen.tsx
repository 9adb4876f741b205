import { Link } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { type Post, postCan, posts } from '@tara/contract/posts/posts';
import { problemNotice } from '@tara/contract/problems';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { formQueryOf, useForm, withReason } from '../../lib/form.tsx';
import { useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { changePost } from './PostActions.tsx';
import { PostFields, PostForm } from './PostForm.tsx';

/** A post with the profile picture requires no photo of its own. */
const PhotolessFields = z.extend(PostFields, { imageId: z.string() });

const editedPostQuery = (id: string) => formQueryOf(posts.get, { params: { id } });

/** `/update-post/{id}` (§2): only for the post's creator (§6). */
export function UpdatePostScreen({ id }: { id: string }) {
  const { profile } = useSession();
  const post = useLoaded(editedPostQuery(id));
  return (
    <Page title="Update Post" width="form">
      {postCan.change(profile.id, post) ? (
        <EditPost post={post} />
      ) : (
        <EmptyState
          illustration="cat"
          title={problemNotice('user_unauthorized').title}
          text="Only its creator can change a post."
          action={
            <Link to="/" className={buttonClass()}>
              Home
            </Link>
          }
        />
      )}
    </Page>
  );
}

function EditPost({ post }: { post: Post }) {
  const { id, usedDp, picture } = post;
  const form = useForm({
    schema: usedDp ? PhotolessFields : PostFields,
    defaultValues: {
      caption: post.caption,
      location: post.location,
      tags: post.tags.join(', '),
      imageId: picture.imageId ?? '',
      alt: picture.alt,
    },
    draft: { key: `update-post:${id}` },
    send: ({ imageId, alt, ...fields }) => {
      const replaced = imageId !== picture.imageId ? { imageId } : {};
      return call(posts.update, {
        body: { postId: id, ...fields, ...(usedDp ? {} : { alt, ...replaced }) },
      });
    },
    onSuccess: (changed) => {
      changePost(changed.id, changed);
      toast({ title: 'Your post is updated.', tone: 'success' });
    },
    leaveTo: () => ({ to: '/post/$id', params: { id }, replace: true }),
    failureNotice: withReason(notices.postFailed),
  });
  return <PostForm form={form} hidesPhoto={usedDp} inUse={picture.imageId} submitLabel="Update Post" />;
}
