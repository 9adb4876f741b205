import { createHash } from 'node:crypto';
import { files } from '../features/files/index.ts';
import type { Transaction } from '../platform/database/connect.ts';
import type { FileStore } from '../platform/files/store.ts';
import { newId } from '../platform/ids.ts';
import type { DemoPictures } from './pictures.ts';

/** The pictures with the ids under which their bytes are stored. */
export interface Stored {
  pictures: DemoPictures;
  ids: ReadonlyMap<string, string>;
}

/** Puts the bytes of every picture into the file store; identity papers (`id-…`) go into the encrypted one, unsized. */
export async function addPictures(
  { store, documents }: { store: FileStore; documents: FileStore },
  pictures: DemoPictures,
): Promise<Map<string, string>> {
  const ids = new Map([...pictures.keys()].map((name) => [name, newId()]));
  await Promise.all(
    [...pictures].flatMap(([name, { bytes, variants }]) => {
      const id = ids.get(name);
      if (name.startsWith('id-')) return documents.put(`${id}/original`, bytes);
      const parts = variants.map((variant) => store.put(`${id}/${variant.width}`, variant.bytes));
      return [store.put(`${id}/original`, bytes), ...parts];
    }),
  );
  return ids;
}

interface Use {
  name: string;
  ownerAccountId: string;
  alt: string;
  bucket?: 'images' | 'messageFiles' | 'verificationFiles';
  readers?: string[];
  at: Date;
}

/** Notes a stored picture as used by its member; gives its id. */
export async function usePicture(
  transaction: Transaction,
  { pictures, ids }: Stored,
  use: Use,
): Promise<string> {
  const id = ids.get(use.name);
  const picture = pictures.get(use.name);
  if (!id || !picture) throw new Error(`The demo world has no picture ${use.name}.`);
  const { width, height, thumbhash, mimeType, bytes, variants } = picture;
  await transaction.insert(files).values({
    id,
    bucket: use.bucket ?? 'images',
    ownerAccountId: use.ownerAccountId,
    name: `${use.name}.jpg`,
    mimeType,
    size: bytes.length,
    signature: createHash('sha256').update(bytes).digest('hex'),
    width,
    height,
    thumbhash,
    alt: use.alt,
    variants: use.bucket === 'verificationFiles' ? [] : variants.map((variant) => variant.width),
    usedAt: use.at,
    readers: use.readers ?? null,
    createdAt: use.at,
  });
  return id;
}
