import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubServer } from '../testing/stub-server.ts';
import { compressPicture, uploadPicture } from './upload.ts';

const server = stubServer();

/** A worker that answers every picture with `answer`. */
let answer: Blob | string;
const toWorker = vi.fn();
const terminated = vi.fn();
beforeEach(() => {
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage(file: File) {
        toWorker(file);
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: answer })));
      }
      terminate = terminated;
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  toWorker.mockClear();
  terminated.mockClear();
});

const picture = new File(['x'], 'photo.jpg', { type: 'image/jpeg' });

test('a picture is compressed by a worker, which then ends', async () => {
  answer = new Blob(['y'], { type: 'image/jpeg' });
  expect(await compressPicture(picture)).toBe(answer);
  expect(terminated).toHaveBeenCalledOnce();
});

test('a file that cannot be compressed is logged, and sent as it is, for the server to compress (§5-compression-failed)', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  answer = 'The file toWorker is not an image';
  expect(await compressPicture(picture)).toBe(picture);
  expect(logged).toHaveBeenCalledWith('The picture is uploaded uncompressed', answer);
  expect(terminated).toHaveBeenCalledOnce();
});

test('a cancelled upload compresses nothing', async () => {
  const cancel = new AbortController();
  answer = '';
  const compressing = compressPicture(picture, cancel.signal);
  cancel.abort();
  await expect(compressing).rejects.toThrow('Cancelled');
});

/** A file of so many bytes that begins as a JPEG does. */
function makeJpeg(size: number): File {
  const bytes = new Uint8Array(size);
  bytes.set([0xff, 0xd8, 0xff]);
  return new File([bytes], 'sea.jpg', { type: 'image/jpeg' });
}

test('a picture above 2 MB is compressed before it is sent, and one of 2 MB is not (§5-compression, §9-compression-target)', async () => {
  answer = new Blob(['y'], { type: 'image/jpeg' });
  server.answer('POST /v1/storage/buckets/messageFiles/files', 201, { $id: 'abc' });
  const [largest, larger] = [makeJpeg(2_097_152), makeJpeg(2_097_153)];
  for (const file of [largest, larger]) expect(await uploadPicture(file, 'messageFiles')).toBe('abc');
  // Without its two million bytes in the report.
  expect(toWorker.mock.calls.map(([file]) => file === larger)).toEqual([true]);
});

test('a picture that cannot be shown at quality 100 (§9-quality-upload) once it is stored is deleted again (§5-unshown-image-deleted), and the upload fails (§5-unshown-image-fails)', async () => {
  const looked: string[] = [];
  Object.defineProperty(HTMLImageElement.prototype, 'decode', {
    configurable: true,
    value(this: HTMLImageElement) {
      looked.push(this.src);
      return Promise.reject(new Error('The source image cannot be decoded.'));
    },
  });
  server.answer('POST /v1/storage/buckets/images/files', 201, { $id: 'abc' });
  const deletion = 'DELETE /v1/storage/buckets/images/files/abc';
  server.answer(deletion, 204);
  await expect(uploadPicture(makeJpeg(3), 'images')).rejects.toThrow('The stored picture cannot be shown.');
  await expect.poll(() => server.requests.map(({ line }) => line)).toContain(deletion);
  expect(looked).toEqual([expect.stringMatching(/[?&]quality=100$/)]);
});
