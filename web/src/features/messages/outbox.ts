import { conversations } from '@tara/contract/messages/conversations';
import type { ChatKind, Message } from '@tara/contract/messages/messages';
import { receipts } from '@tara/contract/messages/receipts';
import { call, errorNotice } from '../../lib/call.ts';
import { answerInTime, createOutbox, type Unsent } from '../../lib/outbox.ts';
import { offerPush } from '../../lib/push-choice.ts';
import {
  deleteForeignFiles,
  deleteUnsentFile,
  readUnsentFile,
  saveUnsentFile,
} from '../../lib/unsent-files.ts';
import { type UploadState, uploadPicture } from '../../lib/upload.ts';
import { receiveMessage } from './chat-cache.ts';

/** A message that is being sent, waits or has failed. */
export interface Outgoing extends Unsent {
  chatId: string;
  kind: ChatKind;
  /** Profile id of the author. */
  userId: string;
  body: string;
  /** Sequence of the message that it replies to. */
  replyTo: number | null;
  hasPicture: boolean;
  /** Null after a reload and in other tabs, until its file is read. */
  picture: { file: File; previewUrl: string } | null;
  /** The upload of the picture; stays `stored` over further attempts. */
  upload: UploadState;
}

const outbox = createOutbox<'messages', Outgoing>({
  name: 'messages',
  queueOf: ({ chatId }) => chatId,
  repeats: true,
  async send(message, signal) {
    const imageId = await storePicture(message, signal);
    const stored = await store(message, imageId, signal);
    // The message is stored; if fetching missed messages fails, the next message fetches them.
    receiveMessage(message.chatId, stored).catch(() => undefined);
    offerPush('message');
  },
  failureNotice: (error) =>
    error instanceof PictureLostError
      ? { title: 'The picture was lost when the page was loaded again', text: 'please choose it once more' }
      : errorNotice(error),
  toStored: (message) => ({
    ...message,
    picture: null,
    upload: message.upload.step === 'stored' ? { ...message.upload, file: null } : { step: 'idle' },
  }),
  restore: (message, known) => ({ ...message, picture: known?.picture ?? null }),
  onRestore(message) {
    if (isOnDisk(message)) restorePicture(message).catch(() => undefined);
  },
  onRemove({ clientKey, hasPicture, picture }) {
    if (picture) URL.revokeObjectURL(picture.previewUrl);
    if (hasPicture) void deleteUnsentFile(clientKey);
  },
});

export const { store: useOutbox, sendAgain, discard } = outbox;

type NewMessage = Pick<Outgoing, 'chatId' | 'kind' | 'userId' | 'body' | 'replyTo'> & { file: File | null };

/** Shows a message at once, and sends it after the earlier ones of its chat. */
export function send({ file, ...fields }: NewMessage): void {
  const clientKey = outbox.add({
    ...fields,
    hasPicture: file !== null,
    picture: file && { file, previewUrl: URL.createObjectURL(file) },
    upload: { step: 'idle' },
  });
  if (file) void saveUnsentFile(clientKey, fields.userId, file);
}

/** Whether the messages of a chat wait until the server can be reached. */
export const useIsOffline = (chatId: string) =>
  useOutbox(({ messages }) =>
    messages.some((message) => message.chatId === chatId && outbox.isOffline(message)),
  );

/** Deletes pictures that other members left here, and those that belong to no message any more. */
export const deleteForeignPictures = (userId: string) =>
  deleteForeignFiles(userId, (clientKey) => outbox.find(clientKey) !== undefined);

/** The call that stores a message, by the kind of its chat. */
async function store(message: Outgoing, imageId: string | null, signal: AbortSignal): Promise<Message> {
  const { kind, chatId, body, replyTo, clientKey } = message;
  const args = { imageId, replyTo, clientKey };
  return answerInTime(signal, (signal) =>
    kind === 'conversation'
      ? call(conversations.sendMessage, { body: { ...args, convoId: chatId, body }, signal })
      : call(receipts.sendMessage, { body: { ...args, conversation: chatId, message: body }, signal }),
  );
}

/** A picture that this browser did not store before the tab was loaded again or closed. */
class PictureLostError extends Error {
  override name = 'PictureLostError';
}

/** Whether a message's picture was chosen in another tab or by an earlier load, and is not uploaded. */
const isOnDisk = ({ hasPicture, picture, upload }: Outgoing) =>
  hasPicture && picture === null && upload.step !== 'stored';

/** Reads the picture of such a message. @throws PictureLostError */
async function restorePicture({ clientKey }: Outgoing): Promise<File> {
  const file = await readUnsentFile(clientKey);
  if (file === null) throw new PictureLostError();
  if (outbox.find(clientKey)?.picture === null)
    outbox.update(clientKey, { picture: { file, previewUrl: URL.createObjectURL(file) } });
  return file;
}

/** The id of the message's picture, uploaded now or by an earlier attempt. */
async function storePicture(message: Outgoing, signal: AbortSignal): Promise<string | null> {
  const { clientKey, hasPicture, picture, upload } = message;
  if (upload.step === 'stored') return upload.id;
  if (!hasPicture) return null;
  const file = picture?.file ?? (await restorePicture(message));
  const onProgress = (progress: number) =>
    outbox.update(clientKey, { upload: { step: 'uploading', file, progress } });
  onProgress(0);
  try {
    const id = await uploadPicture(file, 'messageFiles', { onProgress, signal });
    outbox.update(clientKey, { upload: { step: 'stored', file, id } });
    return id;
  } catch (error) {
    outbox.update(clientKey, { upload: { step: 'failed', file, error } });
    throw error;
  }
}
