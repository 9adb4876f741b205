import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { useReturnFocus } from './use-return-focus.ts';

export interface ImageViewerProps {
  open: boolean;
  onClose: () => void;
  src: string;
  alt: string;
}

/** What `ImageViewer` shows once it is open. */
export default function FullScreenPicture({ open, onClose, src, alt }: ImageViewerProps) {
  const focus = useReturnFocus();
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/95 data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          onClick={onClose}
          className="fixed inset-0 z-50 flex cursor-zoom-out items-center justify-center outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade"
        >
          <Dialog.Title className="sr-only">{alt || 'Picture'}</Dialog.Title>
          <img src={src} alt={alt} className="max-h-dvh max-w-full object-contain" />
          <div className="absolute top-0 right-0 p-3 pt-[max(12px,env(safe-area-inset-top))]">
            <IconButton label="Close" variant="veiled" quiet onClick={onClose}>
              <Icon of={X} />
            </IconButton>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
