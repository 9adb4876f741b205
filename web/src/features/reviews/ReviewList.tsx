import { useInfiniteQuery } from '@tanstack/react-query';
import { empty } from '@tara/contract/notices';
import { reviews } from '@tara/contract/reviews';
import { Star } from 'lucide-react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf, pagesOf } from '../../lib/queries.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Skeleton, Skeletons } from '../../ui/Skeleton.tsx';
import { ReviewCard } from './ReviewCard.tsx';

/** What clients wrote about one member, newest first, without end. */
export function ReviewList({ ownerId }: { ownerId: string }) {
  const written = useInfiniteQuery(pagesOf(reviews.byOwner, { params: { id: ownerId } }));
  if (written.isPending) return <ReviewSkeletons />;
  if (written.isLoadingError) {
    return (
      <ErrorState
        {...wordsOfFailure(written.error)}
        retrying={written.isFetching}
        onRetry={() => void written.refetch()}
      />
    );
  }
  const shown = itemsOf(written.data);
  if (shown.length === 0) {
    return (
      <EmptyState
        icon={Star}
        title={empty.reviews}
        text="After a plan took place, the client can write about it; it appears here."
      />
    );
  }
  return (
    <InfiniteList
      hasMore={written.hasNextPage}
      pending={written.isFetchingNextPage}
      failed={written.isFetchNextPageError}
      loadMore={() => void written.fetchNextPage()}
    >
      <ul className="mx-auto flex w-full max-w-feed flex-col gap-4">
        {shown.map((review) => (
          <li key={review.id}>
            <ReviewCard review={review} />
          </li>
        ))}
      </ul>
    </InfiniteList>
  );
}

function ReviewSkeletons() {
  return (
    <Skeletons count={4} label="Loading reviews" className="mx-auto flex w-full max-w-feed flex-col gap-4">
      {() => (
        <Card className="flex gap-4">
          <Skeleton shape="box" width={96} height={96} />
          <div className="flex-1">
            <Skeleton width="50%" />
            <Skeleton width="30%" />
            <Skeleton width="90%" />
          </div>
        </Card>
      )}
    </Skeletons>
  );
}
