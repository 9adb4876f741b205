import { Check } from 'lucide-react';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PhotoPicker } from '../../ui/PhotoPicker.tsx';
import type { IdentityPhoto } from './use-identity-photos.ts';

const advice = [
  'The whole card is in the picture, all four corners.',
  'Every word can be read: no glare, no blur.',
  'Your face is easy to see and looks at the camera.',
];

/** The three places for pictures, and what makes a picture good enough to be accepted. */
export function IdentityPhotos({ photos }: { photos: readonly IdentityPhoto[] }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {photos.map(({ label, prompt, photo }) => (
        <Field key={label} label={label}>
          <PhotoPicker
            {...photo.picker}
            prompt={prompt}
            rule="JPG or PNG, up to 20 MB"
            previewAlt={label}
            ratio="3 / 2"
          />
        </Field>
      ))}
      <ul className="flex flex-col justify-center gap-2 text-sm text-ink-soft sm:pt-6">
        {advice.map((line) => (
          <li key={line} className="flex gap-2">
            <Icon of={Check} size={18} className="mt-0.5 shrink-0 text-leaf" />
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
