import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { skeletons } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts';
import { ArrowUp, Images } from 'lucide-react';
import { useState } from 'react';
import { tellFailure, wordsOfFailure } from '../../lib/failure.ts';
import { itemsOf, pagesOf } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { useSession } from '../accounts/index.ts';
import { PostCard } from './PostCard.tsx';
import { PostCardSkeleton } from './PostCardSkeleton.tsx';
import { withoutDoubles } from './post-cache.ts';
import { useNewerPosts } from './use-newer-posts.ts';

/** The posts of everyone by last update, without end. */
export function Feed() {
  const { profile } = useSession();
  const newer = useNewerPosts(profile.id);
  // Never read anew by itself: that would move what is being read. Newer posts wait behind the pill.
  const feed = useInfiniteQuery({ ...pagesOf(posts.feed), staleTime: Number.POSITIVE_INFINITY });
  if (feed.isPending) {
    return (
      <Skeletons count={skeletons.homeFeed} label="Loading posts" className="flex flex-col gap-5">
        {() => <PostCardSkeleton />}
      </Skeletons>
    );
  }
  if (feed.isLoadingError) {
    return (
      <ErrorState
        {...wordsOfFailure(feed.error)}
        retrying={feed.isFetching}
        onRetry={() => void feed.refetch()}
      />
    );
  }
  const shown = withoutDoubles(itemsOf(feed.data));
  return (
    <>
      {newer.waiting && <NewPosts onShow={newer.show} />}
      {shown.length === 0 && (
        <EmptyState
          icon={Images}
          title={empty.posts}
          text="What people share appears here. Begin with a moment of your own."
          action={
            <Link to="/create-post" className={buttonClass()}>
              Create Post
            </Link>
          }
        />
      )}
      <InfiniteList
        hasMore={feed.hasNextPage}
        pending={feed.isFetchingNextPage}
        failed={feed.isFetchNextPageError}
        loadMore={() => void feed.fetchNextPage()}
        ahead={1600}
        end={shown.length > 0 ? 'You have seen it all.' : undefined}
      >
        <div className="flex flex-col gap-5">
          {shown.map((post, place) => (
            <PostCard key={post.id} post={post} eager={place === 0} />
          ))}
        </div>
      </InfiniteList>
    </>
  );
}

function NewPosts({ onShow }: { onShow: () => Promise<void> }) {
  const [pending, setPending] = useState(false);
  const show = async () => {
    setPending(true);
    try {
      await onShow();
      window.scrollTo({ top: 0 });
    } catch (error) {
      tellFailure(error, () => void show());
    } finally {
      setPending(false);
    }
  };
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-18 z-20 -mb-5 flex h-0 items-start justify-center md:top-4"
    >
      <Button
        size="sm"
        pending={pending}
        icon={<Icon of={ArrowUp} size={16} />}
        onClick={() => void show()}
        className="pointer-events-auto animate-rise rounded-full! shadow-lift"
      >
        New posts
      </Button>
    </div>
  );
}
