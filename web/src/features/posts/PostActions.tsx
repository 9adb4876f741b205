import type { Post } from '@tara/contract/posts';
import { Bookmark, Heart } from 'lucide-react';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { useLike } from './use-like.ts';
import { useSave } from './use-save.ts';

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Like and save, the same under a card and on the post's own page. */
export function PostActions({ post, className }: { post: Post; className?: string }) {
  return (
    <div className={cx('flex items-center justify-between', className)}>
      <LikeButton post={post} />
      <SaveButton post={post} />
    </div>
  );
}

export function LikeButton({ post }: { post: Post }) {
  const { liked, totalLikes } = post;
  const press = useLike(post);
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`Like, ${totalLikes} ${totalLikes === 1 ? 'like' : 'likes'}`}
      onClick={press}
      className={cx(
        'figures flex min-h-11 min-w-11 items-center gap-2 rounded-full px-3 font-semibold transition-colors hover:bg-sunken',
        liked ? 'text-guava' : 'text-ink-soft hover:text-ink',
      )}
    >
      <Icon of={Heart} size={22} filled={liked} className={liked ? 'animate-beat' : undefined} />
      {count.format(totalLikes)}
    </button>
  );
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
