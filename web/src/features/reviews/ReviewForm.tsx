import { useNavigate } from '@tanstack/react-router';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { captionLength, locationLength, starScale, timer } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { ReviewWords, reviews } from '@tara/contract/reviews';
import { useEffect } from 'react';
import { Controller } from 'react-hook-form';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { invalidate, remember, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PhotoPicker } from '../../ui/PhotoPicker.tsx';
import { StarInput } from '../../ui/StarInput.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { toast } from '../../ui/toast.ts';
import { usePhotoUpload } from '../files/index.ts';
import { ReviewedPlan } from './ReviewedPlan.tsx';

/** Stars, words, a photo and a place (§5). What was written survives a reload. */
export function ReviewForm({ request }: { request: Interaction }) {
  const navigate = useNavigate();
  const draft = `review:${request.id}`;
  const photo = usePhotoUpload('images', { keepAs: draft });
  const form = useZodForm(ReviewWords, {
    defaultValues: { caption: '', location: '', stars: starScale.default },
  });
  const { errors, isDirty } = form.formState;
  const clearDraft = useDraft(draft, form);
  const create = useCall(reviews.create, {
    quiet: true,
    onSuccess: (review) => {
      clearDraft();
      photo.used();
      remember(reviews.get, { params: { id: review.id } }, review);
      void invalidate(reviews.byOwner, interactions.interactionList, interactions.manager);
      toast({ title: 'Your review is published', tone: 'success' });
    },
    onError: (error) => {
      if (isProblem(error, 'storage_file_not_found')) photo.used();
      if (isProblem(error, 'review_not_yet', 'review_already_written', 'interaction_not_found')) {
        void invalidate(interactions.interaction);
      }
      if (showFieldErrors(form, error)) return;
      const { title, text = notices.reviewFailed.text } = wordsOfFailure(error);
      toast({ title, text, tone: 'danger', duration: timer.formToast });
    },
  });
  useUnsavedWarning((isDirty || photo.chosen) && !create.isSuccess);
  const written = create.data?.id;
  // After the warning is off, which stands above: effects run in their order.
  useEffect(() => {
    if (written) void navigate({ to: '/review-details/$id', params: { id: written }, replace: true });
  }, [written, navigate]);
  // Only now: the form would give way to 'You already wrote a review' before the new page is there.
  useEffect(() => () => void (written && invalidate(interactions.interaction)), [written]);
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={form.handleSubmit((words) =>
        create.mutate({ body: { ...words, interactionId: request.id, imageId: photo.id } }),
      )}
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
      <Field label="Photo" optional>
        <PhotoPicker {...photo.picker} prompt="Add a photo" rule="JPG or PNG, up to 20 MB" pasteAnywhere />
      </Field>
      <Field label="Location" optional limit={locationLength} error={errors.location?.message}>
        <TextInput {...form.register('location')} />
      </Field>
      <Button
        type="submit"
        block
        pending={create.isPending}
        pendingLabel="Loading..."
        disabledReason={photo.sending && 'The photo is still being sent.'}
      >
        Publish review
      </Button>
    </form>
  );
}
