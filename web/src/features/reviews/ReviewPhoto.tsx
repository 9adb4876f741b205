import type { Picture as StoredPicture } from '@tara/contract/fields';
import { sized } from '@tara/contract/files';
import { postImageMaxHeight } from '@tara/contract/limits';
import { useState } from 'react';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { Picture } from '../../ui/Picture.tsx';

/** The photo of a review; a press shows it over the whole screen (§2). */
export function ReviewPhoto({ picture, by }: { picture: StoredPicture; by: string }) {
  const [whole, setWhole] = useState(false);
  const alt = picture.alt || `Photo of the review by ${by}`;
  return (
    <>
      <button
        type="button"
        aria-label={`${alt}, open full screen`}
        onClick={() => setWhole(true)}
        className="block w-full cursor-zoom-in -outline-offset-2!"
      >
        <Picture
          {...picture}
          alt={alt}
          source={(width) => sized(picture.imageUrl, width)}
          maxHeight={postImageMaxHeight}
          eager
        />
      </button>
      <ImageViewer open={whole} onClose={() => setWhole(false)} src={picture.imageUrl} alt={alt} />
    </>
  );
}
