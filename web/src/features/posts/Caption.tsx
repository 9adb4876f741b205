import { useState } from 'react';
import { cx } from '../../ui/cx.ts';

/** About six lines of the feed's column; a caption can be 5000 characters (§5). */
const SHORT = { characters: 360, lines: 6 };

/** What the creator wrote, with its line breaks; in lists a long one opens by 'Show more'. */
export function Caption({ text, whole, className }: { text: string; whole?: boolean; className?: string }) {
  const [open, setOpen] = useState(false);
  if (text === '') return null;
  const long = text.length > SHORT.characters || text.split('\n').length > SHORT.lines;
  const cut = long && !whole && !open;
  return (
    <div className={className}>
      <p className={cx('wrap-anywhere whitespace-pre-line', cut && 'line-clamp-6')}>{text}</p>
      {cut && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="touch mt-1 font-semibold text-ink-soft hover:text-ink"
        >
          Show more
        </button>
      )}
    </div>
  );
}

/** The tags as `#tag`. */
export function Tags({ tags, className }: { tags: string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className={cx('flex flex-wrap gap-x-2 gap-y-1', className)}>
      {tags.map((tag) => (
        <li key={tag} className="wrap-anywhere text-lagoon">
          #{tag}
        </li>
      ))}
    </ul>
  );
}
