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

/** A card with a portrait and no words, as the demo world's identity papers; `back` shows its other side. */
export async function drawCard(seed: string, back = false): Promise<Buffer> {
  const lines = [300, 360, 420, 480].map(
    (y, at) =>
      `<rect x="${back ? 90 : 420}" y="${y}" width="${(back ? 780 : 420) - at * 60}" height="26" rx="13" fill="#5d7c8a" opacity=".55"/>`,
  );
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="606">
    <rect width="960" height="606" rx="36" fill="#dfeaf0"/><rect width="960" height="150" rx="36" fill="${back ? '#31414a' : '#2f6f86'}"/>
    <circle cx="110" cy="75" r="42" fill="#f3d98b"/>${lines.join('')}</svg>`;
  const portrait = await sharp(await drawPortrait(seed))
    .resize(280, 280)
    .toBuffer();
  return sharp(Buffer.from(drawing))
    .composite(back ? [] : [{ input: portrait, left: 90, top: 250 }])
    .flatten({ background: '#8a7767' })
    .jpeg({ quality: 86 })
    .toBuffer();
}
