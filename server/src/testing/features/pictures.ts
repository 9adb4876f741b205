import sharp from 'sharp';
import { files } from '../../features/files/tables.ts';
import type { Database } from '../../platform/database/connect.ts';
import { newId } from '../../platform/ids.ts';

/** Bytes of a plain picture. */
export function pictureBytes(
  options: { width?: number; height?: number; format?: 'jpeg' | 'png' } = {},
): Promise<Buffer> {
  const { width = 400, height = 300, format = 'jpeg' } = options;
  const picture = sharp({ create: { width, height, channels: 3, background: '#3a7' } });
  return picture.toFormat(format).toBuffer();
}

/** Inserts the row of an uploaded picture that nothing uses yet, and returns its id; no bytes are kept. */
export async function insertPicture(
  database: Database,
  picture: { ownerAccountId: string } & Partial<typeof files.$inferInsert>,
): Promise<string> {
  const id = newId();
  await database.insert(files).values({
    id,
    bucket: 'images',
    mimeType: 'image/jpeg',
    size: 1000,
    signature: 'none',
    width: 400,
    height: 300,
    thumbhash: 'none',
    variants: [96, 320, 400],
    ...picture,
  });
  return id;
}
