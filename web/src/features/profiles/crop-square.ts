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
