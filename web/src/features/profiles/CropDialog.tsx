import Cropper, { type Area } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ResponsiveDialog } from '../../ui/Overlays.tsx';
import { usePreviewUrl } from '../../ui/PhotoPicker.tsx';

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

/** Pixels on a side that a profile picture has at most: no screen shows it larger. */
const MAX_SIDE_PX = 1600;
const JPEG_QUALITY = 0.92;

/** In pixels of the picture as it is shown. */
interface Square {
  x: number;
  y: number;
  width: number;
}

/**
 * A square of a picture as a JPEG of its own. Transparent parts become white. Where the browser cannot do it, the
 * picture as it was chosen: it is only shown in a circle then, too.
 */
export async function cropSquare(file: File, { x, y, width }: Square): Promise<File> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const side = Math.max(1, Math.min(Math.round(width), MAX_SIDE_PX));
    const canvas = document.createElement('canvas');
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext('2d');
    if (!context) return file;
    context.fillStyle = 'white';
    context.fillRect(0, 0, side, side);
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, x, y, width, width, 0, 0, side, side);
    bitmap.close();
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
    if (blob === null) return file;
    return new File([blob], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' });
  } catch (error) {
    console.warn('The picture is uploaded uncropped', error);
    return file;
  }
}
