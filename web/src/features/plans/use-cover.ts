import { timer } from '@tara/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { isAbort, wordsOfFailure } from '../../lib/failure.ts';
import { chosenFileWords, uploadPicture } from '../../lib/upload.ts';
import { toast } from '../../ui/toast.ts';

/**
 * The cover of a plan while it is chosen: sent at once, so that the form needs only its id. `onStored` gets the
 * `imageId`, and '' when the photo is taken away.
 */
export function useCover(onStored: (imageId: string) => void) {
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const sending = useRef<AbortController>(null);
  useEffect(() => () => sending.current?.abort(), []);

  const send = async (chosen: File) => {
    sending.current?.abort();
    const controller = new AbortController();
    sending.current = controller;
    setFile(chosen);
    setFailure(null);
    setProgress(0);
    try {
      const stored = await uploadPicture(chosen, 'images', {
        onProgress: setProgress,
        signal: controller.signal,
      });
      onStored(stored.$id);
    } catch (error) {
      // Cancelled by the person or by a newer choice: nothing to tell.
      if (isAbort(error)) return;
      const { title, text } = wordsOfFailure(error);
      setFailure(text ? `${title}: ${text}` : title);
    }
    setProgress(null);
  };
  const remove = () => {
    sending.current?.abort();
    setFile(null);
    setFailure(null);
    setProgress(null);
    onStored('');
  };
  return {
    file,
    progress,
    failure,
    pick([chosen]: File[]) {
      if (!chosen) return;
      const words = chosenFileWords(chosen, 'images');
      if (words) toast({ ...words, tone: 'danger', duration: timer.formToast });
      else {
        onStored('');
        void send(chosen);
      }
    },
    retry: () => file && void send(file),
    cancel: remove,
    remove,
  };
}
