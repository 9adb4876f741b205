import { posts } from '@tara/contract/posts/posts';
import sharp from 'sharp';
import { sessionSecret } from './members.ts';

/** Where photos are uploaded, and shown below by their ids. */
export const uploads = '/v1/storage/buckets/images/files';

/** Calls the server as its member, with the reply of our own call. */
async function send<Reply>(port: number, path: string, body: FormData | object): Promise<Reply> {
  const isForm = body instanceof FormData;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: {
      'x-appwrite-session': sessionSecret(0),
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Reply;
}

/** Publishes a photo; returns the id of its file. */
export async function publish(port: number, photo: Buffer): Promise<string> {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(photo)], 'photo.jpg', { type: 'image/jpeg' }));
  const { $id: imageId } = await send<{ $id: string }>(port, uploads, form);
  await send(port, posts.create.path, { imageId, caption: 'A walk', location: '', tags: '', alt: '' });
  return imageId;
}

/** In px; multiples of 200. */
interface PhotoSize {
  width: number;
  height: number;
}

/** Noise of a coarseness: as wide as the photo, `detail` times less fine. */
async function noise(
  photoSize: PhotoSize,
  { detail, sigma }: { detail: number; sigma: number },
): Promise<Buffer> {
  const { width, height } = { width: photoSize.width / detail, height: photoSize.height / detail };
  const background = { r: 120, g: 130, b: 140 };
  const drawn = await sharp({
    create: { width, height, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(drawn).resize(photoSize).png({ compressionLevel: 1 }).toBuffer();
}

/** A JPEG as a phone makes it: large shapes, some detail and a little grain; of 12 megapixels in 3 to 5 MB. */
export async function drawPhoto(size: PhotoSize): Promise<Buffer> {
  const shapes = await noise(size, { detail: 100, sigma: 60 });
  const detail = await noise(size, { detail: 8, sigma: 30 });
  const grain = await noise(size, { detail: 2, sigma: 12 });
  return sharp(shapes)
    .composite([
      { input: detail, blend: 'overlay' },
      { input: grain, blend: 'overlay' },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
}
