import { upload } from '@tara/contract/limits';
import imageCompression from 'browser-image-compression';

const megabyte = 1024 * 1024;

const compression = {
  maxSizeMB: upload.compressed / megabyte,
  alwaysKeepResolution: true,
  maxIteration: 20,
  // This is the worker.
  useWebWorker: false,
};

/** Compresses a picture without changing its width and height (§5). Replies with the picture, or with an error text. */
addEventListener('message', async ({ data }: MessageEvent<File>) => {
  try {
    postMessage(await imageCompression(data, compression));
  } catch (error) {
    postMessage(String(error));
  }
});
