import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { skeletons } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { Images } from 'lucide-react';
import { wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf, pagesOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { useSession } from '../accounts/index.ts';
import { PostGrid, PostGridSkeletons, withoutDoubles } from '../posts/index.ts';

/** One member's posts, newest first. */
export function ProfilePosts({ id }: { id: string }) {
  const { profile } = useSession();
  const made = useInfiniteQuery(pagesOf(posts.byCreator, { params: { id } }));
  if (made.isPending) return <PostGridSkeletons count={skeletons.postCards} />;
  if (made.isLoadingError) {
    return (
      <ErrorState
        {...wordsOfFailure(made.error)}
        retrying={made.isFetching}
        onRetry={() => void made.refetch()}
      />
    );
  }
  const shown = withoutDoubles(itemsOf(made.data));
  if (shown.length === 0) {
    const own = id === profile.id;
    return (
      <EmptyState
        icon={Images}
        title={empty.posts}
        text={own ? 'What you share appears here.' : 'What they share appears here.'}
        action={
          own && (
            <Link to="/create-post" className={buttonClass()}>
              Create Post
            </Link>
          )
        }
      />
    );
  }
  return (
    <InfiniteList
      hasMore={made.hasNextPage}
      pending={made.isFetchingNextPage}
      failed={made.isFetchNextPageError}
      loadMore={() => void made.fetchNextPage()}
    >
      <PostGrid posts={shown} />
    </InfiniteList>
  );
}
