import { expect, test, vi } from 'vitest';

const compress = vi.hoisted(() => vi.fn(async (file: File, _options: object) => file));
vi.mock('browser-image-compression', () => ({ default: compress }));

test('a picture is compressed to at most 2 MB (§5-compression, §9-compression-target), in its own width and height (§5-compression-dimensions)', async () => {
  const answered = vi.fn();
  vi.stubGlobal('postMessage', answered);
  await import('./compress.worker.ts');
  const file = new File(['x'], 'sea.jpg', { type: 'image/jpeg' });
  window.dispatchEvent(new MessageEvent('message', { data: file }));
  await vi.waitFor(() => expect(answered).toHaveBeenCalledWith(file));
  expect(compress.mock.calls[0]?.[1]).toMatchObject({ maxSizeMB: 2, alwaysKeepResolution: true });
  vi.unstubAllGlobals();
});
