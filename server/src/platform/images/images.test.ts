import sharp from 'sharp';
import { thumbHashToApproximateAspectRatio } from 'thumbhash';
import { afterEach, describe, expect, it } from 'vitest';
import { pngChunk, pngFile } from '../../testing/png.ts';
import { Problem } from '../problem.ts';
import { headerPixels } from './header-pixels.ts';
import { processImage } from './process.ts';
import { type Images, openImages } from './queue.ts';
import { ImageRejected, type ImageRejection } from './rejected.ts';

const limits = { maxBytes: 10_000_000 };

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 120, b: 40, alpha: 0.5 } } });

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

/** A PNG that claims a size without carrying the pixels. */
const claimingPng = (width: number, height: number) => pngFile(width, height, Buffer.alloc(1000));

async function rejection(upload: Uint8Array, imageLimits = limits): Promise<ImageRejection | undefined> {
  try {
    await processImage(upload, imageLimits);
  } catch (error) {
    if (error instanceof ImageRejected) return error.reason;
    throw error;
  }
  return undefined;
}

describe('a picture that is taken', () => {
  it('keeps its size, gets a placeholder and smaller versions, and never a wider one', async () => {
    const image = await processImage(await plain(700, 350).jpeg().toBuffer(), limits);
    expect(image).toMatchObject({ width: 700, height: 350, mimeType: 'image/jpeg' });
    expect(image.variants.map((variant) => variant.width)).toEqual([96, 320, 640, 700]);
    const small = await sharp(image.variants[0]?.bytes).metadata();
    expect(small).toMatchObject({ format: 'webp', width: 96, height: 48 });
    expect(thumbHashToApproximateAspectRatio(Buffer.from(image.thumbhash, 'base64'))).toBeGreaterThan(1.5);
  });

  it('has no version that is wider than 1080', async () => {
    const image = await processImage(await plain(1200, 10).jpeg().toBuffer(), limits);
    expect(image.variants.map((variant) => variant.width)).toEqual([96, 320, 640, 1080]);
  });

  it('has one version when it is tiny', async () => {
    const image = await processImage(await plain(1, 1).png().toBuffer(), limits);
    expect(image.variants.map((variant) => variant.width)).toEqual([1]);
  });

  it('is at most 2 MB in the best quality that fits, and keeps width and height (§5)', async () => {
    const upload = await noise(2400, 2400).jpeg({ quality: 100 }).toBuffer();
    expect(upload.length).toBeGreaterThan(2 * 1024 * 1024);
    const image = await processImage(upload, limits);
    expect(image.bytes.length).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 2400, height: 2400 });
    const [better, best] = await Promise.all(
      [70, 55].map((quality) => sharp(upload).jpeg({ quality }).toBuffer()),
    );
    expect(better?.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(best?.length).toBe(image.bytes.length);
  });

  it('is at most 2 MB when the rows that predict its size are plain', async () => {
    const rows = await noise(2400, 2400).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = rows.info;
    const rowBytes = width * channels;
    for (let row = 0; row < height; row += 160) {
      rows.data.fill(200, row * rowBytes, (row + 16) * rowBytes);
    }
    const picture = sharp(rows.data, { raw: { width, height, channels } });
    const image = await processImage(await picture.jpeg({ quality: 100 }).toBuffer(), limits);
    expect(image.bytes.length).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  it('stays a PNG with its transparency while that fits, and becomes a JPEG on white when it does not', async () => {
    const drawn = await processImage(await plain(50, 50, 4).png().toBuffer(), limits);
    expect(await sharp(drawn.bytes).metadata()).toMatchObject({ format: 'png', hasAlpha: true });
    const photo = await processImage(await noise(1200, 1200).png().toBuffer(), limits);
    expect(photo.mimeType).toBe('image/jpeg');
  });

  it('is rotated upright and loses its location and every other note (threat-hostile-pictures)', async () => {
    const upload = await plain(300, 200)
      .jpeg()
      .withExif({
        IFD0: { Copyright: 'Ana', ImageDescription: 'at home' },
        IFD3: { GPSLatitude: '14/1 35/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(upload).metadata()).exif).toBeDefined();
    const image = await processImage(upload, limits);
    expect(image).toMatchObject({ width: 200, height: 300 });
    for (const bytes of [image.bytes, ...image.variants.map((variant) => variant.bytes)]) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
      expect([exif, xmp, iptc, icc, orientation]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  it('loses what was hidden behind it (threat-hostile-pictures)', async () => {
    const script = Buffer.from('<script>alert(1)</script>');
    for (const format of ['jpeg', 'png'] as const) {
      const upload = Buffer.concat([await plain(20, 20).toFormat(format).toBuffer(), script]);
      const image = await processImage(upload, limits);
      expect(image.bytes.includes('<script')).toBe(false);
    }
  });

  it('may be in the colours of print, or have 16 bits per colour', async () => {
    const print = await processImage(await plain(20, 20).toColourspace('cmyk').jpeg().toBuffer(), limits);
    expect((await sharp(print.bytes).metadata()).space).toBe('srgb');
    const deep = await processImage(await plain(20, 20).toColourspace('rgb16').png().toBuffer(), limits);
    expect((await sharp(deep.bytes).metadata()).depth).toBe('uchar');
  });
});

it('F9: nobody makes the server encode more than 4096 px a side (threat-hostile-pictures)', async () => {
  const upload = await plain(5000, 2500).jpeg().toBuffer();
  const image = await processImage(upload, limits);
  expect(image).toMatchObject({ width: 4096, height: 2048 });
  expect(await sharp(image.bytes).metadata()).toMatchObject({ width: 4096, height: 2048 });
});

describe('a picture that is refused', () => {
  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['HTML', Buffer.from('<!doctype html><img>')],
    ['nothing', Buffer.alloc(0)],
    ['text that begins like nothing known', Buffer.from('GIF89a, but no')],
  ])('%s', async (_name, upload) => {
    expect(await rejection(upload)).toBe('unsupported_type');
  });

  it.each(['gif', 'webp', 'tiff'] as const)('%s', async (format) => {
    expect(await rejection(await plain(20, 20).toFormat(format).toBuffer())).toBe('unsupported_type');
  });

  it.each(['ffd800', 'ff00ff', '00d8ff', '0000ff'])(
    'what begins like a JPEG in part alone: %s',
    async (hex) => {
      expect(await rejection(Buffer.from(hex, 'hex'))).toBe('unsupported_type');
    },
  );

  it('an animated PNG (threat-hostile-pictures)', async () => {
    const still = await plain(20, 20).png().toBuffer();
    const animated = Buffer.concat([
      still.subarray(0, 33),
      pngChunk('acTL', Buffer.alloc(8, 1)),
      still.subarray(33),
    ]);
    expect(await rejection(animated)).toBe('unsupported_type');
  });

  it('more bytes than allowed', async () => {
    const upload = await plain(20, 20).png().toBuffer();
    expect(await rejection(upload, { maxBytes: upload.length - 1 })).toBe('too_large');
    expect(await rejection(upload, { maxBytes: upload.length })).toBeUndefined();
  });

  it.each([
    [30_000, 30_000],
    [16_384, 10],
    [65_000, 65_000],
  ])('a bomb of %i × %i px, before it is decoded (threat-hostile-pictures)', async (width, height) => {
    // Its pixels are missing: decoding fails.
    expect(await rejection(claimingPng(width, height))).toBe('too_many_pixels');
  });

  it('a file that was cut, wherever it was cut', async () => {
    for (const upload of [await noise(300, 300).jpeg().toBuffer(), await noise(100, 100).png().toBuffer()]) {
      for (const part of [0.0005, 0.01, 0.3, 0.6, 0.9]) {
        const cut = upload.subarray(0, Math.ceil(upload.length * part) + 10);
        expect(await rejection(cut), `${part} of ${upload.length}`).toBe('unreadable');
      }
    }
    expect(await rejection(claimingPng(300, 300))).toBe('unreadable');
  });

  it('a picture in name only: the first bytes of a JPEG before something else', async () => {
    expect(await rejection(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from('<html>')]))).toBe(
      'unreadable',
    );
  });
});

describe('the queue for pictures', () => {
  let images: Images;
  const openLimited = (accountCpuMs?: number) => openImages({ concurrency: 1, accountCpuMs });
  afterEach(() => images.close());
  const someone = (accountId: string, ip = '203.0.113.9') => ({ accountId, ip });

  it('works in a process of its own, and says there why a picture is refused', async () => {
    images = openLimited();
    const upload = await plain(700, 350).jpeg().toBuffer();
    const image = await images.process([upload], limits, someone('ana'));
    expect(image).toMatchObject({ width: 700, height: 350, mimeType: 'image/jpeg' });
    expect((await sharp(image.bytes).metadata()).width).toBe(700);
    expect(image.variants.map((variant) => variant.width)).toEqual([96, 320, 640, 700]);
    const refused = images.process([Buffer.from('no')], limits, someone('ana'));
    await expect(refused).rejects.toMatchObject({ name: 'ImageRejected', reason: 'unsupported_type' });
  });

  it('gets an upload whole that arrived in many parts', async () => {
    images = openLimited();
    const upload = await noise(400, 300).png().toBuffer();
    const parts = Array.from({ length: Math.ceil(upload.length / 1000) }, (_, index) =>
      upload.subarray(index * 1000, (index + 1) * 1000),
    );
    const { width, height } = await images.process(parts, limits, someone('ana'));
    expect([width, height]).toEqual([400, 300]);
    // Nothing of it is left for the next.
    await expect(images.process(parts, limits, someone('ana'))).resolves.toMatchObject({ width: 400 });
  });

  it('F9: nobody makes another’s picture wait behind all of theirs (threat-starvation)', async () => {
    images = openLimited();
    const upload = await plain(60, 60).jpeg().toBuffer();
    const finished: string[] = [];
    const send = (name: string, ip?: string) =>
      images.process([upload], limits, someone(name, ip)).then(() => finished.push(name));
    await Promise.all([
      ...Array.from({ length: 8 }, () => send('eve')),
      ...Array.from({ length: 8 }, (_, index) => send(`eve${index}`)),
      send('ana', '198.51.100.4'),
    ]);
    // At most two of an address are before those of another.
    expect(finished.indexOf('ana')).toBeLessThanOrEqual(2);
  });

  it('nobody makes another’s small picture wait for their large one, or for those after much of their time (threat-slow-neighbours)', async () => {
    images = openImages({ concurrency: 1, smallCpuMs: 1 });
    const small = await plain(60, 60).jpeg().toBuffer();
    const large = await plain(4_100, 4_000).png().toBuffer();
    const finished: string[] = [];
    const send = (name: string, upload: Buffer) =>
      images
        .process(
          [upload],
          { maxBytes: large.length + small.length },
          someone(name, `203.0.113.${name.length}`),
        )
        .then(() => finished.push(name));
    // The processes are started, and eve has used her time for small ones.
    await send('eve', small);
    await Promise.all([send('ben', large), send('eve', small), send('anabel', small)]);
    expect(finished).toEqual(['eve', 'anabel', 'ben', 'eve']);
  });

  it('nobody makes another’s small picture wait for theirs of few pixels and many bytes (threat-slow-neighbours)', async () => {
    images = openImages({ concurrency: 1 });
    const small = await plain(60, 60).jpeg().toBuffer();
    const heavy = Buffer.concat([small, Buffer.alloc(9 * 2 ** 20)]);
    const finished: string[] = [];
    const send = (name: string, upload: Buffer) =>
      images
        .process([upload], { maxBytes: heavy.length }, someone(name, `203.0.113.${name.length}`))
        .then(() => finished.push(name));
    // The process of small ones is started.
    await send('eve', small);
    await Promise.all([send('ben', heavy), send('anabel', small)]);
    expect(finished).toEqual(['eve', 'anabel', 'ben']);
  });

  it.each([
    ['a PNG', () => plain(700, 350).png().toBuffer(), 245_000],
    ['a JPEG', () => plain(700, 350).jpeg().toBuffer(), 245_000],
    ['a progressive JPEG', () => plain(700, 350).jpeg({ progressive: true }).toBuffer(), 245_000],
    [
      'a JPEG with text before its size',
      () =>
        plain(70, 35)
          .withExif({ IFD0: { Copyright: 'x'.repeat(60_000) } })
          .jpeg()
          .toBuffer(),
      2_450,
    ],
    ['a cut JPEG', async () => Buffer.from('ffd8ffe000104a46494600', 'hex'), Number.POSITIVE_INFINITY],
    ['no picture', async () => Buffer.from('no'), 0],
  ])('reads how large %s is without decoding it', async (_what, draw, pixels) => {
    const bytes = await draw();
    const parts = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.subarray(index * 7, (index + 1) * 7),
    );
    expect(headerPixels([bytes])).toBe(pixels);
    expect(headerPixels(parts)).toBe(pixels);
  });

  it('F9: nobody makes the server work on one picture for longer than its time (threat-hostile-pictures)', async () => {
    images = openLimited();
    const upload = await plain(3000, 3000).jpeg().toBuffer();
    const slow = images.process([upload], { maxBytes: upload.length, seconds: 0.02 }, someone('eve'));
    await expect(slow).rejects.toMatchObject({ name: 'ImageRejected', reason: 'too_slow' });
    const small = await plain(60, 60).jpeg().toBuffer();
    await expect(images.process([small], limits, someone('ana'))).resolves.toMatchObject({ width: 60 });
  });

  it('F9: nobody has more CPU time than their account’s, with pictures that are refused neither (threat-starvation)', async () => {
    images = openLimited(1);
    const reasonOf = (name: string, ip?: string) =>
      images
        .process([Buffer.from('no')], limits, someone(name, ip))
        .catch((error: unknown) =>
          error instanceof Problem
            ? [error.type, error.retryAfter]
            : error instanceof ImageRejected && error.reason,
        );
    expect(await reasonOf('eve')).toBe('unsupported_type');
    expect(await reasonOf('eve')).toEqual(['general_rate_limit_exceeded', 600]);
    expect(await reasonOf('ana', '198.51.100.4')).toBe('unsupported_type');
  });

  it('takes a picture out of the queue when its sender disconnects', async () => {
    images = openLimited();
    const upload = await plain(1500, 1500).jpeg().toBuffer();
    const gone = new AbortController();
    const first = images.process([upload], limits, someone('ana'));
    const second = images.process([upload], limits, someone('ana'), gone.signal);
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await expect(first).resolves.toMatchObject({ width: 1500 });
  });
});
