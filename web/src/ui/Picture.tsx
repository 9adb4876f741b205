import { clsx } from 'clsx';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import { Icon } from './Icon.tsx';

interface PictureProps {
  /** The picture's size in pixels, which reserves its space before it loads. */
  width: number;
  height: number;
  /** The widths that it is stored in, ascending; none for one that is drawn in any size. */
  widths: readonly number[];
  alt: string;
  /** The address of the picture at about this many pixels wide. */
  source: (width: number) => string;
  /** Base64 thumbhash, shown while loading. */
  thumbhash?: string | null | undefined;
  /** How wide it will be shown, as in `<img sizes>`; browsers that can measure what they load late do that instead. */
  sizes?: string;
  /** In pixels; §9 gives 800 for post cards. Also never taller than 85% of the window. */
  maxHeight?: number;
  /** A fixed shape such as '1 / 1' for tiles, instead of the picture's own. */
  ratio?: string;
  fit?: 'cover' | 'contain';
  /** The first picture on a screen: load it at once. */
  eager?: boolean;
  className?: string;
}

/** A picture that reserves its space: first a blurred placeholder, then the picture, or a message if it fails. */
export function Picture({
  width,
  height,
  widths,
  alt,
  source,
  thumbhash,
  sizes = '(min-width: 768px) 640px, 100vw',
  maxHeight,
  ratio,
  fit = 'cover',
  eager,
  className,
}: PictureProps) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const blur = thumbhashUrl(thumbhash);
  const known = width > 0 && height > 0;
  return (
    <div
      className={clsx('relative w-full overflow-hidden bg-sunken', className)}
      style={{
        aspectRatio: ratio ?? (known ? `${width} / ${height}` : '4 / 3'),
        maxHeight: maxHeight === undefined ? undefined : `min(${maxHeight}px, 85svh)`,
        backgroundImage: blur && state !== 'failed' ? `url(${blur})` : undefined,
        backgroundSize: 'cover',
        backgroundPosition: 'center',
      }}
    >
      {state === 'failed' ? (
        <div role="img" aria-label={alt} className="@container-size absolute inset-0 text-ink-soft">
          <div className="flex size-full flex-col items-center justify-center gap-2 text-center text-sm">
            <Icon of={ImageOff} size={24} />
            {/* A small picture has no room for it. */}
            <span aria-hidden="true" className="hidden px-4 @min-h-[7rem]:@min-w-[11rem]:block">
              This picture could not be loaded.
            </span>
          </div>
        </div>
      ) : (
        <img
          // A picture from the cache is complete before React listens.
          ref={(img) => {
            if (img?.complete && img.naturalWidth > 0) setState('ready');
          }}
          loading={eager ? 'eager' : 'lazy'}
          src={source(widths.find((w) => w >= 640) ?? widths.at(-1) ?? 640)}
          {...(widths.length > 0
            ? {
                srcSet: widths.map((w) => `${source(w)} ${w}w`).join(', '),
                sizes: eager ? sizes : `auto, ${sizes}`,
              }
            : {})}
          width={known ? width : undefined}
          height={known ? height : undefined}
          alt={alt}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          onLoad={() => setState('ready')}
          onError={() => setState('failed')}
          className={clsx(
            'absolute inset-0 size-full transition-opacity duration-200',
            fit === 'cover' ? 'object-cover' : 'object-contain',
            state === 'ready' ? 'opacity-100' : 'opacity-0',
          )}
        />
      )}
    </div>
  );
}

const known = new Map<string, string | null>();
const CACHE_LIMIT = 500;

/** A base64 thumbhash as the address of a tiny blurred picture; null when it is invalid. */
function thumbhashUrl(hash: string | null | undefined): string | null {
  if (!hash) return null;
  const cachedUrl = known.get(hash);
  if (cachedUrl !== undefined) return cachedUrl;
  let url: string | null = null;
  try {
    url = thumbHashToDataURL(Uint8Array.from(atob(hash), (sign) => sign.charCodeAt(0)));
  } catch {
    // An invalid thumbhash: no placeholder.
  }
  if (known.size >= CACHE_LIMIT) known.clear();
  known.set(hash, url);
  return url;
}

export type AvatarSize = 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl' | 'fill';
/** The letter is a picture: its size follows the circle. */
const SIZES: Record<AvatarSize, string> = {
  xs: 'size-6 text-[12px]',
  sm: 'size-8 text-[14px]',
  md: 'size-10 text-[16px]',
  lg: 'size-14 text-[22px]',
  xl: 'size-24 text-[36px]',
  '2xl': 'size-32 text-[36px]',
  /** The shape that `className` gives. */
  fill: 'text-[36px]',
};
/** Quality of the preview (§9): 10 for small avatars, 25 for others. */
const quality = (size: AvatarSize) => (size === 'xs' || size === 'sm' ? 10 : 25);

const TONES = [
  'bg-plum-soft text-plum',
  'bg-lagoon-soft text-lagoon',
  'bg-mango-soft text-mango-ink',
  'bg-leaf-soft text-leaf',
];

/** Which of `count` colours is a person's: always the same for the same name. */
export const toneIndex = (name: string, count: number): number =>
  [...name].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % count;

interface AvatarProps {
  name: string | null | undefined;
  /** The picture's address; without one, or when it fails, the first letter of the name is shown (§2). */
  src?: string | null | undefined;
  size?: AvatarSize;
  /** Only if the name is not shown beside it; otherwise the avatar is hidden from screen readers. */
  alt?: string;
  /** Loads the picture only near the window. */
  lazy?: boolean;
  className?: string;
}

/** A member's picture, or the first letter of the name. */
export function Avatar({ name, src: pictureSrc, size = 'md', alt = '', lazy, className }: AvatarProps) {
  const src = withQuality(pictureSrc, quality(size));
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const letter = name?.trim() ? ([...name.trim()][0]?.toUpperCase() ?? 'N') : 'N';
  const tone = TONES[toneIndex(name ?? '', TONES.length)];
  const look = clsx(
    'relative inline-flex shrink-0 items-center justify-center font-semibold select-none',
    size !== 'fill' && 'rounded-full',
    SIZES[size],
    tone,
    className,
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
      </span>
    );
  }
  return (
    <span className={look}>
      <span aria-hidden="true">{letter}</span>
      {alt && <span className="sr-only">{alt}</span>}
    </span>
  );
}

/** The address of a preview in another quality, 0 to 100; other addresses stay as they are. */
export const withQuality = (src: string | null | undefined, quality: number) =>
  src?.replace(/([?&]quality=)\d+/, `$1${quality}`);
