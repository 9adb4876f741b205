import { readFile } from 'node:fs/promises';
import { pictureWidths } from '@tara/contract/limits';
import { storedQuality } from '@tara/server/platform/images/preview';
import sharp from 'sharp';
import { serveParent } from '../measure/child.ts';

/** What the baseline makes of a photo. */
export interface BaselineFiles {
  photoPath: string;
  /** Quality of the stored JPEG. */
  quality: number;
  /** How many times. */
  count: number;
}

// As the server's own process for pictures.
sharp.concurrency(1);
sharp.cache(false);

/** The baseline of an upload: `sharp` alone makes the files that are stored of a photo. Returns the CPU time, ms. */
async function makeFiles({ photoPath, quality, count }: BaselineFiles): Promise<{ cpuMs: number }> {
  const photo = await readFile(photoPath);
  const before = process.cpuUsage();
  for (let index = 0; index < count; index++) {
    const stored = await sharp(photo).autoOrient().jpeg({ quality }).toBuffer();
    for (const width of pictureWidths) {
      await sharp(stored).resize({ width }).webp({ quality: storedQuality }).toBuffer();
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 };
}

serveParent<BaselineFiles, { cpuMs: number }>(makeFiles);
