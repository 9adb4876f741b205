import { createHash } from 'node:crypto';
import type { PreviewQuery } from '@tara/contract/wire/storage';
import { type FileRow, originalPicture, type StoredPicture, variantOf } from '../../features/files/index.ts';
import { storedQuality } from '../../platform/images/preview.ts';
import { isTooLarge, type Transformation } from '../../platform/images/size.ts';
import { Problem } from '../../platform/problem.ts';

/** How a preview is made: of a stored variant, at most encoded again in a lower quality, or by a transformation. */
export type PreviewRequest =
  | { picture: StoredPicture; quality: number }
  | { picture: StoredPicture; transformation: Transformation };

/** A colour of three or six digits, with six of them. */
export const sixDigits = (color: string | undefined) =>
  (color?.length === 3 ? color.replace(/./g, '$&$&') : (color ?? '')).toLowerCase();

/** Whether a query asks for nothing but a stored width, or none. */
function isStored(file: FileRow, { width = 0, height = 0, ...query }: PreviewQuery): boolean {
  const { borderWidth = 0, borderRadius = 0, opacity = 1, rotation = 0, background, output } = query;
  const isPlain = borderWidth === 0 && borderRadius === 0 && opacity === 1 && rotation % 360 === 0;
  const isStoredWidth = width === 0 || width >= file.width || file.variants.includes(width);
  return height === 0 && isPlain && !background && output === undefined && isStoredWidth;
}

/** The stored picture that is large enough for a preview, and the smallest that is. */
function previewSource(
  file: FileRow,
  { width = 0, height = 0 }: PreviewQuery,
  quality: number,
): StoredPicture {
  if (quality > storedQuality) return originalPicture(file);
  return variantOf(file, Math.ceil(Math.max(width, (height * file.width) / file.height)));
}

/**
 * Reads what a preview is asked for; parts without effect are left out, so that they make no previews of their own.
 * @throws Problem `storage_image_resolution_exceeded`
 */
export function readPreviewRequest(file: FileRow, query: PreviewQuery): PreviewRequest {
  const { width = 0, height = 0, gravity = 'center', quality, borderWidth = 0, borderRadius = 0 } = query;
  if (isStored(file, query)) return { picture: variantOf(file, width), quality: quality ?? 100 };
  const isResizedOnly = isStored(file, { ...query, width: 0 });
  const ownType = file.mimeType === 'image/png' ? 'png' : 'jpeg';
  const output = query.output === 'jpg' ? 'jpeg' : (query.output ?? (isResizedOnly ? 'webp' : ownType));
  const transformation: Transformation = {
    ...{ width, height, borderWidth, borderRadius, output },
    gravity: width > 0 && height > 0 ? gravity : 'center',
    quality: quality ?? storedQuality,
    borderColor: borderWidth > 0 ? sixDigits(query.borderColor) || '000000' : '',
    opacity: query.opacity ?? 1,
    rotation: ((query.rotation ?? 0) + 360) % 360,
    background: sixDigits(query.background) || null,
  };
  if (isTooLarge(file, transformation)) throw new Problem('storage_image_resolution_exceeded');
  const source = previewSource(file, query, transformation.quality);
  const hash = createHash('sha256').update(JSON.stringify(transformation)).digest('hex').slice(0, 16);
  const etag = source.etag.replace(/"$/, `-t${hash}"`);
  return { picture: { ...source, mimeType: `image/${output}`, etag }, transformation };
}
