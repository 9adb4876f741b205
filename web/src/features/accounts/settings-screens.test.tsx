import { type AccountSettings, account, accounts, type Session, type User } from '@tara/contract/accounts';
import { problemMessage } from '@tara/contract/problems';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { longWord, sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const settings = (part: Partial<AccountSettings> = {}): AccountSettings => ({
  email: 'ana@example.com',
  pendingEmail: null,
  phone: '',
  passwordUpdatedAt: time,
  ...part,
});
const device = (part: Partial<Session>): Session => ({
  $id: 'here',
  $createdAt: time,
  $updatedAt: time,
  userId: 'Ana',
  expire: time,
  provider: 'email',
  providerUid: '',
  providerAccessToken: '',
  providerAccessTokenExpiry: '',
  providerRefreshToken: '',
  ip: '203.0.113.7',
  osCode: 'WIN',
  osName: 'Windows',
  osVersion: '11',
  clientType: 'browser',
  clientCode: 'CH',
  clientName: 'Chrome',
  clientVersion: '130',
  clientEngine: 'Blink',
  clientEngineVersion: '130',
  deviceName: 'desktop',
  deviceBrand: '',
  deviceModel: '',
  countryCode: '--',
  countryName: 'Unknown',
  current: true,
  factors: ['password'],
  secret: '',
  mfaUpdatedAt: '',
  ...part,
});
const phone = device({ $id: 'phone', current: false, osName: 'Android', clientName: 'Mobile Chrome' });
const sessions = (list: Session[]) => reply(account.listSessions, { total: list.length, sessions: list });
const user: User = {
  $id: 'Ana',
  $createdAt: time,
  $updatedAt: time,
  name: 'Ana',
  registration: time,
  status: true,
  labels: [],
  passwordUpdate: time,
  email: 'ana@example.com',
  phone: '',
  emailVerification: true,
  phoneVerification: false,
  prefs: {},
  accessedAt: time,
  mfa: false,
  targets: [],
};

const press = async (who: UserEvent, name: string) => who.click(await screen.findByRole('button', { name }));
const fill = async (who: UserEvent, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) {
    const field = await screen.findByLabelText(label, { selector: 'input' });
    await who.clear(field);
    await who.click(field);
    await who.paste(value);
  }
};

describeScreen('/_main/settings/', {
  path: '/settings',
  replies: [reply(accounts.settings, settings({ phone: '+639171234567' })), sessions([phone, device({})])],
  loading: 'Loading your settings',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Settings'],
      'ana@example.com',
      '+639171234567',
      '@Ana',
      'Chrome on Windows',
      'Mobile Chrome on Android',
      'This device',
      ['button', 'Log out Mobile Chrome on Android'],
      ['button', 'Log out the others'],
      ['radio', 'Dark'],
      ['link', 'Edit profile'],
    ],
  },
  empty: {
    replies: [
      reply(accounts.settings, settings()),
      sessions([device({ osName: '', clientName: '', ip: '' })]),
    ],
    shows: ['Not set yet.', 'Unknown device'],
    hides: [['button', 'Log out the others']],
  },
  longTexts: {
    viewer: sampleSession('Ana', { profile: { name: longWord, username: longWord } }),
    replies: [
      reply(
        accounts.settings,
        settings({ email: `${longWord}@example.com`, pendingEmail: { email: longWord, expiresAt: time } }),
      ),
    ],
    shows: [`@${longWord}`, `${longWord}@example.com`, ['button', 'Cancel this change']],
  },
  forbidden: guestsSignIn,
  more: {
    'a name that breaks its rules': {
      steps: async (who) => {
        await press(who, 'Change your name');
        await fill(who, { Name: 'A!' });
        await press(who, 'Save');
      },
      shows: ['Name must contain only letters and numbers', ['button', 'Save']],
    },
    'a changed name': {
      replies: [reply(account.updateName, { ...user, name: 'Bea' })],
      steps: async (who) => {
        await press(who, 'Change your name');
        await fill(who, { Name: 'Bea' });
        await press(who, 'Save');
      },
      shows: ['Your name was changed.'],
    },
    'a wrong password for another email': {
      replies: [refusal(account.updateEmail, 'user_invalid_credentials')].map((answer) => ({
        ...answer,
        body: { ...(answer.body as object), fields: { password: problemMessage('user_password_wrong') } },
      })),
      steps: async (who) => {
        await press(who, 'Change your email');
        await fill(who, { 'New email': 'bea@example.com', 'Current password': 'not it' });
        await press(who, 'Save');
      },
      shows: ['The password is not correct.'],
    },
    'another email': {
      replies: [reply(account.updateEmail, user)],
      steps: async (who) => {
        await press(who, 'Change your email');
        await fill(who, { 'New email': 'bea@example.com', 'Current password': 'kape at pandesal 7' });
        await press(who, 'Save');
      },
      shows: ['Check your email', 'Open the link we sent to bea@example.com.'],
    },
    'an email that waits': {
      replies: [
        reply(accounts.settings, settings({ pendingEmail: { email: 'bea@example.com', expiresAt: time } })),
      ],
      shows: ['bea@example.com', ['button', 'Cancel this change']],
    },
    'new passwords that differ': {
      steps: async (who) => {
        await press(who, 'Change your password');
        await fill(who, {
          'Current password': 'kape at pandesal 7',
          'New password': 'kape at pandesal 8',
          'New password again': 'kape at pandesal 9',
        });
        await press(who, 'Save');
      },
      shows: ['The passwords do not match.'],
    },
    'no phone number': {
      steps: async (who) => {
        await press(who, 'Change your phone number');
        await fill(who, { 'Phone number': '123', 'Current password': 'kape at pandesal 7' });
        await press(who, 'Save');
      },
      shows: ['Must be a phone number, such as +63 917 123 4567'],
    },
    'the others logged out': {
      replies: [reply(accounts.endOtherSessions, { status: 'ok' })],
      steps: async (who) => {
        await press(who, 'Log out the others');
        const question = await screen.findByRole('dialog');
        await who.click(
          (await screen.findAllByRole('button', { name: 'Log out the others' })).find((button) =>
            question.contains(button),
          ) ?? question,
        );
      },
      shows: ['The other devices are logged out.'],
    },
  },
});
