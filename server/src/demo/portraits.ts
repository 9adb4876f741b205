import { createAvatar } from '@dicebear/core';
import * as notionists from '@dicebear/notionists';
import sharp from 'sharp';

const papers = ['f7c9a9', 'b9dfe6', 'f3d98b', 'f2b8b5', 'c9dcb4', 'd6cdf0'];

/** A drawn portrait, 640 × 640, the same for the same seed. */
export async function drawPortrait(seed: string): Promise<Buffer> {
  const drawing = createAvatar(notionists, {
    seed,
    size: 640,
    backgroundColor: papers,
    gestureProbability: 0,
    bodyIconProbability: 0,
  }).toString();
  return sharp(Buffer.from(drawing)).flatten({ background: '#f7c9a9' }).jpeg({ quality: 88 }).toBuffer();
}
