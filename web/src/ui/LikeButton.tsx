import { Heart } from 'lucide-react';
import { cx } from './cx.ts';
import { Icon } from './Icon.tsx';

let compact: Intl.NumberFormat | undefined;

/** '999', '1.2K'. */
export function compactCount(count: number): string {
  if (count < 1000) return String(count);
  // Only then, because the first use of Intl takes a tenth of a second of a phone's first screen.
  compact ??= new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
  return compact.format(count);
}

interface LikeButtonProps {
  liked: boolean;
  totalLikes: number;
  /** The number is shown beside it. */
  hidesCount?: boolean;
  onPress: () => void;
}

/** A heart with the number of likes. */
export function LikeButton({ liked, totalLikes, hidesCount, onPress }: LikeButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`Like, ${totalLikes} ${totalLikes === 1 ? 'like' : 'likes'}`}
      onClick={onPress}
      className={cx(
        'figures flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full px-3 font-semibold transition-colors hover:bg-sunken',
        liked ? 'text-guava' : 'text-ink-soft hover:text-ink',
      )}
    >
      <Icon of={Heart} size={22} filled={liked} className={liked ? 'animate-beat' : undefined} />
      {!hidesCount && compactCount(totalLikes)}
    </button>
  );
}
