import { text } from '@tara/contract/fields';
import { captionLength, locationLength, reviewPhotoLimit, tagsLength } from '@tara/contract/limits';
import { plans } from '@tara/contract/plans';
import { profiles } from '@tara/contract/profiles';
import { type Review, ReviewFormFields, reviews } from '@tara/contract/reviews';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { Form, StarField, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { PhotosField, storedPhotos } from '../../lib/photos-field.tsx';
import { invalidate, setQueryDataOf } from '../../lib/queries.ts';

/** The fields of the form; unfinished uploads among the photos are left out. */
export const ReviewFields = z.strictObject({
  ...ReviewFormFields.shape,
  tags: text(tagsLength),
  imageIds: z.pipe(z.array(z.string()), z.transform(storedPhotos)),
});
type Values = z.input<typeof ReviewFields>;

interface ReviewFormProps {
  form: FormHandle<Values, z.output<typeof ReviewFields>>;
  /** The review's current photos. */
  inUse?: readonly string[];
  submitLabel: string;
  /** What is reviewed. */
  children: ReactNode;
}

/** Stars, text, photos, location and tags (§5): the form of /write-a-review and /update-review. */
export function ReviewForm({ form, inUse = [], submitLabel, children }: ReviewFormProps) {
  return (
    <Form form={form} className="flex flex-col gap-4">
      {children}
      <StarField form={form} name="stars" label="Your rating" />
      <TextAreaField
        form={form}
        name="caption"
        label="Your review"
        hint="How was it? What should others know?"
        limit={captionLength}
        rows={5}
      />
      <PhotosField
        form={form}
        name="imageIds"
        label="Photos"
        prompt="Add photos"
        hint="The first is shown in lists."
        limit={reviewPhotoLimit}
        inUse={inUse}
      />
      <TextField form={form} name="location" label="Location" optional limit={locationLength} />
      <TextField
        form={form}
        name="tags"
        label="Tags"
        optional
        hint="Separate them with commas."
        placeholder="coffee, sunset, friends"
        autoCapitalize="none"
      />
      <SubmitButton form={form} block pendingLabel="Loading...">
        {submitLabel}
      </SubmitButton>
    </Form>
  );
}

/** Shows a review that was written or changed, and refetches where its stars count. */
export function storeReview(review: Review): void {
  setQueryDataOf(reviews.get, { params: { id: review.id } }, review);
  void invalidate(reviews.byOwner, profiles.get, plans.get, plans.byCreator);
}
