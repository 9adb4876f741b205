import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { areYouSure } from '@tara/contract/notices';
import { type Post, posts } from '@tara/contract/posts';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { useHistoryFlag } from '../../lib/use-history-flag.ts';
import { IconButton, iconButtonClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/lazy-overlays.tsx';
import { ConfirmDialog } from '../../ui/Overlays.tsx';
import { Card, Page, Skeletons } from '../../ui/Page.tsx';
import { useSession } from '../accounts/index.ts';
import { MemberMenu } from '../blocks/index.ts';
import { useDoubleTapLike } from './double-tap.tsx';
import { PostActions } from './PostActions.tsx';
import { altOf, Caption, cardClass, PostByline, PostCardSkeleton, PostPicture } from './PostCard.tsx';
import { cachedPost, removePost } from './post-cache.ts';
import { Tags } from './Tags.tsx';

const route = getRouteApi('/_main/post/$id');

/** One post. Data from a cached list is shown at once and always refetched. */
export const postQuery = (id: string) => ({
  ...queryOf(posts.get, { params: { id } }),
  initialData: () => cachedPost(id),
  initialDataUpdatedAt: 0,
  refetchOnMount: 'always' as const,
});

/** `/post/{id}` (§2). */
export function PostScreen() {
  const { id } = route.useParams();
  const post = useLoaded(postQuery(id));
  return (
    <Page title={`Post by ${post.creator.name}`} width="feed" hideTitle>
      <PostDetails post={post} />
    </Page>
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

/** Wide enough for a full screen; the server returns the largest available width up to this. */
const FULL_SCREEN_WIDTH_PX = 1080;

/** All details of a post; its picture opens full screen. */
function PostDetails({ post }: { post: Post }) {
  const { profile } = useSession();
  const viewer = useHistoryFlag('picture');
  const { handlers, heart } = useDoubleTapLike(post, viewer.open);
  return (
    <Card as="article" padding="none" className={cardClass}>
      <header className="flex items-center gap-1 px-4 py-3">
        <PostByline post={post} />
        {post.creatorId === profile.id ? (
          <>
            <Link
              to="/update-post/$id"
              params={{ id: post.id }}
              aria-label="Edit post"
              className={iconButtonClass()}
            >
              <Icon of={Pencil} />
            </Link>
            <DeletePost id={post.id} />
          </>
        ) : (
          <MemberMenu member={post.creator} target={{ kind: 'post', recordId: post.id }} />
        )}
      </header>
      {post.usedDp && <Caption whole text={post.caption} className="px-4 pb-3 text-lg" />}
      <button
        type="button"
        aria-label="Open the picture full screen"
        {...handlers}
        className="relative block w-full cursor-zoom-in! touch-manipulation"
      >
        <PostPicture post={post} eager />
        {heart}
      </button>
      <PostActions post={post} isOwn={post.creatorId === profile.id} className="px-2 py-1" />
      {(!post.usedDp && post.caption) || post.tags.length > 0 ? (
        <div className="flex flex-col gap-2 px-4 pb-5">
          {!post.usedDp && <Caption whole text={post.caption} />}
          <Tags tags={post.tags} />
        </div>
      ) : null}
      <ImageViewer
        open={viewer.isOpen}
        onClose={viewer.close}
        src={urlAtWidth(post.picture.imageUrl, FULL_SCREEN_WIDTH_PX)}
        zoomedSrc={urlAtWidth(post.picture.imageUrl, post.picture.width)}
        alt={altOf(post)}
      />
    </Card>
  );
}

/** Deletes the viewer's post and its picture after a confirmation, then goes to `/` (§2). */
function DeletePost({ id }: { id: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  const remove = useCall(posts.delete, {
    onSuccess: async () => {
      setIsAsking(false);
      await navigate({ to: '/', replace: true });
      removePost(id);
      toast({ title: 'Your post is deleted.', tone: 'success' });
    },
  });
  return (
    <>
      <IconButton label="Delete post" onClick={() => setIsAsking(true)}>
        <Icon of={Trash2} />
      </IconButton>
      <ConfirmDialog
        {...areYouSure.deletePost}
        open={isAsking}
        onOpenChange={setIsAsking}
        tone="danger"
        confirmLabel="Delete"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ body: { postId: id } })}
      />
    </>
  );
}
