import { getRouteApi, Link } from '@tanstack/react-router';
import { problemNotice } from '@tara/contract/problems';
import { type Review, reviewCan, reviews } from '@tara/contract/reviews';
import { Lock } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { errorNotice } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { queryOf, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { ReviewedPlan } from './ReviewedPlan.tsx';
import { ReviewFields, ReviewForm, storeReview } from './ReviewForm.tsx';

const route = getRouteApi('/_main/update-review/$id');

/** The current review: a form must not start with stale text. */
export const editedReviewQuery = (id: string) => ({
  ...queryOf(reviews.get, { params: { id } }),
  staleTime: 0,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
});

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
        <EmptyState
          icon={Lock}
          {...problemNotice(verdict)}
          action={
            <Link to="/review-details/$id" params={{ id }} className={buttonClass()}>
              View review
            </Link>
          }
        />
      )}
    </Page>
  );
}

/** The skeleton of the form. */
export function UpdateReviewSkeleton() {
  return (
    <Page title="Edit review" width="form">
      <Skeletons count={1} label="Loading the review">
        {() => (
          <div className="flex flex-col gap-6">
            <Skeleton shape="box" height={80} />
            <Skeleton shape="box" height={120} />
            <Skeleton shape="box" height={160} />
          </div>
        )}
      </Skeletons>
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
    failureNotice: errorNotice,
  });
  return (
    <ReviewForm form={form} inUse={imageIds} submitLabel="Save changes">
      <ReviewedPlan title={planTitle} creator={owner} />
    </ReviewForm>
  );
}
