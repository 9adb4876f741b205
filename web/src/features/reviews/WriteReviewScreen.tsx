import { getRouteApi, Link } from '@tanstack/react-router';
import { type Interaction, interactionCan, interactions, partyOf } from '@tara/contract/interactions';
import { notices } from '@tara/contract/notices';
import { Hourglass, Star } from 'lucide-react';
import { isProblem, NotFoundError } from '../../lib/failure.ts';
import { queryClient, queryOf, useLoaded } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { useSession } from '../accounts/index.ts';
import { ReviewForm } from './ReviewForm.tsx';

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
  const { account } = useSession();
  const party = partyOf(request, account.id);
  const verdict = interactionCan.review(request, party);
  if (verdict === true) return <ReviewForm request={request} />;
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
        <Link to="/manage-plans" className={buttonClass({ variant: 'secondary' })}>
          Go to Plan Manager
        </Link>
      }
    />
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
