import type { BucketId } from '@tara/contract/files';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { PhotoPicker, usePreviewUrl } from '../ui/PhotoPicker.tsx';
import { errorSentence, isAbort, isProblem, NotAnImageError, noticeSentence } from './call.ts';
import type { FormHandle } from './form.tsx';
import {
  deleteFile,
  isDisplayable,
  pictureRule,
  previewUrl,
  refusedFileNotice,
  type UploadState,
  uploadPicture,
} from './upload.ts';

interface PhotoFieldProps<In extends FieldValues, Out> {
  form: Pick<FormHandle<In, Out>, 'control' | 'addUpload' | 'status'>;
  name: Path<In>;
  label: string;
  /** The instruction, e.g. 'Add a photo'. */
  prompt: string;
  bucket?: BucketId;
  /** The record's current picture, which is never deleted from here. */
  inUse?: string | null;
  previewAlt?: string;
  ratio?: string;
  /** Accepts pictures pasted anywhere on the page. For the only picture field of a screen. */
  pasteAnywhere?: boolean;
  /** Changes a chosen file before it is uploaded, e.g. crops it; null to upload nothing. */
  prepare?: (file: File) => Promise<File | null>;
  /** Below the chosen picture, e.g. a field that describes it. */
  children?: ReactNode;
}

/** A photo, uploaded when it is chosen; the value of the form is its id, '' without one. */
export function PhotoField<In extends FieldValues, Out>({
  form,
  name,
  label,
  bucket = 'images',
  inUse,
  prepare,
  children,
  ...picker
}: PhotoFieldProps<In, Out>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const upload = useUpload({ bucket, id: String(field.value ?? ''), inUse, onChange: field.onChange });
  const latest = useRef(upload);
  useEffect(() => {
    latest.current = upload;
  });
  const { addUpload } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one entry for as long as the field is mounted
  useEffect(() => addUpload(latest), []);
  const pick = async ([file]: File[]) => {
    if (!file) return;
    const isPrepared = prepare && refusedFileNotice(file, bucket) === null;
    const prepared = isPrepared ? await prepare(file) : file;
    if (prepared) latest.current.picker.onPick([prepared]);
  };
  return (
    <>
      <Field label={label} error={upload.error ?? fieldState.error?.message} lines={2}>
        <PhotoPicker
          {...picker}
          {...upload.picker}
          onPick={(files) => void pick(files)}
          rule={pictureRule(bucket)}
          disabled={form.status === 'sending' || form.status === 'leaving'}
        />
      </Field>
      {upload.picker.previewUrl && children}
    </>
  );
}

interface UploadOptions {
  bucket: BucketId;
  /** The stored picture, '' while there is none: the form's value. */
  id: string;
  onChange: (id: string) => void;
  /** The record's current picture, which is never deleted from here. */
  inUse?: string | null | undefined;
  /** Uploaded as soon as the field is shown; checked before. */
  file?: File | undefined;
  /** Called instead of showing why the server refused the file itself. */
  onRefused?: (reason: string) => void;
}

interface Job {
  file: File;
  controller: AbortController;
  /** Whether it was stored or cancelled, false when it failed. */
  done: Promise<boolean>;
}

/** Whether the file itself was refused, so that a retry cannot succeed. */
const isFileRefusal = (error: unknown) =>
  error instanceof NotAnImageError ||
  isProblem(
    error,
    'storage_file_empty',
    'storage_file_type_unsupported',
    'storage_invalid_file_size',
    'storage_invalid_file',
  );

/** One picture of a form, checked (§5) and uploaded as soon as it is chosen. `picker` goes to PhotoPicker. */
export function useUpload({ bucket, id, onChange, inUse, file: firstFile, onRefused }: UploadOptions) {
  const [unfinished, setUnfinished] = useState<Extract<UploadState, { step: 'uploading' | 'failed' }> | null>(
    null,
  );
  const [storedFile, setStoredFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string>();
  const job = useRef<Job>(null);
  useEffect(() => () => job.current?.controller.abort(), []);

  const state: UploadState =
    unfinished ?? (id === '' ? { step: 'idle' } : { step: 'stored', id, file: storedFile });

  // A draft may refer to a picture that was deleted in the meantime.
  const isFromDraft = state.step === 'stored' && state.file === null && id !== inUse;
  useEffect(() => {
    if (!isFromDraft) return;
    let isCancelled = false;
    void isDisplayable(bucket, id).then((isShown) => {
      if (!isShown && !isCancelled) onChange('');
    });
    return () => {
      isCancelled = true;
    };
  }, [isFromDraft, bucket, id, onChange]);

  const run = async (file: File, { signal }: AbortController): Promise<boolean> => {
    setUnfinished({ step: 'uploading', file, progress: 0 });
    try {
      const stored = await uploadPicture(file, bucket, {
        signal,
        onProgress: (progress) => setUnfinished({ step: 'uploading', file, progress }),
      });
      // Cancelled while waiting for the last response.
      if (signal.aborted) return true;
      setUnfinished(null);
      setStoredFile(file);
      onChange(stored);
      return true;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return true;
      if (isFileRefusal(error)) {
        job.current = null;
        setUnfinished(null);
        if (onRefused) onRefused(errorSentence(error));
        else setRefusal(errorSentence(error));
      } else {
        setUnfinished({ step: 'failed', file, error });
      }
      return false;
    }
  };
  const start = (file: File) => {
    const controller = new AbortController();
    job.current = { file, controller, done: run(file, controller) };
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field is shown
  useEffect(() => {
    if (firstFile) start(firstFile);
  }, []);
  const remove = () => {
    job.current?.controller.abort();
    job.current = null;
    if (id !== '' && id !== inUse) deleteFile(bucket, id);
    setUnfinished(null);
    setStoredFile(null);
    setRefusal(undefined);
    onChange('');
  };
  const pick = ([file]: File[]) => {
    if (!file) return;
    const notice = refusedFileNotice(file, bucket);
    if (notice) return setRefusal(noticeSentence(notice));
    remove();
    start(file);
  };

  const fileUrl = usePreviewUrl(state.step === 'idle' ? null : state.file);
  const shownUrl = state.step === 'stored' && state.file === null ? previewUrl(bucket, id) : fileUrl;
  return {
    state,
    /** Why the last chosen file was refused, or why the upload failed. */
    error: refusal ?? (state.step === 'failed' ? errorSentence(state.error) : undefined),
    /** Waits for the current upload; false if it failed. */
    async settled(): Promise<boolean> {
      for (;;) {
        const current = job.current;
        const isStored = (await current?.done) ?? true;
        if (!isStored || current === job.current) return isStored;
      }
    },
    picker: {
      previewUrl: shownUrl ?? null,
      progress: state.step === 'uploading' ? state.progress : null,
      onPick: pick,
      onRemove: remove,
      onCancel: remove,
      onRetry: state.step === 'failed' ? () => start(state.file) : undefined,
    },
  };
}
