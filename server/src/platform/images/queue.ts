import { type ImageLimits, type ProcessedImage, processImage } from './process.ts';
import { ImagesBusy } from './rejected.ts';

/** Where uploads are turned into pictures, a few at a time. */
export interface Images {
  /** @throws ImageRejected about the picture, ImagesBusy when the line is full. */
  process(upload: Uint8Array, limits: ImageLimits): Promise<ProcessedImage>;
}

/**
 * Opens the line for pictures: `atOnce` are worked on (each may take 150 MB while it is decoded), at most `waiting` wait.
 */
export function openImages({ atOnce = 2, waiting = 32 } = {}): Images {
  let working = 0;
  const line: (() => void)[] = [];
  return {
    async process(upload, limits) {
      if (working >= atOnce) {
        if (line.length >= waiting) throw new ImagesBusy('Too many pictures are being processed.');
        // The one who leaves hands the place over, so nobody can slip in between.
        await new Promise<void>((next) => line.push(next));
      } else {
        working++;
      }
      try {
        return await processImage(upload, limits);
      } finally {
        const next = line.shift();
        if (next) next();
        else working--;
      }
    },
  };
}
