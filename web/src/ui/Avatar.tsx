import { useState } from 'react';
import { cx } from './cx.ts';
import { withQuality } from './with-quality.ts';

export type AvatarSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl';
const SIZES: Record<AvatarSize, string> = {
  xs: 'size-6 text-xs',
  sm: 'size-8 text-sm',
  md: 'size-10 text-base',
  lg: 'size-14 text-xl',
  xl: 'size-24 text-3xl',
  '2xl': 'size-32 text-3xl',
};
/** Of the preview (§9): 10 for small avatars, 25 for others. */
const quality = (size: AvatarSize) => (size === 'xs' || size === 'sm' ? 10 : 25);

const TONES = [
  'bg-guava-soft text-guava',
  'bg-lagoon-soft text-lagoon',
  'bg-mango-soft text-mango-ink',
  'bg-leaf-soft text-leaf',
];

interface AvatarProps {
  name: string | null | undefined;
  /** The picture's address; without one, or when it fails, the first letter of the name stands in (§2). */
  src?: string | null | undefined;
  size?: AvatarSize;
  /** Only if the name is not shown beside it; otherwise the avatar is hidden from screen readers. */
  alt?: string;
  /** Loads the picture only near the window. */
  lazy?: boolean;
  /** Shows a dot for a member who is online. */
  online?: boolean;
  className?: string;
}

/** A member's picture, or the first letter of the name. */
export function Avatar({
  name,
  src: pictureSrc,
  size = 'md',
  alt = '',
  lazy,
  online,
  className,
}: AvatarProps) {
  const src = withQuality(pictureSrc, quality(size));
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const letter = name?.trim() ? ([...name.trim()][0]?.toUpperCase() ?? 'N') : 'N';
  // The same person always has the same colour.
  const tone =
    TONES[[...(name ?? '')].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % TONES.length];
  const look = cx(
    'relative inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none',
    SIZES[size],
    tone,
    className,
  );
  const dot = online && (
    <span className="absolute right-[2%] bottom-[2%] size-[24%] min-h-2.5 min-w-2.5 rounded-full border-2 border-surface bg-leaf" />
  );
  if (src && src !== brokenSrc) {
    return (
      <span className={look}>
        <img
          // Before the address, or some browsers begin at once.
          loading={lazy ? 'lazy' : 'eager'}
          src={src}
          alt={alt}
          decoding="async"
          onError={() => setBrokenSrc(src)}
          className="size-full rounded-full object-cover"
        />
        {dot}
      </span>
    );
  }
  return (
    <span className={look}>
      <span aria-hidden="true">{letter}</span>
      {alt && <span className="sr-only">{alt}</span>}
      {dot}
    </span>
  );
}
