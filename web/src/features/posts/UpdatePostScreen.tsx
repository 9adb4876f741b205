import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Post, posts } from '@tara/contract/posts';
import { wordsOf } from '@tara/contract/problems';
import { Lock } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { usePhoto } from '../../lib/use-photo.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { PostCardSkeleton } from './PostCard.tsx';
import { PostForm } from './PostForm.tsx';
import { changePost } from './post-cache.ts';
import { PostFields, photoMissing, tellPostFailure } from './post-fields.ts';

/** The post as it is now: a form must not begin with an old text. */
export const editedPostQuery = (id: string) => ({
  ...queryOf(posts.get, { params: { id } }),
  staleTime: 0,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
});

/** `/update-post/{id}` (§2): only for the post's creator (§6). */
export function UpdatePostScreen({ id }: { id: string }) {
  const { profile } = useSession();
  const post = useLoaded(editedPostQuery(id));
  return (
    <Page title="Update Post" width="form">
      {post.creatorId === profile.id ? (
        <EditPost post={post} />
      ) : (
        <EmptyState
          icon={Lock}
          title={wordsOf('user_unauthorized').title}
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

/** The shape of the form while its post is on its way. */
export function UpdatePostSkeleton() {
  return (
    <Page title="Update Post" width="form">
      <Skeletons count={1} label="Loading the post">
        {() => <PostCardSkeleton />}
      </Skeletons>
    </Page>
  );
}

function EditPost({ post }: { post: Post }) {
  const navigate = useNavigate();
  const form = useZodForm(PostFields, {
    defaultValues: {
      caption: post.caption,
      location: post.location,
      tags: post.tags.join(', '),
      imageId: post.picture.imageId ?? '',
      alt: post.picture.alt,
    },
  });
  const clearDraft = useDraft(`update-post:${post.id}`, form);
  const photo = usePhoto({
    bucket: 'images',
    imageId: form.watch('imageId'),
    inUse: post.picture.imageId,
    onChange: (imageId) => form.setValue('imageId', imageId, { shouldDirty: true, shouldValidate: true }),
  });
  const update = useMutation({
    mutationFn: async ({ imageId: _before, alt, ...words }: PostFields) => {
      const imageId = await photo.stored();
      const replaced = imageId !== post.picture.imageId ? { imageId } : {};
      return call(posts.update, {
        body: { postId: post.id, ...words, ...(post.usedDp ? {} : { alt, ...replaced }) },
      });
    },
    onSuccess: (changed) => {
      clearDraft();
      changePost(changed.id, changed);
      toast({ title: 'Your post is updated.', tone: 'success' });
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) tellPostFailure(error);
    },
  });
  useUnsavedWarning(form.formState.isDirty && !update.isSuccess);
  useEffect(() => {
    if (update.isSuccess) void navigate({ to: '/post/$id', params: { id: post.id }, replace: true });
  }, [update.isSuccess, navigate, post.id]);
  const submit = (fields: PostFields) => {
    if (update.isPending || update.isSuccess) return;
    if (!post.usedDp && photo.picker.previewUrl === null) {
      form.setError('imageId', { message: photoMissing });
      return;
    }
    update.mutate(fields);
  };
  return (
    <PostForm
      form={form}
      photo={post.usedDp ? null : photo}
      submitLabel="Update Post"
      pending={update.isPending || update.isSuccess}
      onSubmit={submit}
    />
  );
}
