import type { BucketId } from '@tara/contract/files';
import { useEffect, useId, useRef, useState } from 'react';
import { type FieldValues, type Path, useController } from 'react-hook-form';
import { announce } from '../ui/feedback.ts';
import { PhotoPicker } from '../ui/PhotoPicker.tsx';
import { noticeSentence } from './call.ts';
import type { FormHandle } from './form.tsx';
import { useUpload } from './photo-field.tsx';
import { pictureRule, refusedFileNotice } from './upload.ts';

const PENDING = 'pending:';

/** The ids of the stored photos among the values of a `PhotosField`: those whose upload never ended are left out. */
export const storedPhotos = (entries: string[]) => entries.filter((id) => !id.startsWith(PENDING));

type Handle<In extends FieldValues, Out> = Pick<FormHandle<In, Out>, 'control' | 'addUpload' | 'status'>;

interface PhotosFieldProps<In extends FieldValues, Out> {
  form: Handle<In, Out>;
  name: Path<In>;
  label: string;
  prompt: string;
  /** Most photos. */
  limit: number;
  hint?: string;
  /** At least one photo. */
  required?: boolean;
  /** The first photo is the cover of the record; any other can take its place. */
  hasCover?: boolean;
  /** The record's current photos, which are never deleted from here. */
  inUse?: readonly string[];
}

/**
 * Several photos in the order in which they were chosen, each uploaded when it is chosen and removable. The value of the
 * form is a list of ids; give it to `storedPhotos` before it is sent.
 */
export function PhotosField<In extends FieldValues, Out>({
  form,
  name,
  label,
  prompt,
  limit,
  hint,
  required = false,
  hasCover = false,
  inUse = [],
}: PhotosFieldProps<In, Out>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const labelId = useId();
  const errorId = useId();
  const [files, setFiles] = useState<ReadonlyMap<string, File>>(new Map());
  /** What a stored photo was called while it was uploaded, so that its preview stays. */
  const [formerNames, setFormerNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [refusal, setRefusal] = useState<string>();
  const value: string[] = field.value;
  // A draft may name an upload that was cut off.
  const entries = value.filter((entry) => !entry.startsWith(PENDING) || files.has(entry));
  const latest = useRef(entries);
  useEffect(() => {
    latest.current = entries;
  });
  const change = (next: string[]) => {
    latest.current = next;
    field.onChange(next);
  };
  const refuse = (reason: string) => {
    setRefusal(reason);
    announce(reason);
  };

  const pick = (chosen: File[]) => {
    setRefusal(undefined);
    const usable = chosen.filter((file) => {
      const notice = refusedFileNotice(file, 'images');
      if (notice) refuse(noticeSentence(notice));
      return notice === null;
    });
    const room = limit - latest.current.length;
    if (usable.length > room) refuse(`At most ${limit} photos.`);
    const added = usable.slice(0, room).map((file) => [PENDING + crypto.randomUUID(), file] as const);
    setFiles(new Map([...files, ...added]));
    change([...latest.current, ...added.map(([entry]) => entry)]);
  };
  const remove = (entry: string) => change(latest.current.filter((other) => other !== entry));
  const store = (entry: string, id: string) => {
    setFormerNames((names) => new Map(names).set(id, entry));
    change(latest.current.map((other) => (other === entry ? id : other)));
  };
  const error = refusal ?? fieldState.error?.message;
  return (
    <fieldset aria-labelledby={labelId} className="flex flex-col gap-1.5">
      <p id={labelId} className="text-sm font-semibold">
        {label} {!required && <span className="font-normal text-ink-soft">(optional)</span>}
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {entries.map((entry, index) => (
          <PhotoEntry
            key={formerNames.get(entry) ?? entry}
            form={form}
            bucket="images"
            id={entry.startsWith(PENDING) ? '' : entry}
            file={files.get(entry)}
            inUse={inUse.includes(entry)}
            position={index + 1}
            hasCover={hasCover}
            onMadeCover={() => change([entry, ...latest.current.filter((other) => other !== entry)])}
            onStored={(id) => store(entry, id)}
            onRemoved={() => remove(entry)}
            onRefused={(reason) => {
              remove(entry);
              refuse(reason);
            }}
          />
        ))}
        {entries.length < limit && (
          <li className={entries.length === 0 ? 'col-span-full' : undefined}>
            <PhotoPicker
              prompt={prompt}
              rule={pictureRule('images')}
              onPick={pick}
              multiple
              pasteAnywhere
              errorId={error ? errorId : undefined}
              ratio={entries.length === 0 ? '5 / 2' : '1 / 1'}
              disabled={form.status === 'sending' || form.status === 'leaving'}
            />
          </li>
        )}
      </ul>
      <div className="flex min-h-[1lh] items-start justify-between gap-4 text-sm leading-hint">
        {error ? (
          <p id={errorId} className="font-medium text-ember">
            {error}
          </p>
        ) : (
          <p className="text-ink-soft">{hint}</p>
        )}
        <span aria-hidden="true" className="figures shrink-0 text-ink-soft">
          {entries.length}/{limit}
        </span>
      </div>
    </fieldset>
  );
}

interface PhotoEntryProps {
  form: Pick<FormHandle<FieldValues>, 'addUpload' | 'status'>;
  bucket: BucketId;
  /** '' until it is stored. */
  id: string;
  file: File | undefined;
  inUse: boolean;
  /** From 1. */
  position: number;
  hasCover: boolean;
  onMadeCover: () => void;
  onStored: (id: string) => void;
  onRemoved: () => void;
  onRefused: (reason: string) => void;
}

/** One photo with its preview and upload. */
function PhotoEntry({
  form,
  bucket,
  id,
  file,
  inUse,
  position,
  hasCover,
  onMadeCover,
  onStored,
  onRemoved,
  onRefused,
}: PhotoEntryProps) {
  const upload = useUpload({
    bucket,
    id,
    file: id === '' ? file : undefined,
    inUse: inUse ? id : null,
    onChange: (next) => (next === '' ? onRemoved() : onStored(next)),
    onRefused,
  });
  const latest = useRef(upload);
  useEffect(() => {
    latest.current = upload;
  });
  const name = hasCover && position === 1 ? 'Cover' : `Photo ${position}`;
  const { addUpload } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one entry for as long as the photo is shown
  useEffect(() => addUpload(latest), []);
  return (
    <li>
      <PhotoPicker
        {...upload.picker}
        // A photo is replaced by removing it and adding another.
        onPick={() => {}}
        prompt={name}
        previewAlt={name}
        removeLabel={`Remove ${name.toLowerCase()}`}
        ratio="1 / 1"
        disabled
      />
      {hasCover && (
        <p className="mt-1 flex min-h-9 items-center text-sm coarse:min-h-11">
          {position === 1 ? (
            // The picture is named so.
            <span aria-hidden="true" className="font-semibold">
              Cover
            </span>
          ) : (
            <button
              type="button"
              aria-label={`Make it the cover: photo ${position}`}
              onClick={onMadeCover}
              className="touch rounded-sm font-medium text-lagoon hover:underline"
            >
              Make it the cover
            </button>
          )}
        </p>
      )}
      {upload.error && <p className="mt-1 text-sm font-medium text-ember">{upload.error}</p>}
    </li>
  );
}
