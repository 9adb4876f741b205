import { problemMessage } from '@tara/contract/problems';
import { Suspense, useState } from 'react';
import * as z from 'zod/mini';
import type { FormHandle } from '../../lib/form.tsx';
import { PhotoField } from '../../lib/photo-field.tsx';
import { lazyPart } from '../../ui/lazy-component.tsx';

const CropDialog = lazyPart(() => import('./CropDialog.tsx'));

/** The field of a form that sets the profile picture. */
export const ProfilePicture = z.strictObject({
  imageId: z.string().check(z.minLength(1, problemMessage('storage_file_empty'))),
});
type ProfilePicture = z.infer<typeof ProfilePicture>;

interface ProfilePictureFieldProps<In extends ProfilePicture> {
  form: Pick<FormHandle<In>, 'control' | 'addUpload' | 'status'>;
  label: string;
}

/** A picture of the member, which is cropped to a square when it is chosen. */
export function ProfilePictureField<In extends ProfilePicture>({
  form,
  label,
}: ProfilePictureFieldProps<In>) {
  const [cropped, setCropped] = useState<{ file: File; onDone: (file: File | null) => void } | null>(null);
  return (
    <>
      {/* Of the size of a portrait, so that what follows is in sight; it grows with its words. */}
      <div className="w-full max-w-[15rem]">
        <PhotoField
          form={form}
          name={'imageId' as never}
          label={label}
          prompt="Choose a picture of you"
          ratio="1 / 1"
          pasteAnywhere
          prepare={(file) =>
            new Promise((done) => {
              const onDone = (square: File | null) => {
                setCropped(null);
                done(square);
              };
              setCropped({ file, onDone });
            })
          }
        />
      </div>
      {cropped && (
        <Suspense>
          <CropDialog {...cropped} />
        </Suspense>
      )}
    </>
  );
}
