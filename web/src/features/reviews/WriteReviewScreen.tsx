import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Interaction, interactionCan, interactions, partyOf } from '@tara/contract/interactions';
import { notices } from '@tara/contract/notices';
import { Hourglass, Star } from 'lucide-react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { ReviewForm } from './ReviewForm.tsx';
import { ReviewFormSkeleton } from './ReviewFormSkeleton.tsx';

/** /write-a-review/{id} (§2): the client of a confirmed request tells how it was. `id` is the request's. */
export function WriteReviewScreen({ id }: { id: string }) {
  const { profile } = useSession();
  const request = useQuery(queryOf(interactions.interaction, { params: { id } }));
  return (
    <Page title="Write a review" width="form">
      {request.isPending && <ReviewFormSkeleton />}
      {request.isLoadingError &&
        (isProblem(request.error, 'interaction_not_found', 'general_argument_invalid') ? (
          <ErrorState
            {...notices.reviewWithoutInteraction}
            text="There is no such request among yours. Your history shows those you can review."
            action={
              <Link to="/profile/history/$id" params={{ id: profile.id }} className={buttonClass()}>
                Go to your history
              </Link>
            }
          />
        ) : (
          <ErrorState
            {...wordsOfFailure(request.error)}
            retrying={request.isFetching}
            onRetry={() => void request.refetch()}
          />
        ))}
      {request.data && <Reviewable request={request.data} />}
    </Page>
  );
}

/** The form, or why there is none. */
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
