import { clsx } from 'clsx';
import { Suspense } from 'react';
import { lazyPart } from './lazy-component.tsx';

/** Our drawings. Each is a file of a few kB, which is loaded where the drawing is shown. */
const illustrations = {
  /** What has not begun yet. */
  lanterns: lazyPart(() => import('./illustrations/Lanterns.tsx')),
  /** Plans and what they lead to. */
  sailing: lazyPart(() => import('./illustrations/Sailing.tsx')),
  /** What is not there: nothing found, no page, no chats. */
  cat: lazyPart(() => import('./illustrations/NightCat.tsx')),
  /** People and friends. */
  together: lazyPart(() => import('./illustrations/Together.tsx')),
  /** No network, and what failed. */
  moored: lazyPart(() => import('./illustrations/Moored.tsx')),
  /** Meetings and reviews. */
  table: lazyPart(() => import('./illustrations/Table.tsx')),
  /** How a plan works; three times as wide as high. */
  voyage: lazyPart(() => import('./illustrations/Voyage.tsx')),
};
export type IllustrationName = keyof typeof illustrations;

interface IllustrationProps {
  name: IllustrationName;
  /** Its size and shape; the drawing fills them. */
  className?: string;
}

/** One of our drawings in the colours of the theme. Decorative: the words beside it say what it means. */
export function Illustration({ name, className }: IllustrationProps) {
  const Drawing = illustrations[name];
  return (
    <div aria-hidden="true" className={clsx('dusk shrink-0 overflow-hidden', className)}>
      <Suspense>
        <Drawing className="size-full animate-fade" />
      </Suspense>
    </div>
  );
}
