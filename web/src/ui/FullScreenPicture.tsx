import { X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import { IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { useReturnFocus } from './use-return-focus.ts';

export interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  src: string;
  /** A larger one, loaded when the picture is enlarged. */
  zoomedSrc?: string;
  alt: string;
}

/** Time after a click in which a second one enlarges the picture instead of closing it. */
const DOUBLE_CLICK_MS = 300;
/** A pointer that moves farther than this many pixels drags the picture. */
const DRAG_PX = 8;

/** Whether a click closes the picture: not after dragging, and only once no second click follows. */
function useClickToClose(onClose: () => void) {
  const pressedAt = useRef({ x: 0, y: 0 });
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pending.current), []);
  return {
    onPointerDown: ({ clientX, clientY }: PointerEvent) => {
      pressedAt.current = { x: clientX, y: clientY };
    },
    onClick: ({ clientX, clientY }: MouseEvent) => {
      clearTimeout(pending.current);
      const isSecond = pending.current !== undefined;
      pending.current = undefined;
      const { x, y } = pressedAt.current;
      if (isSecond || Math.hypot(clientX - x, clientY - y) > DRAG_PX) return;
      pending.current = setTimeout(() => {
        pending.current = undefined;
        onClose();
      }, DOUBLE_CLICK_MS);
    },
  };
}

/** What `ImageViewer` shows once it is open. */
export default function FullScreenPicture({ open, onClose, src, zoomedSrc, alt }: ImageViewerProps) {
  const focus = useReturnFocus();
  const zoom = useRef<ReactZoomPanPinchRef>(null);
  const [isEnlarged, setIsEnlarged] = useState(false);
  // Stays once loaded, so that making it smaller does not blur it.
  const [wasEnlarged, setWasEnlarged] = useState(false);
  const clickToClose = useClickToClose(onClose);
  const handleScale = (scale: number) => {
    setIsEnlarged(scale > 1.01);
    if (scale > 1.01) setWasEnlarged(true);
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/95 data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-0 z-50 outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade"
        >
          <Dialog.Title className="sr-only">{alt || 'Picture'}</Dialog.Title>
          <div {...clickToClose} className={isEnlarged ? 'cursor-grab' : 'cursor-zoom-out'}>
            <TransformWrapper
              ref={zoom}
              minScale={1}
              maxScale={5}
              // Pinching a touch pad is a wheel with ctrl, which stays.
              wheel={{ wheelDisabled: true }}
              doubleClick={{ mode: 'toggle', step: 1 }}
              panning={{ disabled: !isEnlarged }}
              onTransform={(_, { scale }) => handleScale(scale)}
            >
              <TransformComponent wrapperClass="h-dvh! w-screen!" contentClass="h-dvh! w-screen!">
                <img
                  src={wasEnlarged && zoomedSrc ? zoomedSrc : src}
                  alt={alt}
                  draggable={false}
                  className="h-dvh w-screen object-contain"
                />
              </TransformComponent>
            </TransformWrapper>
          </div>
          <div className="absolute top-0 right-0 flex gap-2 p-3 pt-[max(12px,env(safe-area-inset-top))]">
            <IconButton
              label={isEnlarged ? 'Zoom out' : 'Zoom in'}
              variant="veiled"
              quiet
              onClick={() => {
                if (isEnlarged) zoom.current?.resetTransform();
                else zoom.current?.zoomIn(1);
              }}
            >
              <Icon of={isEnlarged ? ZoomOut : ZoomIn} />
            </IconButton>
            <IconButton label="Close" variant="veiled" quiet onClick={onClose}>
              <Icon of={X} />
            </IconButton>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
