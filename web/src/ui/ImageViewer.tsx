import { usePart } from './use-part.ts';

export interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  src: string;
  alt: string;
}

const load = () => import('./FullScreenPicture.tsx').then(({ FullScreenPicture }) => FullScreenPicture);

/** A picture over the whole screen (§2): closed by its Close button, by a click anywhere, and by Esc. */
export function ImageViewer(props: ImageViewerProps) {
  const Picture = usePart(load, props.open);
  return Picture && <Picture {...props} />;
}
