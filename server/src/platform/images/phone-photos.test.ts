import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { processImage } from './process.ts';

type Color = readonly [number, number, number];
type Corners = readonly [topLeft: Color, topRight: Color, bottomLeft: Color, bottomRight: Color];

/** Within the colours of print, so that each can come back. */
const [red, green, blue, yellow] = [
  [190, 70, 60],
  [70, 140, 90],
  [70, 90, 160],
  [210, 180, 80],
] as const;
const upright: Corners = [red, green, blue, yellow];

/** A picture of four fields, one in each corner. */
const fields = (width: number, height: number, corners: Corners = upright): Sharp =>
  sharp(Buffer.from(corners.flat()), { raw: { width: 2, height: 2, channels: 3 } }).resize({
    width,
    height,
    fit: 'fill',
    kernel: 'nearest',
  });

/** The fields as a camera stores them that was held in another way: the mark says how to turn them upright. */
const storedCorners: Record<number, Corners> = {
  1: upright,
  2: [green, red, yellow, blue],
  3: [yellow, blue, green, red],
  4: [blue, yellow, red, green],
  5: [red, blue, green, yellow],
  6: [green, yellow, red, blue],
  7: [yellow, green, blue, red],
  8: [blue, red, yellow, green],
};
const held = (width: number, height: number, orientation: number): Promise<Buffer> =>
  fields(width, height, storedCorners[orientation])
    .jpeg({ quality: 92 })
    .withMetadata({ orientation })
    .toBuffer();

/** The colours in the corners of a picture. */
async function readCorners(bytes: Buffer): Promise<Corners> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const color = (x: number, y: number): Color => {
    const start = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * 3;
    return [data[start] ?? -1, data[start + 1] ?? -1, data[start + 2] ?? -1];
  };
  return [color(0.1, 0.1), color(0.9, 0.1), color(0.1, 0.9), color(0.9, 0.9)];
}

/** The largest difference of a colour from what it has to be. */
const difference = (colors: Corners, wanted: Corners): number =>
  Math.max(...colors.flat().map((value, index) => Math.abs(value - (wanted.flat()[index] ?? Number.NaN))));

const grey: Corners = [
  [40, 40, 40],
  [110, 110, 110],
  [170, 170, 170],
  [220, 220, 220],
];

interface Photo {
  upload: () => Promise<Buffer>;
  /** px, once it is stored. */
  size: readonly [width: number, height: number];
  corners?: Corners;
  /** Most that a colour may differ: print has fewer colours. */
  tolerance?: number;
}

const photos: Record<string, Photo> = {
  'a photo of 12 megapixels, across': { upload: () => held(4032, 3024, 1), size: [4032, 3024] },
  'a photo of 12 megapixels, upright': { upload: () => held(4032, 3024, 6), size: [3024, 4032] },
  'a photo of 48 megapixels, upright': { upload: () => held(8064, 6048, 6), size: [3072, 4096] },
  'a photo of the front camera, mirrored': { upload: () => held(3088, 2316, 5), size: [2316, 3088] },
  ...Object.fromEntries(
    [2, 3, 4, 7, 8].map((orientation) => [
      `a photo held in the way of mark ${orientation}`,
      {
        upload: () => held(400, 300, orientation),
        size: orientation > 4 ? ([300, 400] as const) : ([400, 300] as const),
      },
    ]),
  ),
  'a panorama': { upload: () => held(12_000, 2600, 1), size: [4096, 887] },
  'a square': { upload: () => held(1080, 1080, 1), size: [1080, 1080] },
  'a long screenshot': { upload: () => fields(1170, 2532).png().toBuffer(), size: [1170, 2532] },
  'a screenshot of few colours': {
    upload: () => fields(750, 1334).png({ palette: true }).toBuffer(),
    size: [750, 1334],
  },
  'a photo in Display P3': {
    upload: () => fields(600, 400).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer(),
    size: [600, 400],
  },
  'a photo in Display P3, upright': {
    upload: () =>
      fields(600, 400, storedCorners[6])
        .withIccProfile('p3')
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    size: [400, 600],
  },
  'a photo in the colours of print': {
    upload: () =>
      fields(600, 400).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer(),
    size: [600, 400],
    tolerance: 24,
  },
  'a photo without colours': {
    upload: () => fields(600, 400, grey).toColourspace('b-w').jpeg().toBuffer(),
    size: [600, 400],
    corners: grey,
  },
  'a photo of 16 bits a colour': {
    upload: () => fields(300, 200).toColourspace('rgb16').png().toBuffer(),
    size: [300, 200],
  },
  'a photo progressive, as messengers make them': {
    upload: () => fields(1280, 960).jpeg({ progressive: true, chromaSubsampling: '4:2:0' }).toBuffer(),
    size: [1280, 960],
  },
  'a photo with a short film behind it': {
    upload: async () => Buffer.concat([await held(1600, 1200, 6), Buffer.alloc(200_000, 'ftypmp42')]),
    size: [1200, 1600],
  },
};

it.for(Object.entries(photos))('%s is stored upright in its colours', async ([, photo]) => {
  const image = await processImage(await photo.upload(), { maxBytes: 20 * 1024 * 1024 });
  expect([image.width, image.height]).toEqual(photo.size);
  for (const bytes of [image.bytes, image.variants[0]?.bytes ?? Buffer.alloc(0)])
    expect(difference(await readCorners(bytes), photo.corners ?? upright)).toBeLessThanOrEqual(
      photo.tolerance ?? 10,
    );
});

it('the photo in Display P3 has other numbers for its colours than the stored one', async () => {
  const upload = await photos['a photo in Display P3']?.upload();
  const { data } = await sharp(upload, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true });
  expect((await sharp(upload).metadata()).icc).toBeDefined();
  expect(Math.abs((data[0] ?? 0) - red[0])).toBeGreaterThan(10);
});
