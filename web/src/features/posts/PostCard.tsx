import { Link } from '@tanstack/react-router';
import type { Post } from '@tara/contract/posts';
import { Pencil } from 'lucide-react';
import { memo } from 'react';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { iconButtonClass } from '../../ui/IconButton.tsx';
import { useSession } from '../accounts/index.ts';
import { Caption, Tags } from './Caption.tsx';
import { PostActions } from './PostActions.tsx';
import { PostByline } from './PostByline.tsx';
import { PostPicture } from './PostPicture.tsx';

/** On a phone from edge to edge, else a card. */
export const cardClass = 'max-sm:-mx-4 max-sm:rounded-none! max-sm:border-x-0!';

/** One post of the feed. Drawn anew only when it changed: a long feed holds many. */
export const PostCard = memo(function PostCard({ post, eager }: { post: Post; eager?: boolean }) {
  const { profile } = useSession();
  return (
    <Card as="article" padding="none" aria-label={`Post by ${post.creator.name}`} className={cardClass}>
      <header className="flex items-center gap-2 px-4 py-3">
        <PostByline post={post} />
        {post.creatorId === profile.id && (
          <Link
            to="/update-post/$id"
            params={{ id: post.id }}
            aria-label="Edit post"
            className={iconButtonClass()}
          >
            <Icon of={Pencil} />
          </Link>
        )}
      </header>
      {post.usedDp && <Caption text={post.caption} className="px-4 pb-3 text-lg" />}
      <Link to="/post/$id" params={{ id: post.id }} className="block">
        <PostPicture post={post} eager={eager} />
      </Link>
      <PostActions post={post} className="px-2 py-1" />
      {(!post.usedDp && post.caption) || post.tags.length > 0 ? (
        <div className="flex flex-col gap-1 px-4 pb-4">
          {!post.usedDp && <Caption text={post.caption} />}
          <Tags tags={post.tags} />
        </div>
      ) : null}
    </Card>
  );
});
