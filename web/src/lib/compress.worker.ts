import { upload } from '@tara/contract/limits';
import imageCompression from 'browser-image-compression';

const megabyte = 1024 * 1024;

/** Compresses a picture without changing its width and height (§5). Replies with the picture, or with an error text. */
addEventListener('message', async ({ data }: MessageEvent<File>) => {
  try {
    postMessage(
      await imageCompression(data, {
        maxSizeMB: upload.compressed / megabyte,
        alwaysKeepResolution: true,
        maxIteration: 20,
        // This is the worker.
        useWebWorker: false,
      }),
    );
  } catch (error) {
    postMessage(String(error));
  }
});
