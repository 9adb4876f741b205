import { getRouteApi, Link } from '@tanstack/react-router';
import { text } from '@tara/contract/fields';
import { type Interaction, interactions, partyOf } from '@tara/contract/interactions/interactions';
import {
  captionLength,
  locationLength,
  reviewPhotoLimit,
  starScale,
  tagsLength,
} from '@tara/contract/limits';
import type { Person } from '@tara/contract/members/profiles';
import { notices } from '@tara/contract/notices';
import { type Review, ReviewFormFields, reviewCan, reviews } from '@tara/contract/plans/reviews';
import { problemNotice } from '@tara/contract/problems';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { call, errorNotice, isProblem, NotFoundError } from '../../lib/call.ts';
import { type FormHandle, formQueryOf, useForm } from '../../lib/form.tsx';
import { Form, StarField, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { loadPage } from '../../lib/load-page.ts';
import { PhotosField, storedPhotos } from '../../lib/photos-field.tsx';
import { invalidate, invalidateWithoutRefetch, queryOf, useLoaded } from '../../lib/queries.ts';
import { PersonAvatar, StoredPicture } from '../../lib/stored-picture.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { PersonName } from '../../ui/facts.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { storeReview } from './review-cache.ts';

/** The fields of the form; unfinished uploads among the photos are left out. */
const ReviewFields = z.strictObject({
  ...ReviewFormFields.shape,
  tags: text(tagsLength),
  imageIds: z.pipe(z.array(z.string()), z.transform(storedPhotos)),
});
type Values = z.input<typeof ReviewFields>;

const route = getRouteApi('/_main/write-a-review/$id');

const reviewedRequestQuery = (id: string) => queryOf(interactions.interaction, { params: { id } });

/** Loads the request to review. @throws NotFoundError with the notice of §8 */
export async function loadReviewedRequest(id: string): Promise<void> {
  try {
    await loadPage('/write-a-review/:id', { interactions }, { id });
  } catch (error) {
    if (!isProblem(error, 'interaction_not_found')) throw error;
    throw new NotFoundError({
      ...notices.reviewWithoutInteraction,
      text: 'You have no such request. Your history shows the plans you can review.',
    });
  }
}

/** /write-a-review/{id} (§2): the client of a confirmed request writes a review. `id` is the request's. */
export function WriteReviewScreen() {
  const { id } = route.useParams();
  return (
    <Page title="Write a review" width="form">
      <Reviewable request={useLoaded(reviewedRequestQuery(id))} />
    </Page>
  );
}

/** The form, or why it is not available. */
function Reviewable({ request }: { request: Interaction }) {
  const { account, profile } = useSession();
  const verdict = request.can.review;
  if (verdict === true) return <NewReviewForm request={request} />;
  if (request.reviewId && partyOf(request, account.id) === 'client') {
    return (
      <EmptyState
        scene="table"
        title={verdict}
        text="Others can read it on the creator’s profile."
        action={<ViewReview id={request.reviewId} />}
      />
    );
  }
  const { title, text } = notices.reviewNotYet;
  const look = buttonClass({ variant: 'secondary' });
  return (
    <EmptyState
      scene="table"
      title={verdict}
      text={verdict === title ? text : undefined}
      action={
        <Link to="/profile/history/$id" params={{ id: profile.id }} className={look}>
          Go to your history
        </Link>
      }
    />
  );
}

/** The draft survives a reload. */
function NewReviewForm({ request }: { request: Interaction }) {
  const { id, planTitle, creator, cover } = request;
  const form = useForm({
    schema: ReviewFields,
    defaultValues: { caption: '', location: '', stars: starScale.default, tags: '', imageIds: [] },
    draft: { key: `review:${id}` },
    send: (fields) => call(reviews.create, { body: { ...fields, interactionId: id } }),
    onSuccess: (review) => {
      storeReview(review);
      void invalidate(interactions.interactionList, interactions.manager);
      // A refetch would replace the form by 'You already wrote a review' before the next page is shown.
      invalidateWithoutRefetch(interactions.interaction);
      toast({ title: 'Your review is published', tone: 'success' });
    },
    leaveTo: (review) => ({ to: '/review-details/$id', params: { id: review.id }, replace: true }),
    failureNotice: (error) => {
      if (isProblem(error, 'review_not_yet', 'review_already_written', 'interaction_not_found')) {
        void invalidate(interactions.interaction);
      }
      return { text: notices.reviewFailed.text, ...errorNotice(error) };
    },
  });
  return (
    <ReviewForm form={form} submitLabel="Publish review">
      <ReviewedPlan title={planTitle} creator={creator} cover={cover} />
    </ReviewForm>
  );
}

const updateRoute = getRouteApi('/_main/update-review/$id');

const editedReviewQuery = (id: string) => formQueryOf(reviews.get, { params: { id } });

/** `/update-review/{id}`: for its writer, within 24 hours. */
export function UpdateReviewScreen() {
  const { id } = updateRoute.useParams();
  const { profile } = useSession();
  const review = useLoaded(editedReviewQuery(id));
  const verdict = reviewCan.edit(profile.id, review);
  return (
    <Page title="Edit review" width="form">
      {verdict === true ? (
        <EditReview review={review} />
      ) : (
        <EmptyState scene="cat" {...problemNotice(verdict)} action={<ViewReview id={id} />} />
      )}
    </Page>
  );
}

/** To the page of a review that exists. */
const ViewReview = ({ id }: { id: string }) => (
  <Link to="/review-details/$id" params={{ id }} className={buttonClass()}>
    View review
  </Link>
);

function EditReview({ review }: { review: Review }) {
  const { id, caption, location, stars, tags, photos, planTitle, owner } = review;
  const imageIds = photos.flatMap(({ imageId }) => imageId ?? []);
  const form = useForm({
    schema: ReviewFields,
    defaultValues: { caption, location, stars, tags: tags.join(', '), imageIds },
    draft: { key: `update-review:${id}` },
    send: (fields) => call(reviews.update, { body: { ...fields, reviewId: id } }),
    onSuccess: (changed) => {
      storeReview(changed);
      toast({ title: 'Your review is updated', tone: 'success' });
    },
    leaveTo: () => ({ to: '/review-details/$id', params: { id }, replace: true }),
  });
  return (
    <ReviewForm form={form} inUse={imageIds} submitLabel="Save changes">
      <ReviewedPlan title={planTitle} creator={owner} />
    </ReviewForm>
  );
}

interface ReviewFormProps {
  form: FormHandle<Values, z.output<typeof ReviewFields>>;
  /** The review's current photos. */
  inUse?: readonly string[];
  submitLabel: string;
  /** What is reviewed. */
  children: ReactNode;
}

/** Stars, text, photos, location and tags (§5): the form of /write-a-review and /update-review. */
function ReviewForm({ form, inUse = [], submitLabel, children }: ReviewFormProps) {
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
function ReviewedPlan({ title, creator, cover }: ReviewedPlanProps) {
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
