import { Link, useNavigate } from '@tanstack/react-router';
import { displayLength, postImageMaxHeight, searchLength } from '@tara/contract/limits';
import { empty } from '@tara/contract/notices';
import { type Post, postCan } from '@tara/contract/posts/posts';
import { clsx } from 'clsx';
import { MapPin, Pencil } from 'lucide-react';
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { PersonAvatar, PersonLink, StoredPicture } from '../../lib/stored-picture.tsx';
import { buttonClass, iconButtonClass } from '../../ui/Button.tsx';
import { truncate } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { TimeLabel } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { MemberMenu } from '../blocks/index.ts';
import { PostActions, useDoubleTapLike } from './PostActions.tsx';
import { isTextPost, TextPicture } from './TextPicture.tsx';

/** In place of a list of all posts that is empty; each list has its icon. */
export const noPosts = {
  title: empty.posts,
  text: 'What people share appears here. Start with a post of your own.',
  action: (
    <Link to="/create-post" className={buttonClass()}>
      Create Post
    </Link>
  ),
};

/** The assumed height of a card before its first layout. */
const ESTIMATED_HEIGHT_PX = 640;
/** The last measured height of each card in pixels, by post id. */
const heights = new Map<string, number>();

/** Skips layout and painting of a card while it is off screen; find-in-page and screen readers still reach
 * it. The card keeps its last height, so that the scroll position can be restored after Back.
 */
function useSkippedOffscreen(id: string) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element) heights.set(id, element.clientHeight);
    };
  }, [id]);
  const style = { containIntrinsicBlockSize: `auto ${expectedHeightPx(id)}px` };
  return { ref: card, style };
}

/** The height of a card before its layout. */
const expectedHeightPx = (id: string) => heights.get(id) ?? ESTIMATED_HEIGHT_PX;

/** Whether a card was rendered before, as when the person returns to the feed. */
export const wasCardRendered = (id: string) => heights.has(id);

/** The space of a card that is not rendered yet: as high as the card before its layout. */
export function PostCardSpace({ id }: { id: string }) {
  return <div style={{ height: expectedHeightPx(id) }} />;
}

/** One post of the feed. Memoised, because a long feed has many. */
export const PostCard = memo(function PostCard({ post, eager }: { post: Post; eager?: boolean }) {
  return (
    <article
      {...useSkippedOffscreen(post.id)}
      data-post={post.id}
      aria-label={`Post by ${post.creator.name}`}
      // Containment would clip focus rings at the edge.
      className="bleed [overflow-clip-margin:4px] [content-visibility:auto]"
    >
      <PostContent post={post} lazy={!eager}>
        <PictureLink post={post} eager={eager} />
      </PostContent>
    </article>
  );
});

interface PostContentProps {
  post: Post;
  /** With the whole caption, on the post's own page. */
  whole?: boolean;
  /** The author's picture loads only near the window. */
  lazy?: boolean;
  /** What its creator can do besides editing. */
  ownActions?: ReactNode;
  /** The picture. */
  children: ReactNode;
}

/** What a post shows in the feed and on its own page. */
export function PostContent({ post, whole = false, lazy = false, ownActions, children }: PostContentProps) {
  const isOwn = postCan.change(useSession().profile.id, post);
  const { caption, tags } = post;
  const showsCaption = caption !== '' && !isTextPost(post);
  return (
    <>
      <header className={clsx('flex items-center px-4 py-3 sm:px-0', whole ? 'gap-1' : 'gap-2')}>
        <PostByline post={post} lazy={lazy} />
        {isOwn ? (
          <>
            <Link
              to="/update-post/$id"
              params={{ id: post.id }}
              aria-label="Edit post"
              className={iconButtonClass()}
            >
              <Icon of={Pencil} />
            </Link>
            {ownActions}
          </>
        ) : (
          <MemberMenu member={post.creator} target={{ kind: 'post', recordId: post.id }} />
        )}
      </header>
      {children}
      <PostActions post={post} isOwn={isOwn} className="px-1 py-1 sm:-mx-3 sm:px-0" />
      {(showsCaption || tags.length > 0) && (
        <div className={clsx('flex flex-col px-4 pb-2 sm:px-0', whole ? 'gap-2' : 'gap-1')}>
          {showsCaption && <Caption whole={whole} text={caption} />}
          <Tags tags={tags} />
        </div>
      )}
    </>
  );
}

/** The picture: a tap opens the post, a double tap likes it. */
function PictureLink({ post, eager }: { post: Post; eager: boolean | undefined }) {
  const navigate = useNavigate();
  const target = { to: '/post/$id', params: { id: post.id } } as const;
  const { handlers, heart } = useDoubleTapLike(post, () => void navigate(target));
  return (
    <Link
      {...target}
      {...handlers}
      className="relative block touch-manipulation overflow-hidden sm:rounded-card"
    >
      {isTextPost(post) ? (
        <TextPicture post={post} shape="card" />
      ) : (
        <PostPicture post={post} eager={eager} />
      )}
      {heart}
    </Link>
  );
}

/** The author (a link to their profile), the location and the time of a post. */
function PostByline({
  post: { creator, location, createdAt },
  lazy,
}: Pick<PostContentProps, 'post'> & { lazy: boolean }) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      {/* The name beside it is the same link, so this one is skipped by keyboard. */}
      <Link to="/profile/$id" params={{ id: creator.id }} tabIndex={-1} aria-hidden="true">
        <PersonAvatar person={creator} lazy={lazy} />
      </Link>
      <div className="min-w-0">
        <div className="flex min-w-0 items-center gap-1.5">
          <PersonLink person={creator} />
        </div>
        <div className="flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
          {location && (
            <>
              <Icon of={MapPin} size={14} className="shrink-0" />
              <Link
                to="/explore"
                search={{ search: location.slice(0, searchLength) }}
                aria-label={`Posts from ${location}`}
                className="touch truncate leading-[calc(24/14)] hover:underline"
              >
                {location}
              </Link>
              <span aria-hidden="true">·</span>
            </>
          )}
          <TimeLabel iso={createdAt} />
        </div>
      </div>
    </div>
  );
}

/** The alternative text of a post's picture: its creator's description, else the beginning of the caption. */
export function altOf({ picture, creator, usedDp, caption }: Post): string {
  if (picture.alt) return picture.alt;
  if (usedDp) return `Profile picture of ${creator.name}`;
  return caption ? truncate(caption, displayLength.alt) : `Photo by ${creator.name}`;
}

/** The width of a card: the window's on phones; else the feed's column of 640 px without its space. */
const CARD_SIZES =
  '(min-width: 768px) min(592px, 100vw - 120px), (min-width: 640px) min(592px, 100vw - 48px), 100vw';

/** The picture of a post, at most 800 px high (§9). A profile picture (`usedDp`) is secondary:
 * it is shown uncropped but small, and initials even smaller.
 */
export function PostPicture({ post, eager }: { post: Post; eager?: boolean | undefined }) {
  const { usedDp, picture } = post;
  return (
    <StoredPicture
      picture={picture}
      alt={altOf(post)}
      maxHeight={postImageMaxHeight}
      sizes={CARD_SIZES}
      {...(usedDp ? { ratio: picture.imageId === null ? '3 / 1' : '16 / 9', fit: 'contain' } : {})}
      {...(eager ? { eager } : {})}
    />
  );
}

/** About six lines of the feed's column; a caption can be 5000 characters (§5). */
const CAPTION_PREVIEW = { characters: 360, lines: 6 };

/** The caption with its line breaks; in lists a long one is cut, with a 'Show more' button. */
export function Caption({ text, whole, className }: { text: string; whole?: boolean; className?: string }) {
  const [open, setOpen] = useState(false);
  if (text === '') return null;
  const long = text.length > CAPTION_PREVIEW.characters || text.split('\n').length > CAPTION_PREVIEW.lines;
  const isTruncated = long && !whole && !open;
  return (
    <div className={className}>
      <p className={clsx('wrap-anywhere whitespace-pre-line', isTruncated && 'line-clamp-6')}>{text}</p>
      {isTruncated && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="touch mt-1 font-semibold text-ink-soft hover:text-ink"
        >
          Show more
        </button>
      )}
    </div>
  );
}

/** The tags as `#tag`, each a link to the posts with it. */
export function Tags({ tags, className }: { tags: string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className={clsx('flex flex-wrap gap-x-2 gap-y-1', className)}>
      {tags.map((tag) => (
        <li key={tag} className="wrap-anywhere">
          <Link
            to="/explore"
            search={{ search: `#${tag}`.slice(0, searchLength) }}
            className="touch text-lagoon hover:underline"
          >
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
