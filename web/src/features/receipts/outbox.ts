import { receipts } from '@tara/contract/receipts';
import { create } from 'zustand';
import { call } from '../../lib/call.ts';
import { errorNotice, isAbort, type Notice } from '../../lib/failure.ts';
import { type UploadState, uploadPicture } from '../../lib/upload.ts';
import { receiveMessage } from './receipt-query.ts';

/** A message that is being sent or has failed. It outlives its screen, so that no message is lost. */
export interface Outgoing {
  conversation: string;
  /** The same for every attempt, so that the server stores the message once. */
  clientKey: string;
  body: string;
  picture: { file: File; previewUrl: string } | null;
  /** The upload of the picture; stays `stored` over further attempts. */
  upload: UploadState;
  /** Why sending failed; null while it is being sent. */
  failure: Notice | null;
  createdAt: string;
}

export const useOutbox = create<{ messages: readonly Outgoing[] }>(() => ({ messages: [] }));
const cancels = new Map<string, AbortController>();
/** Messages are sent one at a time, to keep their order. */
let lastDelivery: Promise<unknown> = Promise.resolve();

const update = (clientKey: string, change: Partial<Outgoing>) =>
  useOutbox.setState(({ messages }) => ({
    messages: messages.map((message) =>
      message.clientKey === clientKey ? { ...message, ...change } : message,
    ),
  }));

const findMessage = (clientKey: string) =>
  useOutbox.getState().messages.find((message) => message.clientKey === clientKey);

function forget(clientKey: string): void {
  const message = findMessage(clientKey);
  if (message?.picture) URL.revokeObjectURL(message.picture.previewUrl);
  useOutbox.setState(({ messages }) => ({
    messages: messages.filter((message) => message.clientKey !== clientKey),
  }));
}

/** Shows a message at once and sends it. */
export function send(conversation: string, body: string, file: File | null): void {
  const clientKey = crypto.randomUUID();
  const picture = file && { file, previewUrl: URL.createObjectURL(file) };
  const createdAt = new Date().toISOString();
  const message: Outgoing = {
    conversation,
    clientKey,
    body,
    picture,
    upload: { step: 'idle' },
    failure: null,
    createdAt,
  };
  useOutbox.setState(({ messages }) => ({ messages: [...messages, message] }));
  enqueue(clientKey);
}

/** Sends a failed message again, with the same key. */
export function sendAgain(clientKey: string): void {
  update(clientKey, { failure: null });
  enqueue(clientKey);
}

/** Discards a message that is not stored yet. */
export function discard(clientKey: string): void {
  cancels.get(clientKey)?.abort();
  forget(clientKey);
}

function enqueue(clientKey: string): void {
  lastDelivery = lastDelivery.then(() => deliver(clientKey));
}

async function deliver(clientKey: string): Promise<void> {
  const message = findMessage(clientKey);
  if (!message) return;
  const controller = new AbortController();
  cancels.set(clientKey, controller);
  try {
    const imageId = await storePicture(message, controller.signal);
    const { conversation, body } = message;
    const reply = await call(receipts.sendMessage, {
      body: { conversation, message: body, imageId, clientKey },
      signal: controller.signal,
    });
    // The message is stored; if fetching missed messages fails, the next message fetches them.
    receiveMessage(conversation, reply).catch(() => undefined);
    forget(clientKey);
  } catch (error) {
    if (!isAbort(error)) update(clientKey, { failure: errorNotice(error) });
  } finally {
    cancels.delete(clientKey);
  }
}

/** The id of the message's picture, uploaded now or by an earlier attempt. */
async function storePicture(
  { clientKey, picture, upload }: Outgoing,
  signal: AbortSignal,
): Promise<string | null> {
  if (upload.step === 'stored') return upload.id;
  if (!picture) return null;
  const { file } = picture;
  const onProgress = (progress: number) =>
    update(clientKey, { upload: { step: 'uploading', file, progress } });
  onProgress(0);
  try {
    const id = await uploadPicture(file, 'messageFiles', { onProgress, signal });
    update(clientKey, { upload: { step: 'stored', file, id } });
    return id;
  } catch (error) {
    update(clientKey, { upload: { step: 'failed', file, error } });
    throw error;
  }
}
