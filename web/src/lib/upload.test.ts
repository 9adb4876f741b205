import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compressPicture } from './upload.ts';

/** A worker that answers every picture with `answer`. */
let answer: Blob | string;
const terminated = vi.fn();
beforeEach(() => {
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage() {
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: answer })));
      }
      terminate = terminated;
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  terminated.mockClear();
});

const picture = new File(['x'], 'photo.jpg', { type: 'image/jpeg' });

test('a picture is compressed by a worker, which then ends', async () => {
  answer = new Blob(['y'], { type: 'image/jpeg' });
  expect(await compressPicture(picture)).toBe(answer);
  expect(terminated).toHaveBeenCalledOnce();
});

test('a file that cannot be compressed is logged, and left to the server, which refuses what is not an image (§8-not-an-image)', async () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  answer = 'The file given is not an image';
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
