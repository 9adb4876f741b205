import { type BucketId, files } from '@tara/contract/files';
import { timer } from '@tara/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { addressOf, call } from '../../lib/call.ts';
import { isAbort, wordsOfFailure } from '../../lib/failure.ts';
import { chosenFileWords, uploadPicture } from '../../lib/upload.ts';
import { toast } from '../../ui/toast.ts';
import { usePreviewUrl } from '../../ui/use-preview-url.ts';
import { forgetPhoto, keepPhoto, keptPhoto } from './kept-photo.ts';

interface PhotoUploadOptions {
  /** Keeps the sent photo of this form over a reload, in this tab. Not for identity pictures: nobody sees those again. */
  keepAs?: string;
}

type State =
  | { step: 'none' }
  | { step: 'sending'; file: File; progress: number }
  | { step: 'failed'; file: File; words: string }
  | { step: 'sent'; id: string; file: File | null };

/**
 * One photo of a form, sent as soon as it is chosen: `id` is there once it is stored, `picker` goes into a
 * `PhotoPicker`. A chosen file that breaks a rule of §5 is told for 3 s (§9). Call `used()` once the form is sent.
 */
export function usePhotoUpload(bucketId: BucketId, { keepAs }: PhotoUploadOptions = {}) {
  const [state, setState] = useState<State>(() => {
    const id = keepAs === undefined ? null : keptPhoto(keepAs);
    return id === null ? { step: 'none' } : { step: 'sent', id, file: null };
  });
  const underWay = useRef<AbortController>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const send = async (file: File) => {
    const controller = new AbortController();
    underWay.current = controller;
    setState({ step: 'sending', file, progress: 0 });
    try {
      const { $id: id } = await uploadPicture(file, bucketId, {
        onProgress: (progress) => setState({ step: 'sending', file, progress }),
        signal: controller.signal,
      });
      if (keepAs !== undefined) keepPhoto(keepAs, id);
      setState({ step: 'sent', id, file });
    } catch (error) {
      if (isAbort(error)) return;
      const { title, text } = wordsOfFailure(error);
      setState({ step: 'failed', file, words: text ? `${title}: ${text}` : title });
    }
  };
  const forget = () => {
    if (keepAs !== undefined) forgetPhoto(keepAs);
    setState({ step: 'none' });
  };
  const remove = () => {
    if (state.step === 'sent') {
      const { id: fileId } = state;
      // Only tidier: what nothing uses is deleted after a day.
      call(files.delete, { params: { bucketId, fileId } }).catch(() => undefined);
    }
    forget();
  };

  const file = state.step === 'none' ? null : state.file;
  const local = usePreviewUrl(file);
  const stored =
    state.step === 'sent' && !state.file
      ? addressOf(files.view, { params: { bucketId, fileId: state.id } })
      : undefined;
  return {
    /** The stored file's id, null until it is there. */
    id: state.step === 'sent' ? state.id : null,
    /** Something was chosen, sent or not. */
    chosen: state.step !== 'none',
    sending: state.step === 'sending',
    /** The form that uses the photo was sent. */
    used: forget,
    picker: {
      previewUrl: local ?? stored,
      onPick: ([picked]: File[]) => {
        if (!picked) return;
        const words = chosenFileWords(picked, bucketId);
        if (words) return toast({ ...words, tone: 'danger', duration: timer.formToast });
        underWay.current?.abort();
        remove();
        void send(picked);
      },
      onRemove: remove,
      progress: state.step === 'sending' ? state.progress : null,
      onCancel: () => {
        underWay.current?.abort();
        forget();
      },
      failure: state.step === 'failed' ? state.words : null,
      onRetry: () => {
        if (state.step === 'failed') void send(state.file);
      },
    },
  };
}
