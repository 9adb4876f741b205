import type { ImageViewerProps } from './FullScreenPicture.tsx';
import { LazyComponent, lazyModule } from './lazy-component.tsx';

const picture = lazyModule(() => import('./FullScreenPicture.tsx'));

/** A picture over the whole screen (§2): closed by its Close button, a click anywhere, or Esc; enlarged by pinching or a double click. */
export function ImageViewer(props: ImageViewerProps) {
  return <LazyComponent module={picture} isWanted={props.open} props={props} />;
}
