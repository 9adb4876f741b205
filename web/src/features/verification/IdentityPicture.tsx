import { ImageOff, Maximize2, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ImageViewer } from '../../ui/ImageViewer.tsx';
import { useLastingAddress } from './use-lasting-address.ts';

interface IdentityPictureProps {
  /** Short-lived: a link that ran out is fetched anew. */
  src: string;
  label: string;
  askAgain: () => Promise<void>;
}

/** One identity picture; opens over the whole screen. */
export function IdentityPicture({ src, label, askAgain }: IdentityPictureProps) {
  const { shown, failed, onError, retry } = useLastingAddress(src, askAgain);
  const [whole, setWhole] = useState(false);
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="text-sm text-ink-soft">{label}</figcaption>
      {failed ? (
        <div
          role="alert"
          className="flex aspect-3/2 flex-col items-center justify-center gap-2 rounded-control bg-sunken p-3 text-center text-sm text-ink-soft"
        >
          <Icon of={ImageOff} size={24} />
          This picture could not be loaded.
          <Button size="sm" variant="secondary" icon={<Icon of={RotateCw} size={16} />} onClick={retry}>
            Try again
          </Button>
        </div>
      ) : (
        <button
          type="button"
          aria-label={`${label}, open full screen`}
          onClick={() => setWhole(true)}
          className="group relative aspect-3/2 cursor-zoom-in overflow-hidden rounded-control bg-sunken"
        >
          <img src={shown} alt={label} onError={onError} className="size-full object-contain" />
          <span className="absolute right-2 bottom-2 flex size-8 items-center justify-center rounded-full bg-black/55 text-white">
            <Icon of={Maximize2} size={16} />
          </span>
        </button>
      )}
      <ImageViewer open={whole} onClose={() => setWhole(false)} src={shown} alt={label} />
    </figure>
  );
}
