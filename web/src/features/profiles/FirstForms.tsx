import { accounts } from '@tara/contract/accounts/accounts';
import { profileLength } from '@tara/contract/limits';
import { About, aboutTexts, profiles } from '@tara/contract/members/profiles';
import { notices } from '@tara/contract/notices';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { type Destination, type FormHandle, useForm, withReason } from '../../lib/form.tsx';
import { Form, SubmitButton, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { useSession } from '../accounts/index.ts';
import { aboutValues, setOwnProfile } from './own-profile.ts';
import { ProfilePicture, ProfilePictureField } from './ProfilePictureField.tsx';

interface FirstFormProps {
  /** Where to go once it is saved. */
  next: Destination;
  /** Leads on without saving. */
  skip: ReactNode;
}

/** The first photo of a new member. */
export function FirstPhotoForm({ next, skip }: FirstFormProps) {
  const session = useSession();
  const form = useForm({
    schema: ProfilePicture,
    defaultValues: { imageId: '' },
    leaveWarning: 'The picture you chose will be lost.',
    send: (body) => call(profiles.updatePicture, { body }),
    onSuccess: (profile) => setOwnProfile(session, profile),
    leaveTo: () => next,
    failureNotice: withReason(notices.profileFailed),
  });
  return (
    <FirstForm form={form} skip={skip}>
      <ProfilePictureField form={form} label="A photo of you" />
    </FirstForm>
  );
}

const FirstAbout = z.pick(About, { city: true, hobby: true });

/** City and hobbies of a new member. */
export function FirstAboutForm({ next, skip }: FirstFormProps) {
  const session = useSession();
  const { city, hobby } = session.profile;
  const form = useForm({
    schema: FirstAbout,
    defaultValues: { city, hobby },
    draft: { key: 'first-about' },
    leaveWarning: null,
    send: (fields) => call(profiles.updateAbout, { body: { ...aboutValues(session.profile), ...fields } }),
    onSuccess: (profile) => {
      setOwnProfile(session, profile);
      // Those of the city come first.
      void invalidate(accounts.session, profiles.people);
    },
    leaveTo: () => next,
    failureNotice: () => notices.profileFailed,
  });
  return (
    <FirstForm form={form} skip={skip}>
      <TextField
        form={form}
        name="city"
        label={aboutTexts.city.label}
        hint="Where you live, or where you would like to meet people."
        limit={profileLength.city}
        autoComplete={aboutTexts.city.autoComplete}
      />
      <TextField
        form={form}
        name="hobby"
        label="Hobbies"
        hint={`${aboutTexts.hobby.hint} Such as: coffee, hiking, board games.`}
        limit={profileLength.hobby}
      />
    </FirstForm>
  );
}

interface FirstFormFrameProps<In extends FieldValues, Out> {
  form: FormHandle<In, Out>;
  skip: ReactNode;
  children: ReactNode;
}

function FirstForm<In extends FieldValues, Out>({ form, skip, children }: FirstFormFrameProps<In, Out>) {
  return (
    <Form form={form} className="flex flex-col gap-3">
      {children}
      <div className="flex items-center justify-between gap-3">
        {skip}
        <SubmitButton form={form} pendingLabel="Saving...">
          Save and go on
        </SubmitButton>
      </div>
    </Form>
  );
}
