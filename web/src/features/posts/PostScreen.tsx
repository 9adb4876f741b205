import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { posts } from '@tara/contract/posts';
import { wordsOf } from '@tara/contract/problems';
import { ImageOff } from 'lucide-react';
import { isProblem, wordsOfFailure } from '../../lib/failure.ts';
import { queryOf } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page } from '../../ui/Page.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { PostCardSkeleton } from './PostCardSkeleton.tsx';
import { PostDetails } from './PostDetails.tsx';
import { knownPost } from './post-cache.ts';

/** `/post/{id}` (§2). What a list knows of the post is shown at once, and always asked for anew. */
export function PostScreen({ id }: { id: string }) {
  const post = useQuery({
    ...queryOf(posts.get, { params: { id } }),
    placeholderData: () => knownPost(id),
    refetchOnMount: 'always',
  });
  if (post.data) {
    return (
      <Page title={`Post by ${post.data.creator.name}`} width="feed" hideTitle>
        <PostDetails post={post.data} />
      </Page>
    );
  }
  return (
    <Page title="Post" width="feed" hideTitle>
      {post.isPending && (
        <Skeletons count={1} label="Loading the post">
          {() => <PostCardSkeleton />}
        </Skeletons>
      )}
      {post.isError &&
        (isProblem(post.error, 'post_not_found') ? (
          <EmptyState
            icon={ImageOff}
            title={wordsOf('post_not_found').title}
            text="It may have been deleted, or the address is misspelt."
            action={
              <Link to="/" className={buttonClass()}>
                Home
              </Link>
            }
          />
        ) : (
          <ErrorState
            {...wordsOfFailure(post.error)}
            retrying={post.isFetching}
            onRetry={() => void post.refetch()}
          />
        ))}
    </Page>
  );
}
