import { accounts } from '@tara/contract/accounts';
import { birthDate, profileLength } from '@tara/contract/limits';
import { notices } from '@tara/contract/notices';
import { About, profiles } from '@tara/contract/profiles';
import { showFieldErrors, useDraft, useUnsavedWarning, useZodForm } from '../../lib/forms.ts';
import { invalidate, useCall } from '../../lib/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { DateInput } from '../../ui/DateInput.tsx';
import { Field } from '../../ui/Field.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { exactTime } from '../../ui/time.ts';
import { toast } from '../../ui/toast.ts';
import { useSession } from '../accounts/index.ts';
import { showOwnProfile } from './show-own-profile.ts';

/** The 'About Section' of one's profile (§5). */
export function AboutForm() {
  const session = useSession();
  const { bio, gender, lookingFor, hobby, education, bDay, phoneNumber, payoutNumberFrom } = session.profile;
  const form = useZodForm(About, {
    defaultValues: {
      bio,
      gender,
      lookingFor,
      hobby,
      education,
      birthDate: bDay ?? birthDate.default,
      phoneNumber,
    },
  });
  const { errors, isDirty } = form.formState;
  const clearDraft = useDraft('about', form);
  useUnsavedWarning(isDirty);
  const update = useCall(profiles.updateAbout, {
    quiet: true,
    onSuccess: (profile, { body }) => {
      clearDraft();
      form.reset(body);
      showOwnProfile(session, profile);
      const numberChanged =
        profile.payoutNumberFrom !== null && profile.payoutNumberFrom !== payoutNumberFrom;
      toast({ ...(numberChanged ? notices.payoutNumberChanged : notices.profileUpdated), tone: 'success' });
      void invalidate(accounts.session);
    },
    onError: (error) => {
      if (!showFieldErrors(form, error)) toast({ ...notices.profileFailed, tone: 'danger' });
    },
  });
  const today = new Date().toISOString().slice(0, 10);
  return (
    <form noValidate onSubmit={form.handleSubmit((body) => update.mutate({ body }))}>
      <Card className="flex flex-col gap-5">
        <h2 className="text-lg font-semibold">About Section</h2>
        <Field label="Bio" limit={profileLength.bio} error={errors.bio?.message}>
          <TextArea rows={3} {...form.register('bio')} />
        </Field>
        <Field
          label="Gender"
          hint="Male / Female"
          limit={profileLength.gender}
          error={errors.gender?.message}
        >
          <TextInput autoComplete="sex" {...form.register('gender')} />
        </Field>
        <Field
          label="Looking for"
          hint="Who would you like to meet?"
          limit={profileLength.lookingFor}
          error={errors.lookingFor?.message}
        >
          <TextInput {...form.register('lookingFor')} />
        </Field>
        <Field label="Hobby" limit={profileLength.hobby} error={errors.hobby?.message}>
          <TextInput {...form.register('hobby')} />
        </Field>
        <Field label="Education" limit={profileLength.education} error={errors.education?.message}>
          <TextInput {...form.register('education')} />
        </Field>
        <Field label="Birth date" hint="Only you see it." error={errors.birthDate?.message}>
          <DateInput
            min={birthDate.earliest}
            max={today}
            autoComplete="bday"
            {...form.register('birthDate')}
          />
        </Field>
        <Field
          label="Phone number"
          hint={
            payoutNumberFrom === null
              ? 'Only you see it. Payments for your plans go to this number.'
              : `Only you see it. Payments for your plans go to this number from ${exactTime(payoutNumberFrom)}.`
          }
          limit={profileLength.phoneNumber}
          error={errors.phoneNumber?.message}
        >
          <TextInput type="tel" inputMode="tel" autoComplete="tel" {...form.register('phoneNumber')} />
        </Field>
        <div className="flex flex-wrap justify-end gap-3">
          <Button type="submit" pending={update.isPending} pendingLabel="Loading...">
            Update
          </Button>
        </div>
      </Card>
    </form>
  );
}
