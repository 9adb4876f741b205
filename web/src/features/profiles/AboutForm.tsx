import { accounts } from '@tara/contract/accounts';
import { birthDate, profileLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { About, profiles } from '@tara/contract/profiles';
import { call } from '../../lib/call.ts';
import { Form, SubmitButton, useForm } from '../../lib/form.tsx';
import { DateField, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { Card } from '../../ui/Card.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { setOwnProfile } from './own-profile-cache.ts';

/** The 'About Section' of the viewer's profile (§5). */
export function AboutForm() {
  const session = useSession();
  const { bio, gender, lookingFor, hobby, education, bDay, phoneNumber, payoutNumberFrom } = session.profile;
  const form = useForm({
    schema: About,
    defaultValues: {
      bio,
      gender,
      lookingFor,
      hobby,
      education,
      birthDate: bDay ?? birthDate.default,
      phoneNumber,
    },
    draft: { key: 'about' },
    send: (body) => call(profiles.updateAbout, { body }),
    onSuccess: (profile) => {
      setOwnProfile(session, profile);
      const numberChanged =
        profile.payoutNumberFrom !== null && profile.payoutNumberFrom !== payoutNumberFrom;
      toast({ ...(numberChanged ? notices.payoutNumberChanged : notices.profileUpdated), tone: 'success' });
      void invalidate(accounts.session);
    },
    failureNotice: () => notices.profileFailed,
  });
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Form form={form}>
      <Card className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">About Section</h2>
        <TextAreaField form={form} name="bio" label="Bio" limit={profileLength.bio} rows={3} />
        <TextField
          form={form}
          name="gender"
          label="Gender"
          hint="Male / Female"
          limit={profileLength.gender}
          autoComplete="sex"
        />
        <TextField
          form={form}
          name="lookingFor"
          label="Looking for"
          hint="Who would you like to meet?"
          limit={profileLength.lookingFor}
        />
        <TextField form={form} name="hobby" label="Hobby" limit={profileLength.hobby} />
        <TextField form={form} name="education" label="Education" limit={profileLength.education} />
        <DateField
          form={form}
          name="birthDate"
          label="Birth date"
          hint="Only you see it."
          min={birthDate.earliest}
          max={today}
          autoComplete="bday"
        />
        <TextField
          form={form}
          name="phoneNumber"
          label="Phone number"
          hint={
            payoutNumberFrom === null
              ? 'Only you see it. Payments for your plans go to this number.'
              : `Only you see it. Payments for your plans go to this number from ${exactTime(payoutNumberFrom)}.`
          }
          limit={profileLength.phoneNumber}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
        />
        <SubmitButton form={form} pendingLabel="Loading..." className="self-end">
          Update
        </SubmitButton>
      </Card>
    </Form>
  );
}
