import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { urlAtWidth } from '@tara/contract/files';
import { areYouSure } from '@tara/contract/notices';
import { type Post, posts } from '@tara/contract/posts/posts';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { queryOf, useCall, useLoaded } from '../../lib/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer, useOpenState } from '../../ui/lazy-overlays.tsx';
import { ConfirmDialog } from '../../ui/Overlays.tsx';
import { Page } from '../../ui/Page.tsx';
import { cachedPost, removePost, useDoubleTapLike } from './PostActions.tsx';
import { altOf, PostContent, PostPicture } from './PostCard.tsx';
import { isTextPost, TextPicture } from './TextPicture.tsx';

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

/** Wide enough for a full screen; the server returns the largest available width up to this. */
const FULL_SCREEN_WIDTH_PX = 1080;

/** All details of a post; its picture opens full screen. */
function PostDetails({ post }: { post: Post }) {
  const viewer = useOpenState();
  const { handlers, heart } = useDoubleTapLike(post, viewer.open);
  return (
    <article className="bleed">
      <PostContent post={post} whole ownActions={<DeletePost id={post.id} />}>
        {isTextPost(post) ? (
          <TextPicture post={post} shape="whole" className="sm:rounded-card" />
        ) : (
          <button
            type="button"
            aria-label="Open the picture full screen"
            {...handlers}
            className="relative block w-full cursor-zoom-in! touch-manipulation overflow-hidden sm:rounded-card"
          >
            <PostPicture post={post} eager />
            {heart}
          </button>
        )}
      </PostContent>
      <ImageViewer
        open={viewer.isOpen}
        onClose={viewer.close}
        src={urlAtWidth(post.picture.imageUrl, FULL_SCREEN_WIDTH_PX)}
        zoomedSrc={urlAtWidth(post.picture.imageUrl, post.picture.width)}
        alt={altOf(post)}
      />
    </article>
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
