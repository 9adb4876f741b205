import { useState } from 'react';
import { Checkbox } from '../Checkbox.tsx';
import { DateInput } from '../DateInput.tsx';
import { Field } from '../Field.tsx';
import { PasswordInput } from '../PasswordInput.tsx';
import { PhotoPicker } from '../PhotoPicker.tsx';
import { SearchBox } from '../SearchBox.tsx';
import { StarInput } from '../StarInput.tsx';
import { TextArea } from '../TextArea.tsx';
import { TextInput } from '../TextInput.tsx';
import { usePreviewUrl } from '../use-preview-url.ts';
import { drawing } from './drawing.ts';
import { Section } from './Section.tsx';

export function Forms() {
  const [search, setSearch] = useState('');
  const [stars, setStars] = useState(7);
  const [file, setFile] = useState<File | null>(null);
  const preview = usePreviewUrl(file);
  return (
    <Section title="Forms">
      <SearchBox label="Search Post" value={search} onChange={setSearch} />
      <Field label="Email">
        <TextInput type="email" autoComplete="email" placeholder="you@example.com" />
      </Field>
      <Field label="Password" error="Password must be at least 8 characters.">
        <PasswordInput autoComplete="new-password" defaultValue="secret" />
      </Field>
      <Field
        label="Bio"
        hint="A sentence or two, so that people know you."
        count={{ used: 70, limit: 255 }}
        optional
      >
        <TextArea defaultValue="Beaches, board games and long bus rides. I know the best lugaw of Cebu." />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Gender">
          <TextInput defaultValue="Female" />
        </Field>
        <Field label="Birth date">
          <DateInput defaultValue="2002-01-01" min="1900-01-01" />
        </Field>
      </div>
      <Field label="Username" hint="Cannot be changed here.">
        <TextInput readOnly defaultValue="ana" />
      </Field>
      <div>
        <Checkbox label="Accept terms and conditions" hint="Your money is held until you have met." />
        <Checkbox label="Remember me" defaultChecked error="Please tick this to go on." />
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <PhotoPicker
          prompt="Add a photo"
          rule="JPG or PNG, up to 20 MB"
          previewUrl={preview}
          onPick={([first]) => setFile(first ?? null)}
          onRemove={() => setFile(null)}
        />
        <PhotoPicker
          prompt="Front of ID"
          previewUrl={drawing(0)}
          onPick={() => {}}
          progress={0.62}
          onCancel={() => {}}
        />
        <PhotoPicker
          prompt="Back of ID"
          previewUrl={drawing(1)}
          onPick={() => {}}
          onRemove={() => {}}
          onRetry={() => {}}
        />
      </div>
      <StarInput label="Your rating" value={stars} onChange={setStars} />
    </Section>
  );
}
