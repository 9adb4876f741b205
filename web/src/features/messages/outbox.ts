import { conversations } from '@tara/contract/conversations';
import { reconnectDelayMs } from '@tara/contract/limits';
import type { ChatKind, Message } from '@tara/contract/messages';
import { receipts } from '@tara/contract/receipts';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import {
  call,
  errorNotice,
  isAbort,
  isProblem,
  type Notice,
  OfflineError,
  ProblemError,
} from '../../lib/call.ts';
import { type UploadState, uploadPicture } from '../../lib/upload.ts';
import { receiveMessage } from './chat-cache.ts';
import { deleteForeignFiles, deleteUnsentFile, readUnsentFile, saveUnsentFile } from './unsent-files.ts';

/** A message that is being sent, waits or has failed. It outlives its screen, so that no message is lost. */
export interface Outgoing {
  chatId: string;
  kind: ChatKind;
  /** Profile id of the author. */
  userId: string;
  /** The same for every attempt, so that the server stores the message once. */
  clientKey: string;
  body: string;
  /** Sequence of the message that it replies to. */
  replyTo: number | null;
  hasPicture: boolean;
  /** Null after a reload of the tab, until its file is read. */
  picture: { file: File; previewUrl: string } | null;
  /** The upload of the picture; stays `stored` over further attempts. */
  upload: UploadState;
  /** `waiting` behind earlier ones; `retrying` until the server can be reached; `failed` until the person decides. */
  state: 'waiting' | 'sending' | 'retrying' | 'failed';
  /** Why it failed. */
  failure: Notice | null;
  createdAt: string;
}

interface Outbox {
  messages: readonly Outgoing[];
}

export const useOutbox = create<Outbox>()(
  persist((): Outbox => ({ messages: [] }), {
    name: 'messages',
    storage: createJSONStorage(() => sessionStorage),
    partialize: ({ messages }) => ({
      messages: messages.map((message) => ({
        ...message,
        picture: null,
        upload:
          message.upload.step === 'stored' ? { ...message.upload, file: null } : { step: 'idle' as const },
        state: message.state === 'failed' ? ('failed' as const) : ('waiting' as const),
      })),
    }),
  }),
);

/** How long an answer may take until the message is sent again, with the same key. */
const ANSWER_TIMEOUT_MS = 30_000;

/** The chats whose queue is being worked off, each with what ends its current step. */
const running = new Map<string, AbortController>();

const queueOf = (chatId: string) =>
  useOutbox.getState().messages.filter((message) => message.chatId === chatId);

const findMessage = (clientKey: string) =>
  useOutbox.getState().messages.find((message) => message.clientKey === clientKey);

const update = (clientKey: string, change: Partial<Outgoing>) =>
  useOutbox.setState(({ messages }) => ({
    messages: messages.map((message) =>
      message.clientKey === clientKey ? { ...message, ...change } : message,
    ),
  }));

function forget(clientKey: string): void {
  const message = findMessage(clientKey);
  if (message?.picture) URL.revokeObjectURL(message.picture.previewUrl);
  if (message?.hasPicture) void deleteUnsentFile(clientKey);
  useOutbox.setState(({ messages }) => ({
    messages: messages.filter((message) => message.clientKey !== clientKey),
  }));
}

type NewMessage = Pick<Outgoing, 'chatId' | 'kind' | 'userId' | 'body' | 'replyTo'> & { file: File | null };

/** Shows a message at once, and sends it after the earlier ones of its chat. */
export function send({ file, ...fields }: NewMessage): void {
  const message: Outgoing = {
    ...fields,
    clientKey: crypto.randomUUID(),
    hasPicture: file !== null,
    picture: file && { file, previewUrl: URL.createObjectURL(file) },
    upload: { step: 'idle' },
    state: 'waiting',
    failure: null,
    createdAt: new Date().toISOString(),
  };
  if (file) void saveUnsentFile(message.clientKey, fields.userId, file);
  useOutbox.setState(({ messages }) => ({ messages: [...messages, message] }));
  void runQueue(fields.chatId);
}

/** Sends a failed message again, with the same key. */
export function sendAgain(clientKey: string): void {
  const message = findMessage(clientKey);
  if (!message) return;
  update(clientKey, { state: 'waiting', failure: null });
  void runQueue(message.chatId);
}

/** Gives up a message that is not stored yet, and lets the later ones go. */
export function discard(clientKey: string): void {
  const message = findMessage(clientKey);
  if (!message) return;
  const isCurrent = queueOf(message.chatId)[0]?.clientKey === clientKey;
  forget(clientKey);
  if (isCurrent) running.get(message.chatId)?.abort();
  void runQueue(message.chatId);
}

/** Goes on with what an earlier load of this tab left; what somebody else wrote there is dropped. */
export function resumeOutbox(userId: string): void {
  useOutbox.setState(({ messages }) => ({
    messages: messages.filter((message) => message.userId === userId),
  }));
  const { messages } = useOutbox.getState();
  for (const message of messages) if (isOnDisk(message)) restorePicture(message).catch(() => undefined);
  for (const chatId of new Set(messages.map(({ chatId }) => chatId))) void runQueue(chatId);
  void deleteForeignFiles(userId);
}

/** Sends the messages of one chat in their order, one at a time; ends at one that failed. Other chats have their own. */
async function runQueue(chatId: string): Promise<void> {
  if (running.has(chatId)) return;
  try {
    let attempt = 0;
    let currentKey = '';
    for (;;) {
      const [message] = queueOf(chatId);
      if (message === undefined || message.state === 'failed') return;
      attempt = message.clientKey === currentKey ? attempt + 1 : 0;
      currentKey = message.clientKey;
      const controller = new AbortController();
      running.set(chatId, controller);
      const delayMs = await deliver(message, controller.signal, attempt);
      if (delayMs !== null) await retryTime(delayMs, controller.signal);
    }
  } finally {
    running.delete(chatId);
  }
}

/** Sends one message. Returns after how many milliseconds to try again, or null when it is done, discarded or failed. */
async function deliver(message: Outgoing, signal: AbortSignal, attempt: number): Promise<number | null> {
  const { chatId, clientKey } = message;
  if (attempt === 0) update(clientKey, { state: 'sending' });
  try {
    const imageId = await storePicture(message, signal);
    const stored = await store(message, imageId, signal);
    // The message is stored; if fetching missed messages fails, the next message fetches them.
    receiveMessage(chatId, stored).catch(() => undefined);
    forget(clientKey);
    return null;
  } catch (error) {
    // Discarded meanwhile.
    if (signal.aborted || isAbort(error)) return null;
    const delayMs = retryDelayMs(error, attempt);
    if (delayMs === null) update(clientKey, { state: 'failed', failure: failureNotice(error) });
    else if (!isTooFast(error)) update(clientKey, { state: 'retrying' });
    return delayMs;
  }
}

/** The call that stores a message, by the kind of its chat. */
async function store(message: Outgoing, imageId: string | null, signal: AbortSignal): Promise<Message> {
  const { kind, chatId, body, replyTo, clientKey } = message;
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const args = { imageId, replyTo, clientKey };
  try {
    const options = { signal: AbortSignal.any([signal, timeout]) };
    return kind === 'conversation'
      ? await call(conversations.sendMessage, { body: { ...args, convoId: chatId, body }, ...options })
      : await call(receipts.sendMessage, {
          body: { ...args, conversation: chatId, message: body },
          ...options,
        });
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new OfflineError(error);
    throw error;
  }
}

const isTooFast = (error: unknown) => isProblem(error, 'general_rate_limit_exceeded');

/** After how long a failed attempt is repeated (§9); null when the server refused, so that it would refuse again. */
function retryDelayMs(error: unknown, attempt: number): number | null {
  if (error instanceof OfflineError) return reconnectDelayMs(attempt);
  const isAway = error instanceof ProblemError && [502, 503, 504].includes(error.code);
  if (!isAway && !isTooFast(error)) return null;
  return Math.max(reconnectDelayMs(attempt), (error as ProblemError).retryAfterSeconds * 1_000);
}

/** Waits, at most until the network is back or the message is discarded. */
function retryTime(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, delayMs);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
    function end() {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}

/** A picture that this browser did not store before the tab was loaded again. */
class PictureLostError extends Error {
  override name = 'PictureLostError';
}

const failureNotice = (error: unknown): Notice =>
  error instanceof PictureLostError
    ? { title: 'The picture was lost when the page was loaded again', text: 'please choose it once more' }
    : errorNotice(error);

/** Whether a message's picture was chosen before the tab was loaded again, and is not uploaded. */
const isOnDisk = ({ hasPicture, picture, upload }: Outgoing) =>
  hasPicture && picture === null && upload.step !== 'stored';

/** Reads the picture of a message that an earlier load of this tab left. @throws PictureLostError */
async function restorePicture({ clientKey }: Outgoing): Promise<File> {
  const file = await readUnsentFile(clientKey);
  if (file === null) throw new PictureLostError();
  if (findMessage(clientKey)?.picture === null)
    update(clientKey, { picture: { file, previewUrl: URL.createObjectURL(file) } });
  return file;
}

/** The id of the message's picture, uploaded now or by an earlier attempt. */
async function storePicture(message: Outgoing, signal: AbortSignal): Promise<string | null> {
  const { clientKey, hasPicture, picture, upload } = message;
  if (upload.step === 'stored') return upload.id;
  if (!hasPicture) return null;
  const file = picture?.file ?? (await restorePicture(message));
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
