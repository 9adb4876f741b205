import { ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { usePreviewUrl } from '../../ui/use-file-transfer.ts';
import { cropSquare } from './crop-square.ts';

const zoomLimits = { min: 1, max: 4, step: 0.1 };
/** Pixels that an arrow key moves the picture. */
const KEYBOARD_STEP_PX = 8;

interface CropDialogProps {
  file: File;
  /** Takes the square that was chosen, or null when the dialog was closed. */
  onDone: (file: File | null) => void;
}

/** Chooses the square of a picture that becomes the profile picture: by dragging, pinching, or the arrow keys and a slider. */
export default function CropDialog({ file, onDone }: CropDialogProps) {
  const url = usePreviewUrl(file);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState<number>(zoomLimits.min);
  const [area, setArea] = useState<Area | null>(null);
  const [isCropping, setIsCropping] = useState(false);
  const finish = async () => {
    if (!area) return;
    setIsCropping(true);
    onDone(await cropSquare(file, area));
  };
  return (
    <ResponsiveDialog
      open
      onOpenChange={(next) => !next && !isCropping && onDone(null)}
      title="Crop your picture"
      description="Drag the picture, or move it by the arrow keys. People see what is inside the circle."
      size="md"
      actions={
        <>
          <Button variant="secondary" onClick={() => !isCropping && onDone(null)}>
            Cancel
          </Button>
          <Button
            pending={isCropping}
            pendingLabel="Cropping..."
            disabledReason={area === null && 'The picture is being opened.'}
            onClick={() => void finish()}
          >
            Use picture
          </Button>
        </>
      }
    >
      {/* The drawer would be dragged together with the picture. */}
      <div data-vaul-no-drag="" className="flex flex-col gap-3 pb-1">
        <div className="relative aspect-square max-h-[50dvh] w-full overflow-hidden rounded-card bg-sunken">
          {url && (
            <Cropper
              image={url}
              crop={crop}
              zoom={zoom}
              minZoom={zoomLimits.min}
              maxZoom={zoomLimits.max}
              aspect={1}
              cropShape="round"
              showGrid={false}
              keyboardStep={KEYBOARD_STEP_PX}
              // Its own style element is against the content policy.
              disableAutomaticStylesInjection
              cropperProps={{ 'aria-label': 'Picture, moved by the arrow keys', role: 'group' }}
              mediaProps={{
                alt: '',
                // The browser cannot show it: the server says what is wrong with it.
                onError: () => onDone(file),
              }}
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
            />
          )}
        </div>
        <label className="flex min-h-11 items-center gap-3 text-ink-soft">
          <span className="sr-only">Zoom</span>
          <Icon of={ZoomOut} />
          <input
            type="range"
            {...zoomLimits}
            value={zoom}
            onChange={({ target }) => setZoom(Number(target.value))}
            className="h-11 flex-1 accent-lagoon"
          />
          <Icon of={ZoomIn} />
        </label>
      </div>
    </ResponsiveDialog>
  );
}
