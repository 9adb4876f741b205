import { files } from '@tara/contract/files';
import { timer } from '@tara/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/call.ts';
import { isAbort, ProblemError, wordsOfFailure } from '../../lib/failure.ts';
import { chosenFileWords, uploadPicture } from '../../lib/upload.ts';
import { toast } from '../../ui/toast.ts';
import { usePreviewUrl } from '../../ui/use-preview-url.ts';

type State =
  | { step: 'none' }
  | { step: 'sending'; file: File; progress: number }
  | { step: 'failed'; file: File; words: string; mayHelp: boolean }
  | { step: 'sent'; file: File; id: string };

const bucketId = 'verificationFiles';

/**
 * One identity picture, sent as soon as it is chosen. Not `usePhoto`: what was sent can never be looked at again, not
 * even by its owner, so it is neither checked by a preview nor kept over a reload. A file that breaks a rule of §5 is
 * told for 3 s (§9).
 */
export function useIdentityPhoto() {
  const [state, setState] = useState<State>({ step: 'none' });
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
      setState({ step: 'sent', file, id });
    } catch (error) {
      if (isAbort(error)) return;
      const { title, text } = wordsOfFailure(error);
      // What the server found wrong with this file it will find again.
      const mayHelp = !(error instanceof ProblemError && error.code < 500);
      setState({ step: 'failed', file, words: text ? `${title}: ${text}` : title, mayHelp });
    }
  };
  const remove = () => {
    underWay.current?.abort();
    if (state.step === 'sent') {
      // Only tidier: what nothing uses is deleted after a day.
      call(files.delete, { params: { bucketId, fileId: state.id } }).catch(() => undefined);
    }
    setState({ step: 'none' });
  };
  return {
    /** The stored file's id, null until it is there. */
    id: state.step === 'sent' ? state.id : null,
    /** Something was chosen, sent or not. */
    chosen: state.step !== 'none',
    sending: state.step === 'sending',
    picker: {
      previewUrl: usePreviewUrl(state.step === 'none' ? null : state.file),
      onPick: ([picked]: File[]) => {
        if (!picked) return;
        const words = chosenFileWords(picked, bucketId);
        if (words) return toast({ ...words, tone: 'danger', duration: timer.formToast });
        remove();
        void send(picked);
      },
      onRemove: remove,
      progress: state.step === 'sending' ? state.progress : null,
      onCancel: remove,
      failure: state.step === 'failed' ? state.words : null,
      ...(state.step === 'failed' && state.mayHelp ? { onRetry: () => void send(state.file) } : {}),
    },
  };
}
