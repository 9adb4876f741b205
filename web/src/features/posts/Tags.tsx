import { Link } from '@tanstack/react-router';
import { searchLength } from '@tara/contract/limits';
import { cx } from '../../ui/cx.ts';

/** The tags as `#tag`, each a link to the posts with it. */
export function Tags({ tags, className }: { tags: string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className={cx('flex flex-wrap gap-x-2 gap-y-1', className)}>
      {tags.map((tag) => (
        <li key={tag} className="wrap-anywhere">
          <Link
            to="/explore"
            search={{ search: `#${tag}`.slice(0, searchLength) }}
            className="touch text-lagoon hover:underline"
          >
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
