import { getRouteApi, Link } from '@tanstack/react-router';
import { type Interaction, interactions, partyOf } from '@tara/contract/interactions/interactions';
import { starScale } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { reviews } from '@tara/contract/plans/reviews';
import { call, errorNotice, isProblem, NotFoundError } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { loadPage } from '../../lib/load-page.ts';
import { invalidate, invalidateWithoutRefetch, queryOf, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { EmptyState, Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { ReviewedPlan, ReviewFields, ReviewForm, ViewReview } from './ReviewForm.tsx';
import { storeReview } from './review-cache.ts';

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
        illustration="table"
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
      illustration="table"
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
      return { text: notices.generic.text, ...errorNotice(error) };
    },
  });
  return (
    <ReviewForm form={form} submitLabel="Publish review">
      <ReviewedPlan title={planTitle} creator={creator} cover={cover} />
    </ReviewForm>
  );
}
