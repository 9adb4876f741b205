import { getRouteApi, Link } from '@tanstack/react-router';
import { type Interaction, interactions, partyOf } from '@tara/contract/interactions';
import { starScale } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { reviews } from '@tara/contract/reviews';
import { interactionCan } from '@tara/contract/verdicts';
import { Hourglass, Star } from 'lucide-react';
import { call } from '../../lib/call.ts';
import { errorNotice, isProblem, NotFoundError } from '../../lib/failure.ts';
import { useForm } from '../../lib/form.tsx';
import { invalidate, invalidateWithoutRefetch, queryClient, queryOf, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Card, EmptyState, Page, Skeleton, Skeletons } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { ReviewedPlan } from './ReviewedPlan.tsx';
import { ReviewFields, ReviewForm, storeReview } from './ReviewForm.tsx';

const route = getRouteApi('/_main/write-a-review/$id');

export const reviewedRequestQuery = (id: string) => queryOf(interactions.interaction, { params: { id } });

/** Loads the request to review. @throws NotFoundError with the notice of §8 */
export async function loadReviewedRequest(id: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(reviewedRequestQuery(id));
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
  const party = partyOf(request, account.id);
  const verdict = interactionCan.review(request, party);
  if (verdict === true) return <NewReviewForm request={request} />;
  if (party === 'client' && request.reviewId) {
    return (
      <EmptyState
        icon={Star}
        title={verdict}
        text="Others can read it on the creator’s profile."
        action={
          <Link to="/review-details/$id" params={{ id: request.reviewId }} className={buttonClass()}>
            View review
          </Link>
        }
      />
    );
  }
  const { title, text } = notices.reviewNotYet;
  return (
    <EmptyState
      icon={verdict === title ? Hourglass : Star}
      title={verdict}
      text={verdict === title ? text : undefined}
      action={
        <Link
          to="/profile/history/$id"
          params={{ id: profile.id }}
          className={buttonClass({ variant: 'secondary' })}
        >
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

/** The skeleton of the form. */
export function WriteReviewSkeleton() {
  return (
    <Page title="Write a review" width="form">
      <Skeletons count={1} label="Loading the plan">
        {() => (
          <div className="flex flex-col gap-6">
            <Card padding="sm" className="flex items-center gap-4">
              <Skeleton shape="box" width={80} height={80} />
              <div className="flex-1">
                <Skeleton width="60%" />
                <Skeleton width="40%" />
              </div>
            </Card>
            <Skeleton shape="box" height={120} />
            <Skeleton shape="box" height={160} />
          </div>
        )}
      </Skeletons>
    </Page>
  );
}
