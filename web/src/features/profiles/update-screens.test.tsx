import { files } from '@tara/contract/files';
import { profileLength } from '@tara/contract/limits';
import { aboutFields, eachAboutText, profiles } from '@tara/contract/members/profiles';
import { posts } from '@tara/contract/posts/posts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import {
  sampleOwnProfile,
  samplePage,
  samplePost,
  sampleSession,
  sampleTime,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const about = { bio: 'Dives', hobby: 'Guitar' };

describeScreen('/_main/update-profile', {
  path: '/update-profile?tab=info',
  viewer: sampleSession('Ana', { profile: about }),
  loading: { none: 'The session has the profile.' },
  error: { none: 'The session has the profile.' },
  full: {
    shows: [
      ['heading', 'Edit Profile'],
      ['heading', 'About Section'],
      ['textbox', 'Phone number'],
      ['button', 'Update'],
    ],
    steps: async () => {
      await screen.findByDisplayValue('Dives');
      await screen.findByDisplayValue('Guitar');
    },
  },
  empty: {
    path: '/update-profile',
    steps: async (user) => user.click(await screen.findByRole('button', { name: 'Update picture' })),
    shows: ['Please choose a file.'],
  },
  longTexts: {
    steps: async (user) => {
      await user.click(await screen.findByRole('textbox', { name: 'Hobby' }));
      await user.paste('x'.repeat(profileLength.hobby));
      await user.click(screen.getByRole('button', { name: 'Update' }));
    },
    shows: [`Must be at most ${profileLength.hobby} characters.`],
  },
  forbidden: guestsSignIn,
  more: {
    'the gender has the hint ‘Male / Female’ (§5-gender-hint)': { shows: ['Male / Female'] },
    'a tab to update the profile picture (§2-update-profile-picture)': {
      path: '/update-profile',
      shows: [
        ['tab', 'Update profile picture'],
        ['button', 'Update picture'],
      ],
    },
    'a tab to edit the profile info, the ‘About Section’ (§2-update-profile)': {
      path: '/update-profile',
      steps: async (user) => user.click(await screen.findByRole('tab', { name: 'Edit profile info' })),
      shows: [
        ['heading', 'About Section'],
        ['textbox', 'Hobby'],
      ],
    },
    'each text of the About section in its field': {
      viewer: sampleSession('Ana', { profile: eachAboutText((name) => `my ${name}`) }),
      shows: [['heading', 'About Section']],
      steps: async () => {
        for (const { name, label } of aboutFields)
          expect(await screen.findByLabelText(label)).toHaveProperty('value', `my ${name}`);
      },
    },
    'an About section that is stored (§8-profile-updated)': {
      replies: [reply(profiles.updateAbout, sampleOwnProfile('Ana', about))],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Update' })),
      shows: ['Your About Information has been updated.'],
    },
    'an About section with a new number for payouts, that is stored': {
      replies: [
        reply(profiles.updateAbout, sampleOwnProfile('Ana', { ...about, payoutNumberFrom: sampleTime })),
      ],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Update' })),
      shows: [
        'Your About Information has been updated.',
        'payouts to the new phone number start after 24 hours, and we sent you an email about it',
      ],
    },
    'an About section that cannot be stored (§8-profile-updated)': {
      replies: [refusal(profiles.updateAbout, 'general_unknown')],
      steps: async (user) => user.click(await screen.findByRole('button', { name: 'Update' })),
      shows: ['Something went wrong.', 'please try again later'],
    },
    'a birth date is chosen in a picker that opens at 2002-01-01, and can be removed (§9-birth-date-default, §5-birth-date-default)':
      {
        viewer: sampleSession('Ana', { profile: { ...about, verified: null, bDay: null } }),
        steps: async (user) => {
          await user.click(await screen.findByLabelText('Birth date'));
          expect(await screen.findByDisplayValue('2002-01-01')).toBeTruthy();
          await user.click(screen.getByRole('button', { name: 'Choose' }));
          await waitFor(() => expect(screen.getByLabelText('Birth date')).toBe(document.activeElement));
          await user.click(await screen.findByRole('button', { name: 'Remove the birth date' }));
        },
        shows: ['Choose a date'],
      },
    'a cancelled picker sets nothing': {
      viewer: sampleSession('Ana', { profile: { ...about, verified: null, bDay: null } }),
      steps: async (user) => {
        await user.click(await screen.findByLabelText('Birth date'));
        await user.click(await screen.findByRole('button', { name: 'Cancel' }));
      },
      shows: ['Choose a date'],
      hides: [['button', 'Remove the birth date']],
    },
    'the birth date of a verified member is fixed': {
      steps: async () => {
        expect(await screen.findByLabelText('Birth date')).toHaveProperty('readOnly', true);
      },
      shows: [/only an admin can correct it/],
      hides: [['button', 'Remove the birth date']],
    },
    // The picture is stored, so only its post is sent again.
    'a picture shared as a post leads to /profile/{userId}, also when its post is sent again (§2-post-form-picture-created)':
      {
        path: '/update-profile',
        replies: [
          reply(files.create, { $id: 'i1' } as never, { params: { bucketId: 'images' } }),
          reply(profiles.updatePicture, sampleOwnProfile('Ana')),
          refusal(posts.quick, 'general_unavailable'),
          reply(profiles.get, sampleOwnProfile('Ana'), { params: { id: 'Ana' } }),
          reply(posts.byCreator, samplePage([]), { params: { id: 'Ana' } }),
        ],
        steps: async (user, answer) => {
          Object.defineProperty(HTMLImageElement.prototype, 'decode', {
            configurable: true,
            value: async () => {},
          });
          const photo = new File([new Uint8Array([0xff, 0xd8, 0xff])], 'me.jpg', { type: 'image/jpeg' });
          await user.upload(await screen.findByLabelText('New profile picture'), photo);
          // A picture that the browser cannot open is sent as it was chosen: the server says what is wrong with it.
          const dialog = await screen.findByRole('dialog', { name: 'Crop your picture' });
          fireEvent.error(
            await waitFor(() => dialog.querySelector('img') ?? Promise.reject(new Error('no picture'))),
          );
          await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
          await user.click(screen.getByRole('checkbox', { name: 'Share it as a post' }));
          await user.click(screen.getByRole('button', { name: 'Update picture' }));
          await screen.findByText('Something went wrong.');
          answer([
            refusal(profiles.updatePicture, 'storage_file_not_found'),
            reply(posts.quick, samplePost()),
          ]);
          await user.click(screen.getByRole('button', { name: 'Update picture' }));
        },
        endsAt: '/profile/Ana',
        shows: [['link', 'Edit Profile']],
      },
  },
});
