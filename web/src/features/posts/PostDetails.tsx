import { Link } from '@tanstack/react-router';
import { sized } from '@tara/contract/files';
import type { Post } from '@tara/contract/posts';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../ui/Card.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { iconButtonClass } from '../../ui/IconButton.tsx';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { useSession } from '../accounts/index.ts';
import { Caption, Tags } from './Caption.tsx';
import { DeletePost } from './DeletePost.tsx';
import { PostActions } from './PostActions.tsx';
import { PostByline } from './PostByline.tsx';
import { cardClass } from './PostCard.tsx';
import { altOf, PostPicture } from './PostPicture.tsx';

/** Wide enough for a full screen; the server answers the largest it has below. */
const FULL = 1080;

/** One post with everything about it; its picture opens over the whole screen. */
export function PostDetails({ post }: { post: Post }) {
  const { profile } = useSession();
  const [viewing, setViewing] = useState(false);
  return (
    <Card as="article" padding="none" className={cardClass}>
      <header className="flex items-center gap-1 px-4 py-3">
        <PostByline post={post} />
        {post.creatorId === profile.id && (
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
        )}
      </header>
      {post.usedDp && <Caption whole text={post.caption} className="px-4 pb-3 text-lg" />}
      <button
        type="button"
        aria-label="View the picture on the whole screen"
        onClick={() => setViewing(true)}
        className="block w-full cursor-zoom-in!"
      >
        <PostPicture post={post} eager />
      </button>
      <PostActions post={post} className="px-2 py-1" />
      {(!post.usedDp && post.caption) || post.tags.length > 0 ? (
        <div className="flex flex-col gap-2 px-4 pb-5">
          {!post.usedDp && <Caption whole text={post.caption} />}
          <Tags tags={post.tags} />
        </div>
      ) : null}
      <ImageViewer
        open={viewing}
        onClose={() => setViewing(false)}
        src={sized(post.picture.imageUrl, FULL)}
        alt={altOf(post)}
      />
    </Card>
  );
}
