import { pageSize, skeletons } from '@tara/contract/limits';
import { Page, PersonSkeleton, Skeleton, Skeletons } from '../../ui/Page.tsx';

/** Under the heading of those who like a post. */
export const likersIntro = 'Only you see who likes your post.';

export function FeedSkeleton() {
  return (
    <Skeletons count={skeletons.homeFeed} label="Loading posts" className="flex flex-col gap-8">
      {() => <PostCardSkeleton />}
    </Skeletons>
  );
}

/** The skeleton of a post. */
export function PostCardSkeleton() {
  return (
    // Off screen only its space counts: 20 of them are shown at once.
    <div className="bleed [content-visibility:auto] [contain-intrinsic-block-size:auto_480px]">
      <div className="flex items-center gap-3 px-4 py-3 sm:px-0">
        <PersonSkeleton />
      </div>
      <Skeleton shape="box" className="aspect-[4/3] w-full rounded-none! sm:rounded-card!" />
      <div className="flex items-center justify-between px-4 py-3 sm:px-0">
        <Skeleton width={64} />
        <Skeleton width={22} />
      </div>
      <div className="px-4 pb-4 sm:px-0">
        <Skeleton width="85%" />
        <Skeleton width="55%" />
      </div>
    </div>
  );
}

/** The skeleton of the screen. */
export function PostSkeleton() {
  return (
    <Page title="Post" width="feed" hideTitle>
      <Skeletons count={1} label="Loading the post">
        {() => <PostCardSkeleton />}
      </Skeletons>
    </Page>
  );
}

/** The skeleton of the screen. */
export function LikersSkeleton() {
  return (
    <Page
      title="Liked by"
      intro={likersIntro}
      width="form"
      actions={<Skeleton shape="box" width={150} height={44} />}
    >
      <Skeletons count={pageSize.likers} label="Loading people" className="flex flex-col gap-2">
        {() => (
          <div className="flex items-center gap-3 py-2">
            <PersonSkeleton />
          </div>
        )}
      </Skeletons>
    </Page>
  );
}

/** The skeleton of the form. */
export function UpdatePostSkeleton() {
  return (
    <Page title="Update Post" width="form">
      <Skeletons count={1} label="Loading the post">
        {() => <PostCardSkeleton />}
      </Skeletons>
    </Page>
  );
}

/** The skeleton of the screen. */
export function ExploreSkeleton() {
  return (
    <Page title="Search Post" width="grid">
      <Skeleton shape="box" height={44} className="mb-4 max-w-feed rounded-full!" />
      <Skeleton shape="box" height={44} className="mb-6 max-w-80" />
      <Skeleton shape="box" width={180} height={28} className="mb-4" />
      <PostGridSkeletons count={pageSize.popular} />
    </Page>
  );
}

/** The skeleton of the screen. */
export function SavedSkeleton() {
  return (
    <Page title="SAVED" width="grid">
      <PostGridSkeletons count={pageSize.saved} />
    </Page>
  );
}

export function PostGridSkeletons({ count }: { count: number }) {
  return (
    <Skeletons count={count} label="Loading posts" className="wall">
      {() => <Skeleton shape="box" className="aspect-square w-full rounded-none! sm:rounded-card!" />}
    </Skeletons>
  );
}
