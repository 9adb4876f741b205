import type { BucketId } from '@tara/contract/files';
import { type ReactNode, useEffect, useRef } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import { Field } from '../ui/Field.tsx';
import { PhotoPicker } from '../ui/PhotoPicker.tsx';
import type { FormHandle } from './form.tsx';
import { pictureRule, refusedFileNotice } from './upload.ts';
import { useUpload } from './use-upload.ts';

interface PhotoFieldProps<In extends FieldValues, Out> {
  form: Pick<FormHandle<In, Out>, 'control' | 'addUpload' | 'status'>;
  name: Path<In>;
  label: string;
  /** The instruction, e.g. 'Add a photo'. */
  prompt: string;
  bucket?: BucketId;
  optional?: boolean;
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
  optional,
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
      <Field label={label} error={upload.error ?? fieldState.error?.message} optional={optional} lines={2}>
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
