import { sized } from '@tara/contract/files';
import { postImageMaxHeight } from '@tara/contract/limits';
import type { Post } from '@tara/contract/posts';
import { Picture } from '../../ui/Picture.tsx';

/** What the picture shows, for who cannot see it. */
export const altOf = ({ picture, creator, usedDp }: Post): string =>
  picture.alt || (usedDp ? `Profile picture of ${creator.name}` : `Photo by ${creator.name}`);

/**
 * The picture of a post, at most 800 px high (§9). A profile picture (`usedDp`) is not what the post is about:
 * it is shown whole but small, and mere initials smaller still.
 */
export function PostPicture({ post, eager }: { post: Post; eager?: boolean | undefined }) {
  const { imageId, imageUrl, width, height, thumbhash } = post.picture;
  return (
    <Picture
      width={width}
      height={height}
      alt={altOf(post)}
      source={(pixels) => sized(imageUrl, pixels)}
      thumbhash={thumbhash}
      maxHeight={postImageMaxHeight}
      {...(post.usedDp ? { ratio: imageId === null ? '3 / 1' : '16 / 9', fit: 'contain' } : {})}
      {...(eager ? { eager } : {})}
    />
  );
}
