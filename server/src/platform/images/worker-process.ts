import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ImageLimits, ProcessedImage } from './process.ts';
import { ImageRejected } from './rejected.ts';
import type { Transformation } from './size.ts';
import type { PictureReply, PictureRequest, PictureWork } from './worker.ts';

/** Seconds of CPU time for one picture, from its first byte to its last version. */
export const pictureSeconds = 20;
/** The same for one preview; the largest take about 5. */
export const previewSeconds = 10;
/** How many times its CPU time a picture may take on a busy machine, where this work comes last. */
const busyFactor = 3;

/** A picture's end, with the CPU time that it took, ms. */
export interface Outcome<Image> {
  cpuMs: number;
  /** Without it, `rejection` says why. */
  image?: Image;
  rejection?: ImageRejected;
}

/** The process that turns uploads into pictures and pictures into previews, one after the other; started when it is needed. */
export interface ImageWorker {
  /** @throws Error when the process cannot be started. */
  process(upload: readonly Uint8Array[], limits: ImageLimits): Promise<Outcome<ProcessedImage>>;
  /** @throws Error when the process cannot be started. */
  transform(
    picture: Uint8Array,
    transformation: Transformation,
    options: { isLarge: boolean },
  ): Promise<Outcome<Buffer>>;
  close(): void;
}

function start(priority: number): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [String(priority)], {
    serialization: 'advanced',
    execArgv: [],
    // Nothing of the server's environment: there are secrets in it.
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    // A session of its own, see there.
    detached: true,
  });
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) => {
      child.removeAllListeners();
      reject(new Error('The process for pictures did not start.', { cause }));
    };
    child.once('error', failed);
    child.once('exit', failed);
    child.once('message', () => {
      child.removeAllListeners();
      // One that ended is noticed by its exit.
      child.stdin?.on('error', () => {});
      child.on('error', () => {});
      resolve(child);
    });
  });
}

/** Lets a child without work not hold this process back from ending. */
function holdOpen(child: ChildProcess, busy: boolean): void {
  if (busy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
  }
}

/** Passes an upload on in slices, between which other requests are answered. */
async function sendUpload({ stdin }: ChildProcess, upload: readonly Uint8Array[]): Promise<void> {
  for (const chunk of upload) {
    if (stdin === null || stdin.destroyed) return;
    await new Promise((sent) => stdin.write(chunk, sent));
    await setImmediate();
  }
}

function ask<Image>(
  child: ChildProcess,
  upload: readonly Uint8Array[],
  work: PictureWork,
): Promise<Outcome<Image>> {
  const seconds = 'limits' in work ? (work.limits.seconds ?? pictureSeconds) : previewSeconds;
  return new Promise((resolve) => {
    const settle = (outcome: Outcome<Image>) => {
      clearTimeout(timer);
      child.off('message', answered).off('exit', died).off('error', died);
      resolve(outcome);
    };
    const answered = (reply: PictureReply) => {
      const { cpuMs } = reply;
      // It ends: the next picture gets a new process.
      if ('rejection' in reply && reply.rejection === 'too_slow') child.kill('SIGKILL');
      // The kind that the work is of.
      if ('image' in reply) return settle({ image: reply.image as Image, cpuMs });
      return settle({ rejection: new ImageRejected(reply.rejection, { cause: reply.reason }), cpuMs });
    };
    // A picture that makes the decoder crash, or is too much for it.
    const died = (cause: unknown) =>
      settle({ rejection: new ImageRejected('unreadable', { cause }), cpuMs: 1000 });
    const timer = setTimeout(
      () => {
        child.kill('SIGKILL');
        settle({ rejection: new ImageRejected('too_slow'), cpuMs: seconds * 1000 });
      },
      seconds * busyFactor * 1000,
    );
    child.on('message', answered).once('exit', died).once('error', died);
    const size = upload.reduce((sum, { length }) => sum + length, 0);
    const request: PictureRequest = { size, seconds, work };
    child.send(request);
    void sendUpload(child, upload);
  });
}

/** Opens one; its `priority` is as `setPriority` takes it. */
export function openImageWorker(priority: number): ImageWorker {
  let child: ChildProcess | undefined;
  async function run<Image>(bytes: readonly Uint8Array[], work: PictureWork): Promise<Outcome<Image>> {
    if (child === undefined || child.killed || !child.connected) child = await start(priority);
    holdOpen(child, true);
    const outcome = await ask<Image>(child, bytes, work);
    holdOpen(child, false);
    return outcome;
  }
  function close() {
    if (child?.connected) child.disconnect();
    child = undefined;
  }
  return {
    process: (upload, limits) => run(upload, { limits }),
    async transform(picture, transformation, { isLarge }) {
      const outcome = await run<Buffer>([picture], { transformation });
      // The memory of a large one goes with its process.
      if (isLarge) close();
      return outcome;
    },
    close,
  };
}
