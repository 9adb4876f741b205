import sharp, { type Sharp } from 'sharp';

import { gravities, type Transformation } from './size.ts';

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/** The picture in its size, with its border, with rounded corners and its opacity; decoded. */
async function draw(bytes: Uint8Array, transformation: Transformation) {
  const { width, height, gravity, borderWidth, borderColor, borderRadius, opacity } = transformation;
  const picture = sharp(bytes);
  if (width > 0 && height > 0) {
    picture.resize({ width, height, fit: 'cover', position: gravities[gravity] });
  } else if (width > 0 || height > 0) {
    const side = width > 0 ? { width } : { height };
    picture.resize({ ...side, fit: 'inside', withoutEnlargement: true });
  }
  if (borderWidth > 0) {
    const sides = { top: borderWidth, bottom: borderWidth, left: borderWidth, right: borderWidth };
    picture.extend({ ...sides, background: `#${borderColor}` });
  }
  const drawn = await reopen(picture.ensureAlpha());
  if (borderRadius > 0 || opacity < 1) {
    const mask = `<svg width="${drawn.width}" height="${drawn.height}"><rect width="100%" height="100%" rx="${borderRadius}" ry="${borderRadius}" fill-opacity="${opacity}"/></svg>`;
    drawn.picture.composite([{ input: Buffer.from(mask), blend: 'dest-in' }]);
  }
  if (transformation.rotation === 0) return drawn.picture;
  const { picture: masked } = await reopen(drawn.picture);
  return masked.rotate(transformation.rotation, { background: transparent });
}

/** Does what was asked of a picture so far: the decoder has an order of its own for what is asked for at once. */
async function reopen(picture: Sharp) {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { picture: sharp(data, { raw: { width, height, channels } }), width, height };
}

/** Makes a preview of a stored picture, one that this server encoded itself. */
export async function transformPicture(bytes: Uint8Array, transformation: Transformation): Promise<Buffer> {
  const { output, background } = transformation;
  // A quality of 0 is 1 for the encoders.
  const quality = Math.max(1, transformation.quality);
  const drawn = await draw(bytes, transformation);
  const isFlat = background !== null || output === 'jpeg';
  const picture = isFlat
    ? (await reopen(drawn)).picture.flatten({ background: `#${background ?? 'ffffff'}` })
    : drawn;
  switch (output) {
    case 'jpeg':
      return picture.jpeg({ quality }).toBuffer();
    case 'png':
      // Without loss, whatever the quality: choosing colours of a large picture takes seconds.
      return picture.png().toBuffer();
    case 'gif':
      return picture.gif({ effort: 1 }).toBuffer();
    case 'webp':
      return picture.webp({ quality }).toBuffer();
    case 'avif':
      return picture.avif({ quality, effort: 0 }).toBuffer();
  }
}
