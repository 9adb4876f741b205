import { VerifiedMark } from './Badge.tsx';
import { cx } from './cx.ts';

interface PersonNameProps {
  person: { name: string; verified: boolean | null };
  /** Of the mark, in pixels. */
  size?: number;
  className?: string;
}

/** A member's name, with the mark of a verified identity. A long name is cut, the mark never. */
export function PersonName({ person: { name, verified }, size = 16, className }: PersonNameProps) {
  return (
    <span className={cx('inline-flex max-w-full min-w-0 items-center gap-1.5', className)}>
      <span className="truncate">{name}</span>
      {verified && <VerifiedMark size={size} className="shrink-0" />}
    </span>
  );
}
