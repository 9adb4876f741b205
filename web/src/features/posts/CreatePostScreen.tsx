import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { usePhoto } from '../../lib/use-photo.ts';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.ts';
import { PostForm } from './PostForm.tsx';
import { addPost } from './post-cache.ts';
import { PostFields, photoMissing, tellPostFailure } from './post-fields.ts';

const blank: PostFields = { caption: '', location: '', tags: '', imageId: '', alt: '' };

/** `/create-post` (§2); `textInputed` prefills the caption. */
export function CreatePostScreen({ textInputed = '' }: { textInputed?: string | undefined }) {
  const navigate = useNavigate();
  const form = useZodForm(PostFields, { defaultValues: { ...blank, caption: textInputed } });
  // A prefilled caption is another piece of work than the one that was left here.
  const clearDraft = useDraft(`create-post:${textInputed}`, form);
  const photo = usePhoto({
    bucket: 'images',
    imageId: form.watch('imageId'),
    onChange: (imageId) => form.setValue('imageId', imageId, { shouldDirty: true, shouldValidate: true }),
  });
  const create = useMutation({
    mutationFn: async (fields: PostFields) =>
      // What is still being sent is waited for.
      call(posts.create, { body: { ...fields, imageId: await photo.stored() } }),
    onSuccess: (post) => {
      clearDraft();
      addPost(post);
      toast({ title: 'Your post is published.', tone: 'success' });
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) tellPostFailure(error);
    },
  });
  useUnsavedWarning(form.formState.isDirty && !create.isSuccess);
  // After the render in which the warning above is over.
  useEffect(() => {
    if (create.isSuccess) void navigate({ to: '/' });
  }, [create.isSuccess, navigate]);
  const submit = (fields: PostFields) => {
    if (create.isPending || create.isSuccess) return;
    if (photo.picker.previewUrl === null) {
      form.setError('imageId', { message: photoMissing });
      return;
    }
    create.mutate(fields);
  };
  return (
    <Page title="Create Post" width="form">
      <PostForm
        form={form}
        photo={photo}
        submitLabel="Create Post"
        pending={create.isPending || create.isSuccess}
        onSubmit={submit}
      />
    </Page>
  );
}
