import { clsx } from 'clsx';
import { Suspense } from 'react';
import { lazyPart } from './lazy-component.tsx';

/** Our drawings. Each is a file of a few kB, which is loaded where the drawing is shown. */
const scenes = {
  /** What has not begun yet. */
  lanterns: lazyPart(() => import('./scenes/Lanterns.tsx')),
  /** Plans and what they lead to. */
  sailing: lazyPart(() => import('./scenes/Sailing.tsx')),
  /** What is not there: nothing found, no page, no chats. */
  cat: lazyPart(() => import('./scenes/NightCat.tsx')),
  /** People and friends. */
  together: lazyPart(() => import('./scenes/Together.tsx')),
  /** No network, and what failed. */
  moored: lazyPart(() => import('./scenes/Moored.tsx')),
  /** Meetings and reviews. */
  table: lazyPart(() => import('./scenes/Table.tsx')),
  /** How a plan works; three times as wide as high. */
  voyage: lazyPart(() => import('./scenes/Voyage.tsx')),
};
export type SceneName = keyof typeof scenes;

interface SceneProps {
  name: SceneName;
  /** Its size and shape; the drawing fills them. */
  className?: string;
}

/** One of our drawings in the colours of the theme. Decorative: the words beside it say what it means. */
export function Scene({ name, className }: SceneProps) {
  const Drawing = scenes[name];
  return (
    <div aria-hidden="true" className={clsx('dusk shrink-0 overflow-hidden', className)}>
      <Suspense>
        <Drawing className="size-full animate-fade" />
      </Suspense>
    </div>
  );
}
