import { ChevronLeft, ChevronRight, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch';
import { IconButton } from './Button.tsx';
import { useBackToClose } from './back.ts';
import { Icon } from './Icon.tsx';
import { useReturnFocus } from './Page.tsx';
import { withQuality } from './Picture.tsx';

export interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  src: string;
  /** A larger one, loaded when the picture is enlarged. */
  zoomedSrc?: string;
  alt: string;
  /** For several pictures: which this is, and how to open the others. */
  series?: Series;
}

interface Series {
  index: number;
  count: number;
  onShow: (index: number) => void;
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
export default function FullScreenPicture({ open, onClose, src, zoomedSrc, alt, series }: ImageViewerProps) {
  useBackToClose(open, onClose);
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
  const show = (index: number) => {
    if (!series || index < 0 || index >= series.count) return;
    void zoom.current?.resetTransform(0);
    setWasEnlarged(false);
    series.onShow(index);
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/95 data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          onKeyDown={({ key }) => {
            if (series && key === 'ArrowLeft') show(series.index - 1);
            if (series && key === 'ArrowRight') show(series.index + 1);
          }}
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
                  src={withQuality(wasEnlarged && zoomedSrc ? zoomedSrc : src, 100)}
                  alt={alt}
                  draggable={false}
                  className="h-dvh w-screen object-contain"
                />
              </TransformComponent>
            </TransformWrapper>
          </div>
          {series && series.count > 1 && <SeriesButtons {...series} onShow={show} />}
          <div className="absolute top-0 right-0 flex gap-2 p-3 pt-[max(12px,env(safe-area-inset-top))]">
            <IconButton
              label={isEnlarged ? 'Zoom out' : 'Zoom in'}
              variant="veiled"
              quiet
              onClick={() => {
                if (isEnlarged) void zoom.current?.resetTransform();
                else void zoom.current?.zoomIn(1);
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

const edge = 'pointer-events-none absolute inset-y-0 flex items-center p-3';

/** 'Previous', 'Next' and the number of the picture. */
function SeriesButtons({ index, count, onShow }: Series) {
  return (
    <>
      {index > 0 && (
        <div className={`${edge} left-0`}>
          <IconButton
            label="Previous photo"
            variant="veiled"
            quiet
            onClick={() => onShow(index - 1)}
            className="pointer-events-auto"
          >
            <Icon of={ChevronLeft} />
          </IconButton>
        </div>
      )}
      {index < count - 1 && (
        <div className={`${edge} right-0`}>
          <IconButton
            label="Next photo"
            variant="veiled"
            quiet
            onClick={() => onShow(index + 1)}
            className="pointer-events-auto"
          >
            <Icon of={ChevronRight} />
          </IconButton>
        </div>
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-0 flex justify-center pb-[max(16px,env(safe-area-inset-bottom))]">
        <p
          aria-live="polite"
          className="figures rounded-full bg-black/55 px-3 py-1 text-sm font-semibold text-white"
        >
          {index + 1} of {count}
        </p>
      </div>
    </>
  );
}
