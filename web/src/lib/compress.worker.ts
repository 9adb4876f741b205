import { upload } from '@tara/contract/limits';
import imageCompression from 'browser-image-compression';

const megabyte = 1024 * 1024;

/** Takes a picture and answers a smaller one of the same width and height (§5), or a sentence why not. */
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
