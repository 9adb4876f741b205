import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { upload } from '@tara/contract/limits';
import PQueue from 'p-queue';
import { type ProcessedImage, processImage } from '../platform/images/process.ts';
import { plans, posts } from './offers.ts';
import { members } from './people.ts';
import { drawCard, drawPortrait } from './portraits.ts';
import { drawScene } from './scenes.ts';

/** Drawing and encoding take seconds, so the pictures are made once, when the web is built, and kept here. */
const folder = resolve(import.meta.dirname, '../../../node_modules/.cache/tara-demo-2');

const drawings: Record<string, () => Promise<Buffer>> = {
  ...Object.fromEntries(members.map(({ key }) => [`portrait-${key}`, () => drawPortrait(key)])),
  ...Object.fromEntries(posts.map(({ scene }, at) => [`post-${at}`, () => drawScene(scene, 11 + at * 3)])),
  ...Object.fromEntries(
    plans.map(({ key, scene }, at) => [`plan-${key}`, () => drawScene(scene, 101 + at * 5)]),
  ),
  ...Object.fromEntries(
    members
      .filter(({ identity }) => identity === 'waiting')
      .flatMap(({ key }) => [
        [`id-front-${key}`, () => drawCard(key)],
        [`id-back-${key}`, () => drawCard(key, true)],
        [`id-face-${key}`, () => drawPortrait(key)],
      ]),
  ),
  'review-hike': () => drawScene('mountains', 77),
  'message-pier': () => drawScene('island', 88),
};

/** Every picture of the demo world by its name. */
export type DemoPictures = ReadonlyMap<string, ProcessedImage>;

const queue = new PQueue({ concurrency: 2 });

async function readKept(name: string): Promise<ProcessedImage | null> {
  try {
    const kept = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
    return {
      ...kept,
      bytes: Buffer.from(kept.bytes, 'base64'),
      variants: kept.variants.map((variant: { width: number; bytes: string }) => ({
        width: variant.width,
        bytes: Buffer.from(variant.bytes, 'base64'),
      })),
    };
  } catch {
    // Not made yet, or cut off while it was written: it is drawn again.
    return null;
  }
}

async function keep(name: string, picture: ProcessedImage): Promise<void> {
  const text = JSON.stringify({
    ...picture,
    bytes: picture.bytes.toString('base64'),
    variants: picture.variants.map(({ width, bytes }) => ({ width, bytes: bytes.toString('base64') })),
  });
  await mkdir(folder, { recursive: true });
  const aside = join(folder, `${name}.${process.pid}`);
  await writeFile(aside, text);
  await rename(aside, join(folder, `${name}.json`));
}

async function make(name: string, draw: () => Promise<Buffer>): Promise<ProcessedImage> {
  const kept = await readKept(name);
  if (kept) return kept;
  const picture = await queue.add(async () => processImage(await draw(), { maxBytes: upload.images }));
  await keep(name, picture);
  return picture;
}

/** Reads the pictures of the demo world, and draws those that are not there yet. */
export async function demoPictures(): Promise<DemoPictures> {
  const made = await Promise.all(
    Object.entries(drawings).map(async ([name, draw]) => [name, await make(name, draw)] as const),
  );
  return new Map(made);
}
