import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { captionLength, locationLength, starScale, timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { ReviewWords, reviews } from '@tara/contract/reviews';
import { useEffect } from 'react';
import { Controller } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { isAbort, isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { invalidate, remember } from '../../lib/queries.ts';
import { usePhoto } from '../../lib/use-photo.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PhotoPicker } from '../../ui/PhotoPicker.tsx';
import { StarInput } from '../../ui/StarInput.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast.ts';
import { ReviewedPlan } from './ReviewedPlan.tsx';

/** What stands in the form; the id of the photo comes once it is stored, '' without one. */
const ReviewFields = z.strictObject({ ...ReviewWords.shape, imageId: z.string() });
type ReviewFields = z.infer<typeof ReviewFields>;

const blank: ReviewFields = { caption: '', location: '', stars: starScale.default, imageId: '' };

/** Stars, words, a photo and a place (§5). What was written survives a reload. */
export function ReviewForm({ request }: { request: Interaction }) {
  const navigate = useNavigate();
  const form = useZodForm(ReviewFields, { defaultValues: blank });
  const { errors, isDirty } = form.formState;
  const clearDraft = useDraft(`review:${request.id}`, form);
  const photo = usePhoto({
    bucket: 'images',
    imageId: form.watch('imageId'),
    onChange: (imageId) => form.setValue('imageId', imageId, { shouldDirty: true }),
  });
  const create = useMutation({
    mutationFn: async (fields: ReviewFields) => {
      // What is still being sent is waited for.
      const imageId = (await photo.stored()) || null;
      return call(reviews.create, { body: { ...fields, imageId, interactionId: request.id } });
    },
    onSuccess: (review) => {
      clearDraft();
      remember(reviews.get, { params: { id: review.id } }, review);
      void invalidate(reviews.byOwner, interactions.interactionList, interactions.manager);
      toast({ title: 'Your review is published', tone: 'success' });
    },
    onError: (error) => {
      if (isAbort(error) || showFieldErrors(form, error)) return;
      if (isProblem(error, 'review_not_yet', 'review_already_written', 'interaction_not_found')) {
        void invalidate(interactions.interaction);
      }
      const { title, text = notices.reviewFailed.text } = wordsOfFailure(error);
      toast({ title, text, tone: 'danger', duration: timer.formToast });
    },
  });
  const chosen = Boolean(photo.picker.previewUrl);
  useUnsavedWarning((isDirty || chosen) && !create.isSuccess);
  const written = create.data?.id;
  // After the warning is off, which stands above: effects run in their order.
  useEffect(() => {
    if (written) void navigate({ to: '/review-details/$id', params: { id: written }, replace: true });
  }, [written, navigate]);
  // Only when leaving: the form would give way to 'You already wrote a review' before the new page is there.
  useEffect(() => () => void (written && invalidate(interactions.interaction)), [written]);
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={form.handleSubmit((fields) => create.mutate(fields))}
    >
      <ReviewedPlan request={request} />
      <Controller
        control={form.control}
        name="stars"
        render={({ field }) => (
          <StarInput label="Your rating" value={field.value} onChange={field.onChange} />
        )}
      />
      <Field
        label="Caption"
        hint="How was it? What should others know?"
        limit={captionLength}
        error={errors.caption?.message}
      >
        <TextArea rows={5} {...form.register('caption')} />
      </Field>
      <Field label="Photo" optional error={photo.refusal ?? errors.imageId?.message}>
        <PhotoPicker
          {...photo.picker}
          prompt="Add a photo"
          rule="JPG or PNG, up to 20 MB"
          pasteAnywhere
          disabled={create.isPending}
        />
      </Field>
      <Field label="Location" optional limit={locationLength} error={errors.location?.message}>
        <TextInput {...form.register('location')} />
      </Field>
      <Button type="submit" block pending={create.isPending} pendingLabel="Loading...">
        Publish review
      </Button>
    </form>
  );
}
