import { Link } from '@tanstack/react-router';
import { displayLength } from '@tara/contract/limits';
import type { Post } from '@tara/contract/posts/posts';
import { clsx } from 'clsx';
import { Heart } from 'lucide-react';
import { memo } from 'react';
import { StoredPicture } from '../../lib/stored-picture.tsx';
import { truncate } from '../../ui/facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useIsRecent } from '../../ui/TimeLabel.tsx';
import { altOf } from './PostCard.tsx';
import { isTextPost, TextPicture } from './TextPicture.tsx';

/** Posts as square tiles, each a link to its own page. `marksRecent`: those of the last day carry a dot (decision 0002). */
export function PostGrid({ posts, marksRecent = false }: { posts: Post[]; marksRecent?: boolean }) {
  return (
    <ul className="wall">
      {posts.map((post, index) => (
        <li key={post.id}>
          <PostTile post={post} marksRecent={marksRecent} eager={index < FIRST_ROW} />
        </li>
      ))}
    </ul>
  );
}

/** The tiles of a phone's first row, whose pictures load at once. */
const FIRST_ROW = 3;

interface PostTileProps {
  post: Post;
  marksRecent: boolean;
  eager: boolean;
}

/** Memoised, because the next page of a list is fetched soon after the first. */
const PostTile = memo(function PostTile({ post, marksRecent, eager }: PostTileProps) {
  const isText = isTextPost(post);
  return (
    <Link
      to="/post/$id"
      params={{ id: post.id }}
      className="group relative block overflow-hidden sm:rounded-card"
    >
      {isText ? (
        <TextPicture post={post} shape="tile" />
      ) : (
        <StoredPicture
          picture={post.picture}
          alt={altOf(post)}
          sizes="(min-width: 640px) 260px, 34vw"
          eager={eager}
          ratio="1 / 1"
          className="transition-[scale] duration-200 group-hover:scale-[1.02]"
        />
      )}
      {marksRecent && <NewMark iso={post.createdAt} />}
      <span
        className={clsx(
          'absolute inset-x-0 bottom-0 flex items-end gap-3 px-2 pt-10 pb-1.5 text-sm text-white sm:px-3 sm:pb-2.5',
          !isText && 'bg-linear-to-t from-black/75 to-black/0',
        )}
      >
        {/* Without a description of the picture its alternative text is the caption. On phones a tile has room for a word of it,
            which says nothing. */}
        <span
          aria-hidden={post.picture.alt === ''}
          className="min-w-0 flex-1 truncate font-medium max-sm:sr-only"
        >
          {!isText && truncate(post.caption, displayLength.description)}
        </span>
        <span
          className={clsx(
            'figures ml-auto flex shrink-0 items-center gap-1 font-semibold',
            isText && 'rounded-full bg-black/70 px-2 py-0.5',
          )}
        >
          <Icon of={Heart} size={16} filled={post.liked} />
          {post.totalLikes}
          <span className="sr-only">likes</span>
        </span>
      </span>
    </Link>
  );
});

function NewMark({ iso }: { iso: string }) {
  if (!useIsRecent(iso)) return null;
  return (
    // Filled: a white one looks like a box to select the photo.
    <span title="New" className="absolute top-2 right-2 size-2.5 rounded-full bg-mango ring-1 ring-black/50">
      <span className="sr-only">New</span>
    </span>
  );
}
