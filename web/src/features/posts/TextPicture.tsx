import type { Post } from '@tara/contract/posts/posts';
import { clsx } from 'clsx';
import { toneIndex } from '../../ui/Picture.tsx';

/** The caption of the post that shares a new profile picture, unless its member writes another. */
export const newPictureCaption = 'I have a new profile picture.';

/** Whether a post is text alone. The profile picture that it has as its image says nothing then (decision 0002). */
export const isTextPost = ({ usedDp, caption }: Pick<Post, 'usedDp' | 'caption'>): boolean =>
  usedDp && caption !== '' && caption !== newPictureCaption;

const TONES = [
  'bg-plum text-on-plum',
  'bg-lagoon text-on-lagoon',
  'bg-leaf text-on-leaf',
  'bg-mango text-on-mango',
];

/** The longest text in characters of each size, on a card and on a tile. */
const SIZES = [
  { upTo: 60, card: 'text-3xl', tile: 'text-base sm:text-xl' },
  { upTo: 160, card: 'text-2xl', tile: 'text-sm sm:text-lg' },
  { upTo: 360, card: 'text-xl', tile: 'text-xs sm:text-base' },
  { upTo: Number.POSITIVE_INFINITY, card: 'text-lg', tile: 'text-xs sm:text-base' },
];

interface TextPictureProps {
  post: Pick<Post, 'caption' | 'creator'>;
  /** A card of the feed, all of the post on its own page, or a square tile. */
  shape: 'card' | 'whole' | 'tile';
  className?: string;
}

/** The caption of a post as its picture, in the colour of the member. */
export function TextPicture({ post: { caption, creator }, shape, className }: TextPictureProps) {
  const size = SIZES.find(({ upTo }) => caption.length <= upTo);
  const isTile = shape === 'tile';
  return (
    <div
      className={clsx(
        'relative isolate flex overflow-hidden font-bold tracking-tight',
        isTile ? 'aspect-square items-start p-3 sm:p-4' : 'min-h-72 items-center p-6 sm:min-h-80 sm:p-10',
        TONES[toneIndex(creator.name, TONES.length)],
        className,
      )}
    >
      <Parol className={isTile ? '-right-6 -bottom-6 size-28' : '-right-12 -bottom-14 size-64'} />
      <p
        className={clsx(
          'text-balance wrap-anywhere whitespace-pre-line',
          isTile ? 'line-clamp-4 leading-tight!' : 'max-w-prose leading-snug!',
          shape === 'card' && 'line-clamp-10',
          size?.[isTile ? 'tile' : 'card'],
        )}
      >
        {caption}
      </p>
    </div>
  );
}

/** The star of paper of our drawings, behind the text. */
function Parol({ className }: { className: string }) {
  return (
    <svg viewBox="-40 10 80 100" aria-hidden="true" className={clsx('absolute -z-10 rotate-12', className)}>
      <path
        d="M0 20 8.5 41 31 42 13 56 19 78 0 66-19 78-13 56-31 42-8.5 41ZM-13 84v18M13 84v18"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth={5}
        strokeLinejoin="round"
        strokeLinecap="round"
        opacity={0.09}
      />
    </svg>
  );
}
