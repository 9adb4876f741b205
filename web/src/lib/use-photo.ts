import { type BucketId, files } from '@tara/contract/files';
import { timer } from '@tara/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../ui/toast.ts';
import { usePreviewUrl } from '../ui/use-preview-url.ts';
import { addressOf, call } from './call.ts';
import { isAbort, isProblem, type Words, wordsOfFailure } from './failure.ts';
import { chosenFileWords, uploadPicture } from './upload.ts';

const wrongFile = [
  'storage_file_empty',
  'storage_file_type_unsupported',
  'storage_invalid_file_size',
  'storage_invalid_file',
] as const;

/** The stored picture at the width in pixels that a form shows. */
const previewOf = (bucketId: BucketId, fileId: string) =>
  addressOf(files.preview, { params: { bucketId, fileId }, query: { width: 640 } });

async function canBeSeen(url: string): Promise<boolean> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return true;
  } catch {
    // Not a picture that a browser shows: the caller says so.
    return false;
  }
}

interface Photo {
  /** The uploaded file, '' while there is none: the form's `imageId`. */
  imageId: string;
  onChange: (imageId: string) => void;
  bucket: BucketId;
  /** The picture that the record already has: it is not removed before something else takes its place. */
  inUse?: string | null;
}

/**
 * One photo of a form: checked (§5), sent as soon as it is chosen, and looked at once it is stored; one that cannot
 * be seen then is deleted again (§5). `picker` goes to PhotoPicker; `stored` waits for what is under way.
 */
export function usePhoto({ imageId, onChange, bucket, inUse }: Photo) {
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string>();
  const sending = useRef<{ stop: AbortController; done: Promise<string> }>(undefined);
  const chosenUrl = usePreviewUrl(file);
  useEffect(() => () => sending.current?.stop.abort(), []);
  // A draft may name a picture that was removed since. Asked once per picture that came from a draft.
  const fromDraft = file === null && imageId !== inUse ? imageId : '';
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (fromDraft === '') return;
    let over = false;
    void canBeSeen(previewOf(bucket, fromDraft)).then((seen) => {
      if (!seen && !over) change.current('');
    });
    return () => {
      over = true;
    };
  }, [fromDraft, bucket]);

  const drop = (id: string) => {
    // A file nobody uses is removed within a day anyway.
    if (id !== '' && id !== inUse)
      call(files.delete, { params: { bucketId: bucket, fileId: id } }).catch(() => undefined);
  };
  const refuse = (words: Words) => {
    setRefusal(words.text ? `${words.title} - ${words.text}` : words.title);
    toast({ ...words, tone: 'danger', duration: timer.formToast });
  };
  const store = async (chosen: File, signal: AbortSignal): Promise<string> => {
    const { $id } = await uploadPicture(chosen, bucket, { onProgress: setProgress, signal });
    if (await canBeSeen(previewOf(bucket, $id))) return $id;
    drop($id);
    throw new Error('The stored picture cannot be shown.');
  };
  const send = (chosen: File) => {
    sending.current?.stop.abort();
    const stop = new AbortController();
    setProgress(0);
    setFailure(null);
    const done = store(chosen, stop.signal);
    sending.current = { stop, done };
    done
      .then(onChange, (error) => {
        if (stop.signal.aborted || isAbort(error)) return;
        const { title, text } = wordsOfFailure(error);
        const sentence = text ? `${title} - ${text}` : title;
        // What the server found wrong with this file it will find again.
        if (!isProblem(error, ...wrongFile)) return setFailure(sentence);
        clear();
        refuse({ title, ...(text ? { text } : {}) });
      })
      .finally(() => {
        if (sending.current?.stop === stop) setProgress(null);
      });
  };
  const clear = () => {
    sending.current?.stop.abort();
    sending.current = undefined;
    drop(imageId);
    onChange('');
    setFile(null);
    setProgress(null);
    setFailure(null);
  };
  const pick = ([chosen]: File[]) => {
    if (!chosen) return;
    const words = chosenFileWords(chosen, bucket);
    if (words) return refuse(words);
    setRefusal(undefined);
    clear();
    setFile(chosen);
    send(chosen);
  };

  return {
    /** Why the last chosen file was not taken, for the field. */
    refusal,
    /** The id of the stored picture, '' when none was chosen. @throws what the upload failed with */
    stored: async (): Promise<string> => sending.current?.done ?? imageId,
    picker: {
      previewUrl: chosenUrl ?? (imageId === '' ? null : previewOf(bucket, imageId)),
      progress,
      failure,
      onPick: pick,
      onRemove: clear,
      onCancel: clear,
      ...(file ? { onRetry: () => send(file) } : {}),
    },
  };
}
