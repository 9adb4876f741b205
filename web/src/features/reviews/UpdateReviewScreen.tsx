import { getRouteApi } from '@tanstack/react-router';
import { type Review, reviewCan, reviews } from '@tara/contract/plans/reviews';
import { problemNotice } from '@tara/contract/problems';
import { call } from '../../lib/call.ts';
import { formQueryOf, useForm } from '../../lib/form.tsx';
import { useLoaded } from '../../lib/queries.ts';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { ReviewedPlan, ReviewFields, ReviewForm, ViewReview } from './ReviewForm.tsx';
import { storeReview } from './review-cache.ts';

const route = getRouteApi('/_main/update-review/$id');

const editedReviewQuery = (id: string) => formQueryOf(reviews.get, { params: { id } });

/** `/update-review/{id}`: for its writer, within 24 hours. */
export function UpdateReviewScreen() {
  const { id } = route.useParams();
  const { profile } = useSession();
  const review = useLoaded(editedReviewQuery(id));
  const verdict = reviewCan.edit(profile.id, review);
  return (
    <Page title="Edit review" width="form">
      {verdict === true ? (
        <EditReview review={review} />
      ) : (
        <EmptyState illustration="cat" {...problemNotice(verdict)} action={<ViewReview id={id} />} />
      )}
    </Page>
  );
}

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
