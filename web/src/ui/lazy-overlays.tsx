import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
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

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What is open over the screen, see `useHistoryFlag`. */
    overlay?: string;
  }
}

/**
 * Something open over the screen as an entry of the history, so that Back closes it. The address stays.
 * @param name unlike those of all others on the screen.
 */
export function useHistoryFlag(name: string) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = useLocation({ select: ({ state }) => state.overlay === name });
  return {
    isOpen,
    open: () =>
      void navigate({
        to: '.',
        search: true,
        hash: true,
        state: (state) => ({ ...state, overlay: name }),
        resetScroll: false,
      }),
    close: () => isOpen && history.back(),
  };
}
