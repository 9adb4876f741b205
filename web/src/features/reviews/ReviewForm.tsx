import { Link } from '@tanstack/react-router';
import { text } from '@tara/contract/fields';
import type { Interaction } from '@tara/contract/interactions/interactions';
import { captionLength, locationLength, reviewPhotoLimit, tagsLength } from '@tara/contract/limits';
import type { Person } from '@tara/contract/members/profiles';
import { ReviewFormFields } from '@tara/contract/plans/reviews';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { Form, StarField, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { PhotosField, storedPhotos } from '../../lib/photos-field.tsx';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';

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

interface ReviewedPlanProps {
  title: string;
  creator: Person;
  /** Where it is known. */
  cover?: Interaction['cover'];
}

/** The plan and the creator that are reviewed. */
export function ReviewedPlan({ title, creator, cover }: ReviewedPlanProps) {
  return (
    <div className="flex items-center gap-4">
      {cover && (
        <StoredPicture
          picture={cover}
          ratio="1 / 1"
          sizes="80px"
          className="w-20! shrink-0 rounded-control"
        />
      )}
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="mt-1 flex items-center gap-2 text-ink-soft">
          <PersonAvatar person={creator} size="xs" />
          with <PersonName person={creator} />
        </p>
      </div>
    </div>
  );
}

/** To the page of a review that exists. */
export const ViewReview = ({ id }: { id: string }) => (
  <Link to="/review-details/$id" params={{ id }} className={buttonClass()}>
    View review
  </Link>
);
