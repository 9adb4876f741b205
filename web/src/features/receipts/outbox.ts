import { receipts } from '@tara/contract/receipts';
import { call } from '../../lib/call.ts';
import { isAbort, type Words, wordsOfFailure } from '../../lib/failure.ts';
import { uploadPicture } from '../../lib/upload.ts';
import { createStore } from '../../ui/store.ts';
import { takeIn } from './receipt-query.ts';

/** A message that is on its way or did not get through. It outlives its screen, so that nothing is lost. */
export interface Outgoing {
  conversation: string;
  /** The same for every try: the server stores it once. */
  clientKey: string;
  body: string;
  picture: { file: File; previewUrl: string } | null;
  /** Of a picture that was stored by an earlier try. */
  imageId: string | null;
  /** Of the picture's way, 0 to 1; null when none is under way. */
  progress: number | null;
  /** Why it did not get through; null while it is on its way. */
  failure: Words | null;
  createdAt: string;
}

export const outbox = createStore<readonly Outgoing[]>([]);
const cancels = new Map<string, AbortController>();
/** One after the other, so that they arrive in the order they were written. */
let turn: Promise<unknown> = Promise.resolve();

const update = (clientKey: string, change: Partial<Outgoing>) =>
  outbox.set(outbox.get().map((one) => (one.clientKey === clientKey ? { ...one, ...change } : one)));

function forget(clientKey: string): void {
  const gone = outbox.get().find((one) => one.clientKey === clientKey);
  if (gone?.picture) URL.revokeObjectURL(gone.picture.previewUrl);
  outbox.set(outbox.get().filter((one) => one.clientKey !== clientKey));
}

/** Shows a message at once and sends it. */
export function send(conversation: string, body: string, file: File | null): void {
  const clientKey = crypto.randomUUID();
  const picture = file && { file, previewUrl: URL.createObjectURL(file) };
  const createdAt = new Date().toISOString();
  outbox.set([
    ...outbox.get(),
    { conversation, clientKey, body, picture, imageId: null, progress: null, failure: null, createdAt },
  ]);
  queue(clientKey);
}

/** Sends again what failed, with the same key. */
export function sendAgain(clientKey: string): void {
  update(clientKey, { failure: null });
  queue(clientKey);
}

/** Takes a message back that is not stored yet. */
export function discard(clientKey: string): void {
  cancels.get(clientKey)?.abort();
  forget(clientKey);
}

function queue(clientKey: string): void {
  turn = turn.then(() => deliver(clientKey));
}

async function deliver(clientKey: string): Promise<void> {
  const message = outbox.get().find((one) => one.clientKey === clientKey);
  if (!message) return;
  const controller = new AbortController();
  cancels.set(clientKey, controller);
  try {
    const imageId = message.imageId ?? (await stored(message, controller.signal));
    const { conversation, body } = message;
    const reply = await call(receipts.sendMessage, {
      body: { conversation, message: body, imageId, clientKey },
      signal: controller.signal,
    });
    // It is stored: whether something was missed before it is found out by the next message as well.
    takeIn(conversation, reply).catch(() => undefined);
    forget(clientKey);
  } catch (error) {
    if (!isAbort(error)) update(clientKey, { failure: wordsOfFailure(error), progress: null });
  } finally {
    cancels.delete(clientKey);
  }
}

async function stored({ clientKey, picture }: Outgoing, signal: AbortSignal): Promise<string | null> {
  if (!picture) return null;
  update(clientKey, { progress: 0 });
  const onProgress = (progress: number) => update(clientKey, { progress });
  const file = await uploadPicture(picture.file, 'messageFiles', { onProgress, signal });
  update(clientKey, { imageId: file.$id, progress: null });
  return file.$id;
}
