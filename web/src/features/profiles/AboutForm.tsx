import { Link } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts';
import { profileLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { About, isBirthDateFixed, profiles } from '@tara/contract/profiles';
import { call } from '../../lib/call.ts';
import { useForm } from '../../lib/form.tsx';
import { Form, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate } from '../../lib/queries.ts';
import { linkClass } from '../../ui/Button.tsx';
import { toast } from '../../ui/feedback.ts';
import { Card } from '../../ui/Page.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { BirthDateField } from './BirthDateField.tsx';
import { setOwnProfile } from './own-profile-cache.ts';

/** The 'About Section' of the viewer's profile (§5). */
export function AboutForm() {
  const session = useSession();
  const { bio, gender, lookingFor, hobby, workingAs, education, bDay, phoneNumber, payoutNumberFrom } =
    session.profile;
  const isFixed = isBirthDateFixed(session.profile);
  const form = useForm({
    schema: About,
    defaultValues: {
      bio,
      gender,
      lookingFor,
      hobby,
      workingAs,
      education,
      birthDate: bDay ?? '',
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
  return (
    <Form form={form}>
      <Card className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">About Section</h2>
        <p className="text-sm text-ink-soft">
          You are {session.profile.name}, @{session.profile.username}.{' '}
          <Link to="/settings" className={linkClass}>
            Change your name or username
          </Link>
        </p>
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
        <TextField
          form={form}
          name="workingAs"
          label="Working as"
          hint="For example nurse, barista or student."
          limit={profileLength.workingAs}
          autoComplete="organization-title"
        />
        <TextField form={form} name="education" label="Education" limit={profileLength.education} />
        <BirthDateField
          form={form}
          name="birthDate"
          hint={
            isFixed
              ? 'Only you and admins see it. It belongs to your verification, so only an admin can correct it.'
              : 'Only you and admins see it. Plans need 18 years. It is fixed once you ask to be verified.'
          }
          fixed={isFixed}
        />
        <TextField
          form={form}
          name="phoneNumber"
          label="Phone number"
          hint={
            payoutNumberFrom === null
              ? 'Only you see it. Payouts for your plans go to the GCash wallet of this number, such as 0917 123 4567.'
              : `Only you see it. Payouts for your plans go to the GCash wallet of this number from ${exactTime(payoutNumberFrom)}.`
          }
          limit={profileLength.phoneNumber}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          lines={2}
        />
        <SubmitButton form={form} pendingLabel="Loading..." className="self-end">
          Update
        </SubmitButton>
      </Card>
    </Form>
  );
}
