import { urlAtWidth } from '@tara/contract/files';
import { type Interaction, interactions } from '@tara/contract/interactions';
import { captionLength, locationLength, starScale } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { plans } from '@tara/contract/plans';
import { profiles } from '@tara/contract/profiles';
import { ReviewFormFields, reviews } from '@tara/contract/reviews';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem } from '../../lib/failure.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { PhotoField, StarField, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate, invalidateWithoutRefetch, setQueryDataOf } from '../../lib/queries.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { toast } from '../../ui/toast.ts';

/** The fields of the form; the id of the photo is set once it is stored, '' without one. */
const ReviewFields = z.strictObject({ ...ReviewFormFields.shape, imageId: z.string() });

/** Stars, caption, photo and location (§5). The draft survives a reload. */
export function ReviewForm({ request }: { request: Interaction }) {
  const form = useForm({
    schema: ReviewFields,
    defaultValues: { caption: '', location: '', stars: starScale.default, imageId: '' },
    draft: { key: `review:${request.id}` },
    send: (fields) =>
      call(reviews.create, {
        body: { ...fields, imageId: fields.imageId || null, interactionId: request.id },
      }),
    onSuccess: (review) => {
      setQueryDataOf(reviews.get, { params: { id: review.id } }, review);
      void invalidate(
        reviews.byOwner,
        interactions.interactionList,
        interactions.manager,
        profiles.get,
        plans.get,
        plans.byCreator,
      );
      // A refetch would replace the form by 'You already wrote a review' before the next page is shown.
      invalidateWithoutRefetch(interactions.interaction);
      toast({ title: 'Your review is published', tone: 'success' });
    },
    leaveTo: ({ id }) => ({ to: '/review-details/$id', params: { id }, replace: true }),
    failureNotice: (error) => {
      if (isProblem(error, 'review_not_yet', 'review_already_written', 'interaction_not_found')) {
        void invalidate(interactions.interaction);
      }
      return { text: notices.reviewFailed.text, ...errorNotice(error) };
    },
  });
  return (
    <Form form={form} className="flex flex-col gap-4">
      <ReviewedPlan request={request} />
      <StarField form={form} name="stars" label="Your rating" />
      <TextAreaField
        form={form}
        name="caption"
        label="Caption"
        hint="How was it? What should others know?"
        limit={captionLength}
        rows={5}
      />
      <PhotoField form={form} name="imageId" label="Photo" optional prompt="Add a photo" pasteAnywhere />
      <TextField form={form} name="location" label="Location" optional limit={locationLength} />
      <SubmitButton form={form} block pendingLabel="Loading...">
        Publish review
      </SubmitButton>
    </Form>
  );
}

/** The plan and the creator that are reviewed. */
function ReviewedPlan({ request: { cover, planTitle, creator } }: { request: Interaction }) {
  return (
    <Card padding="sm" className="flex items-center gap-4">
      <Picture
        {...cover}
        source={(width) => urlAtWidth(cover.imageUrl, width)}
        ratio="1 / 1"
        sizes="80px"
        className="w-20! shrink-0 rounded-control"
      />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{planTitle}</p>
        <p className="mt-1 flex items-center gap-2 text-ink-soft">
          <Avatar name={creator.name} src={urlAtWidth(creator.picture.imageUrl, 96)} size="xs" />
          with <PersonName person={creator} />
        </p>
      </div>
    </Card>
  );
}
