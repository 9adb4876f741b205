import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { notices } from '@tara/contract/notices';
import { Post, posts } from '@tara/contract/posts/posts';
import { clsx } from 'clsx';
import { Bookmark, Heart, Share2 } from 'lucide-react';
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { call, isProblem, showErrorToast } from '../../lib/call.ts';
import { createLikes } from '../../lib/likes.ts';
import {
  invalidate,
  invalidateWithoutRefetch,
  pagesOf,
  queryClient,
  setQueryData,
} from '../../lib/queries.ts';
import type { RealtimeEvent } from '../../lib/realtime.ts';
import { prepended, recordCache } from '../../lib/record-cache.ts';
import { IconButton } from '../../ui/Button.tsx';
import { compactCount, LikeButton } from '../../ui/facts.tsx';
import { announce, toast } from '../../ui/feedback.ts';
import { Icon } from '../../ui/Icon.tsx';
import { currentSession } from '../accounts/index.ts';

/** The draft of the quick post, whose text `/create-post` takes over. */
export const quickPostDraft = 'quick-post';
/** The look of its text area, as round as the face beside it. */
export const quickPostAreaClass = 'rounded-[22px]! px-4!';

const cache = recordCache<Post>(
  posts.get,
  posts.feed,
  posts.recent,
  posts.popular,
  posts.search,
  posts.saved,
  posts.byCreator,
);

/** Changes fields of a post in all lists and on its own page. */
export const changePost = cache.change;

/** Removes a deleted post from all lists. */
export const removePost = cache.remove;

/** A post from a cached list, which its page shows before the server responds. */
export const cachedPost = cache.find;

/** The fields of a post that are the same for all viewers, which an event may change. */
const SharedFields = z.partial(z.omit(Post, { id: true, liked: true, saved: true }));

/** Shows what an event of the collection 'posts' deleted or changed; false for any other event. */
export const receivePost = (event: RealtimeEvent): boolean => cache.receive(event, SharedFields);

/** Inserts the viewer's new post at the top of its lists. */
export function addPost(post: Post): void {
  for (const list of [pagesOf(posts.feed), pagesOf(posts.byCreator, { params: { id: post.creatorId } })]) {
    queryClient.setQueryData(list.queryKey, prepended(post));
  }
  setQueryData(posts.get, { params: { id: post.id } }, post);
  void invalidate(posts.recent);
}

interface PostActionsProps {
  post: Post;
  /** The viewer is its creator: the count opens the list of members who like it. */
  isOwn?: boolean;
  className?: string;
}

/** The like and save buttons, for cards and for the post's own page. */
export function PostActions({ post, isOwn = false, className }: PostActionsProps) {
  const showsLikers = isOwn && post.totalLikes > 0;
  return (
    <div className={clsx('flex items-center gap-1', className)}>
      <PostLikeButton post={post} hidesCount={showsLikers} />
      {showsLikers && (
        <Link
          to="/post/$id/likes"
          params={{ id: post.id }}
          aria-label={`${likesText(post.totalLikes)}: see who likes it`}
          className="figures flex min-h-11 items-center rounded-full px-3 font-semibold text-ink-soft transition-colors hover:bg-sunken hover:text-ink"
        >
          {likesText(post.totalLikes)}
        </Link>
      )}
      <span className="flex-1" />
      <ShareButton post={post} />
      <SaveButton post={post} />
    </div>
  );
}

const likesText = (total: number) => `${compactCount(total)} ${total === 1 ? 'like' : 'likes'}`;

/** Likes or unlikes a post (§4). */
const toggleLike = createLikes({
  name: 'postLikes',
  cache,
  send: (name, postId, totalLikes, signal) => call(posts[name], { body: { postId, totalLikes }, signal }),
});

function PostLikeButton({ post, hidesCount }: { post: Post; hidesCount: boolean }) {
  const { liked, totalLikes } = post;
  const press = () => toggleLike(post);
  return <LikeButton liked={liked} totalLikes={totalLikes} hidesCount={hidesCount} onPress={press} />;
}

function SaveButton({ post }: { post: Post }) {
  const press = useSave(post);
  return (
    <IconButton
      label={post.saved ? 'Saved' : 'Save'}
      pressed={post.saved}
      onClick={press}
      className={post.saved ? 'text-ink!' : undefined}
    >
      <Icon of={Bookmark} size={22} filled={post.saved} />
    </IconButton>
  );
}

const showDuplicateNotice = () => toast(notices.duplicateSave);

/**
 * Saves a post or takes it off the saved ones (§4): an optimistic update, rolled back on failure. A post that was saved
 * meanwhile elsewhere stays saved and shows a notice (§5). The list of saved posts is fetched again when it is next
 * shown.
 */
function useSave({ id, saved }: Pick<Post, 'id' | 'saved'>): () => void {
  const save = useMutation({
    mutationFn: ({ wanted }: { wanted: boolean }) =>
      call(wanted ? posts.save : posts.unsave, { body: { postId: id } }),
    onMutate: ({ wanted }) => changePost(id, { saved: wanted }),
    onSuccess: () => invalidateWithoutRefetch(posts.saved),
    onError: (error, variables) => {
      if (isProblem(error, 'post_already_saved')) return showDuplicateNotice();
      changePost(id, { saved: !variables.wanted });
      showErrorToast(error, () => save.mutate(variables));
    },
  });
  return () => {
    if (!save.isPending) save.mutate({ wanted: !saved });
  };
}

type Shared = Pick<Post, 'id' | 'creatorId'>;

/** Shares the link of a post: by the system's own sheet where there is one, otherwise it is copied. */
export function ShareButton({ post }: { post: Shared }) {
  return (
    <IconButton label="Share" onClick={() => void shareLink(post)}>
      <Icon of={Share2} size={22} />
    </IconButton>
  );
}

async function shareLink({ id, creatorId }: Shared): Promise<void> {
  const url = `${location.origin}/post/${id}`;
  const data = { title: 'A post on Tara', url };
  if (navigator.canShare?.(data)) {
    try {
      await navigator.share(data);
      return;
    } catch (error) {
      // The person closed the sheet; any other failure leaves copying.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    // Copying can be forbidden, and is on pages without https.
    toast({ title: 'The link could not be copied.', text: url, tone: 'danger' });
    return;
  }
  const profile = (await currentSession())?.profile;
  const isHidden = profile?.id === creatorId && !profile.sharesPosts;
  toast({
    title: 'The link is copied.',
    tone: 'success',
    ...(isHidden
      ? { text: 'Who is not signed in sees nothing of your post. You can change that in your profile.' }
      : {}),
  });
}

/** Time after a tap in which a second one makes it a double tap. */
const DOUBLE_TAP_MS = 280;
const HEART_MS = 700;

interface DoubleTap {
  /** For the link or button that the picture is in. */
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onClick: (event: MouseEvent<HTMLElement>) => void;
  };
  /** Shown over the picture after a double tap. */
  heart: ReactNode;
}

/**
 * A double tap on a post's picture likes it; it never takes a like back. A single tap does `single` once no second one
 * follows. Clicks of a mouse or the keyboard do not wait: a link opens by itself, a button does `single`.
 */
export function useDoubleTapLike(post: Post, single: () => void): DoubleTap {
  const isTouch = useRef(false);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [hearts, setHearts] = useState(0);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => () => clearTimeout(pending.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each double tap shows the heart again
  useEffect(() => {
    if (!isShown) return;
    const timeout = setTimeout(() => setIsShown(false), HEART_MS);
    return () => clearTimeout(timeout);
  }, [isShown, hearts]);

  const handleDoubleTap = () => {
    setHearts((count) => count + 1);
    setIsShown(true);
    if (post.liked) return;
    toggleLike(post);
    announce('You like this post.');
  };
  const handlers = {
    onPointerDown: ({ pointerType }: PointerEvent) => {
      isTouch.current = pointerType === 'touch';
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      // A key press has no count of clicks.
      if (!isTouch.current || event.detail === 0) {
        if (event.currentTarget.tagName !== 'A') single();
        return;
      }
      event.preventDefault();
      if (pending.current === undefined) {
        pending.current = setTimeout(() => {
          pending.current = undefined;
          single();
        }, DOUBLE_TAP_MS);
        return;
      }
      clearTimeout(pending.current);
      pending.current = undefined;
      handleDoubleTap();
    },
  };
  const heart = isShown && (
    <span
      key={hearts}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 flex animate-burst items-center justify-center text-white"
    >
      <Heart size={96} strokeWidth={0} className="fill-white drop-shadow-[0_2px_12px_rgb(0_0_0/0.45)]" />
    </span>
  );
  return { handlers, heart };
}
