/** Parts of a picture that stay when it is cropped, by their names on the wire, with those of the decoder. */
export const gravities = {
  center: 'center',
  'top-left': 'left top',
  top: 'top',
  'top-right': 'right top',
  left: 'left',
  right: 'right',
  'bottom-left': 'left bottom',
  bottom: 'bottom',
  'bottom-right': 'right bottom',
} as const;

/** What a preview is made of; a part without effect has its plain value, so that alike previews are equal. */
export interface Transformation {
  /** px; 0 keeps the ratio. With both the picture is cropped to that size, and enlarged if need be; with one it never is. */
  width: number;
  height: number;
  gravity: keyof typeof gravities;
  /** 0 to 100. */
  quality: number;
  /** px, around the picture. */
  borderWidth: number;
  /** Six hexadecimal digits, as `background`. */
  borderColor: string;
  /** px, of all corners. */
  borderRadius: number;
  /** 0 to 1. */
  opacity: number;
  /** Degrees, clockwise from 0 to 359. */
  rotation: number;
  /** Below what is transparent; null leaves it, and JPEG shows white. */
  background: string | null;
  output: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';
}

/** Most pixels of a preview in each format: those of the largest stored picture, fewer where the encoder takes much time and memory. */
export const mostPixels = { jpeg: 17e6, png: 17e6, webp: 17e6, gif: 9e6, avif: 9e6 } as const;
/** Above it the memory that the encoder took is given back. */
export const largePixels = 4e6;

/** How many pixels a preview of a picture of this size has, border and rotation included. */
export function countPixels(picture: { width: number; height: number }, wished: Transformation): number {
  const scale =
    wished.width > 0 ? wished.width / picture.width : wished.height > 0 ? wished.height / picture.height : 1;
  const isCropped = wished.width > 0 && wished.height > 0;
  const border = 2 * wished.borderWidth;
  const width = (isCropped ? wished.width : picture.width * Math.min(1, scale)) + border;
  const height = (isCropped ? wished.height : picture.height * Math.min(1, scale)) + border;
  const angle = (wished.rotation * Math.PI) / 180;
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  return Math.round((width * cosine + height * sine) * (width * sine + height * cosine));
}

/** Whether a preview is larger than one may be. */
export const isTooLarge = (picture: { width: number; height: number }, wished: Transformation): boolean =>
  countPixels(picture, wished) > mostPixels[wished.output];
