import { Link, useNavigate } from '@tanstack/react-router';
import { accounts } from '@tara/contract/accounts/accounts';
import { text } from '@tara/contract/fields';
import { captionLength, profileLength } from '@tara/contract/limits';
import { About, aboutFields, isBirthDateFixed, profiles } from '@tara/contract/members/profiles';
import { notices } from '@tara/contract/notices';
import { posts } from '@tara/contract/posts/posts';
import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../../lib/call.ts';
import { useForm, withReason } from '../../lib/form.tsx';
import { CheckboxField, Form, SubmitButton, TextAreaField, TextField } from '../../lib/form-fields.tsx';
import { invalidate, useCall } from '../../lib/queries.ts';
import { PersonAvatar } from '../../lib/stored-picture.tsx';
import { buttonClass, linkClass } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Field.tsx';
import { announce, toast } from '../../ui/feedback.ts';
import { Page } from '../../ui/Page.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { exactTime } from '../../ui/TimeLabel.tsx';
import { useSession } from '../accounts/index.ts';
import { addPost, newPictureCaption } from '../posts/index.ts';
import { BirthDateField } from './BirthDateField.tsx';
import { aboutValues, setOwnProfile } from './own-profile.ts';
import { ProfilePicture, ProfilePictureField } from './ProfilePictureField.tsx';

/** `/update-profile` (§2): the profile picture, or the About Section. */
export function UpdateProfileScreen({ tab = 'picture' }: { tab?: string | undefined }) {
  const { profile } = useSession();
  const navigate = useNavigate();
  return (
    <Page
      title="Edit Profile"
      width="form"
      actions={
        <Link to="/profile/$id" params={{ id: profile.id }} className={buttonClass({ variant: 'ghost' })}>
          View profile
        </Link>
      }
    >
      <Tabs
        label="What to edit"
        value={tab === 'info' ? 'info' : 'picture'}
        onChange={(next) =>
          void navigate({
            to: '/update-profile',
            search: next === 'info' ? { tab: next } : {},
            replace: true,
            resetScroll: false,
          })
        }
        tabs={[
          { value: 'picture', label: 'Update profile picture', content: <PictureForm /> },
          {
            value: 'info',
            label: 'Edit profile info',
            content: (
              <div className="flex flex-col gap-5">
                <AboutForm />
                <SharingCard />
              </div>
            ),
          },
        ]}
      />
    </Page>
  );
}

const PictureFields = z.extend(ProfilePicture, {
  isShared: z.boolean(),
  caption: text(captionLength),
});

/** Changes the profile picture, optionally shares it as a post (`usedDp`), then goes to the profile (decisions §1). */
export function PictureForm() {
  const session = useSession();
  const { profile } = session;
  // Where the picture is stored and its post failed, the next try sends the post alone: a picture is used once.
  const storedImageId = useRef('');
  const form = useForm({
    schema: PictureFields,
    defaultValues: { imageId: '', isShared: false, caption: newPictureCaption },
    leaveWarning: 'The picture you chose will be lost.',
    send: async ({ imageId, isShared, caption }) => {
      if (imageId !== storedImageId.current) {
        setOwnProfile(session, await call(profiles.updatePicture, { body: { imageId } }));
        storedImageId.current = imageId;
      }
      if (isShared) addPost(await call(posts.quick, { body: { caption: caption || newPictureCaption } }));
    },
    onSuccess: () => {
      toast({ title: 'Your profile picture has been updated.', tone: 'success' });
      // All posts show their creator's picture.
      void invalidate(posts.feed, posts.recent, posts.byCreator, posts.get);
    },
    leaveTo: () => ({ to: '/profile/$id', params: { id: profile.id } }),
    failureNotice: withReason(notices.profileFailed),
  });
  const isShared = useWatch({ control: form.control, name: 'isShared' });
  return (
    <Form form={form}>
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-4">
          <PersonAvatar person={profile} size="xl" />
          <p className="text-ink-soft">
            This is how people see you now. A clear picture of your face makes it easier to trust you.
          </p>
        </div>
        <ProfilePictureField form={form} label="New profile picture" />
        <CheckboxField form={form} name="isShared" label="Share it as a post" />
        {isShared && (
          <TextAreaField form={form} name="caption" label="Caption" limit={captionLength} rows={2} />
        )}
        <SubmitButton form={form} pendingLabel="Loading..." className="self-end">
          Update picture
        </SubmitButton>
      </div>
    </Form>
  );
}

/** The 'About Section' of the viewer's profile (§5). */
export function AboutForm() {
  const session = useSession();
  const { payoutNumberFrom } = session.profile;
  const isFixed = isBirthDateFixed(session.profile);
  const form = useForm({
    schema: About,
    defaultValues: aboutValues(session.profile),
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
      <div className="flex flex-col gap-3">
        <h2 className="text-lg font-semibold">About Section</h2>
        <p className="text-sm text-ink-soft">
          You are {session.profile.name}, @{session.profile.username}.{' '}
          <Link to="/settings" className={linkClass}>
            Change your name or username
          </Link>
        </p>
        {aboutFields.map(({ name, label, hint, rows, autoComplete }) => {
          const field = { form, name, label, limit: profileLength[name] };
          return rows === undefined ? (
            <TextField key={name} {...field} hint={hint} autoComplete={autoComplete} />
          ) : (
            <TextAreaField key={name} {...field} hint={hint} rows={rows} />
          );
        })}
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
      </div>
    </Form>
  );
}

/** Whether people who are not signed in see the viewer's posts behind shared links; stored at once. */
export function SharingCard() {
  const session = useSession();
  const share = useCall(profiles.updateSharing, {
    onSuccess: (profile) => {
      setOwnProfile(session, profile);
      announce(
        profile.sharesPosts
          ? 'Your posts are shown in shared links.'
          : 'Your posts are hidden in shared links.',
      );
    },
  });
  const isShown = share.isPending ? share.variables.body.sharesPosts : session.profile.sharesPosts;
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">Shared links</h2>
      <Checkbox
        label="Show my posts in shared links"
        hint="Whoever has the link of one of your posts sees its picture and the first words, also without an account. Off, they see only that it is a post on Tara."
        checked={isShown}
        onChange={({ target }) => !share.isPending && share.mutate({ body: { sharesPosts: target.checked } })}
      />
    </div>
  );
}
