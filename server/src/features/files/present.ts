import type { Picture } from '@tara/contract/fields';
import type { files } from './tables.ts';

type PictureColumns = Pick<typeof files, 'id' | 'bucket' | 'width' | 'height' | 'thumbhash' | 'alt'>;

/** Columns of a joined picture; give the (aliased) table. */
export const pictureColumns = (table: PictureColumns) => ({
  id: table.id,
  bucket: table.bucket,
  width: table.width,
  height: table.height,
  thumbhash: table.thumbhash,
  alt: table.alt,
});

export interface PictureRow {
  id: string;
  bucket: string;
  width: number;
  height: number;
  thumbhash: string;
  alt: string;
}

/** A stored picture as a member sees it; `?width=` of its address picks a variant. */
export function presentPicture(row: PictureRow): Picture {
  return {
    imageId: row.id,
    imageUrl: `/v1/storage/buckets/${row.bucket}/files/${row.id}/preview`,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash,
    alt: row.alt,
  };
}

/** The first picture of a profile, made of its initials (§3). */
export function initialsPicture(name: string): Picture {
  const imageUrl = `/v1/avatars/initials?name=${encodeURIComponent(name)}`;
  return { imageId: null, imageUrl, width: 512, height: 512, thumbhash: null, alt: name };
}
