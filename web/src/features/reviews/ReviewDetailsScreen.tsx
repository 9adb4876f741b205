import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reviews } from '@tara/contract/reviews';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { ReviewArticle } from './ReviewArticle.tsx';
import { ReviewSkeleton } from './ReviewSkeleton.tsx';

/** /review-details/{id} (§2): one review. */
export function ReviewDetailsScreen({ id }: { id: string }) {
  const review = useQuery(queryOf(reviews.get, { params: { id } }));
  const gone = isProblem(review.error, 'review_not_found', 'general_argument_invalid');
  return (
    <Page title="Review" width="feed">
      {review.isPending && <ReviewSkeleton />}
      {review.isLoadingError &&
        (gone ? (
          <ErrorState
            title="There is no such review."
            text="It may have been removed."
            action={
              <Link to="/" className={buttonClass()}>
                Home
              </Link>
            }
          />
        ) : (
          <ErrorState
            {...wordsOfFailure(review.error)}
            retrying={review.isFetching}
            onRetry={() => void review.refetch()}
          />
        ))}
      {review.data && <ReviewArticle review={review.data} />}
    </Page>
  );
}
