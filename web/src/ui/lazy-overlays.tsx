import { cloneElement, type KeyboardEvent, useState } from 'react';
import type { ImageViewerProps } from './FullScreenPicture.tsx';
import { LazyComponent, lazyModule } from './lazy-component.tsx';
import type { MenuProps } from './MenuPanel.tsx';

const panel = lazyModule(() => import('./MenuPanel.tsx'));

/** A list of things to do behind one button. The list is fetched apart from the page that offers it. */
export function Menu({ startsOpen = false, ...props }: MenuProps & { startsOpen?: boolean }) {
  const [isWanted, setIsWanted] = useState(startsOpen);
  const trigger = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setIsWanted(true),
    onKeyDown: (event: KeyboardEvent) => event.key === 'ArrowDown' && setIsWanted(true),
  });
  return <LazyComponent module={panel} isWanted={isWanted} fallback={trigger} props={props} />;
}

const picture = lazyModule(() => import('./FullScreenPicture.tsx'));

/** A picture over the whole screen (§2): closed by its Close button, a click anywhere, or Esc; enlarged by pinching or a double click. */
export function ImageViewer(props: ImageViewerProps) {
  return <LazyComponent module={picture} isWanted={props.open} props={props} />;
}

/** Whether something is open over the screen, such as a picture. */
export function useOpenState() {
  const [isOpen, setIsOpen] = useState(false);
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) };
}
