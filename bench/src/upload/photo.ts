import sharp from 'sharp';

/** px; 12 megapixels. */
const size = { width: 4_000, height: 3_000 };

/** Noise of a coarseness: as wide as the photo, `detail` times less fine. */
async function noise(detail: number, sigma: number): Promise<Buffer> {
  const { width, height } = { width: size.width / detail, height: size.height / detail };
  const background = { r: 120, g: 130, b: 140 };
  const drawn = await sharp({
    create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(drawn).resize(size).png({ compressionLevel: 1 }).toBuffer();
}

/** A JPEG as a phone makes it: large shapes, some detail and a little grain, in 3 to 5 MB. */
export async function drawPhoto(): Promise<Buffer> {
  const [shapes, detail, grain] = [await noise(100, 60), await noise(8, 30), await noise(2, 12)];
  return sharp(shapes)
    .composite([
      { input: detail, blend: 'overlay' },
      { input: grain, blend: 'overlay' },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
}
