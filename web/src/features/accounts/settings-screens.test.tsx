import { type AccountSettings, account, accounts } from '@tara/contract/accounts/accounts';
import type { PersonalData } from '@tara/contract/accounts/personal-data';
import { personalData } from '@tara/contract/accounts/personal-data';
import { type ChatSettings, conversations } from '@tara/contract/messages/conversations';
import { devices, type PushDevice } from '@tara/contract/notifications/devices';
import { problemMessage } from '@tara/contract/problems';
import type { Session, User } from '@tara/contract/wire/account-records';
import { type Identity, oauth2 } from '@tara/contract/wire/oauth2';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { stubPushBrowser } from '../../testing/push-browser.ts';
import { longWord, sampleSession } from '../../testing/samples.ts';
import { describeScreen, fill, guestsSignIn, press, refusal, reply } from '../../testing/screen.tsx';
import { searchKey } from '../search/index.ts';

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
const identity = (part: Partial<Identity>): Identity => ({
  ...{ $id: 'i', $createdAt: time, $updatedAt: time, userId: 'Ana', provider: 'google', providerUid: '1' },
  ...{ providerEmail: 'ana@example.com', providerAccessToken: '', providerAccessTokenExpiry: '' },
  ...{ providerRefreshToken: '', providerIdToken: '', ...part },
});
const google = identity({ $id: 'google', providerEmail: 'ana.cruz@example.com' });
const sso = identity({ $id: 'sso', provider: 'oidc', providerEmail: '' });
const identities = (...list: Identity[]) =>
  reply(oauth2.listIdentities, { total: list.length, identities: list });
const askToRemove = async (who: UserEvent) => {
  await press(who, 'Remove Google ana.cruz@example.com');
  await screen.findByRole('dialog', { name: 'Remove Google?' });
  await press(who, 'Remove');
};
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

const chatSettings = (part: Partial<ChatSettings> = {}): ChatSettings => ({
  messagesFrom: 'everyone',
  showReadMarks: true,
  showLastSeen: true,
  ...part,
});
const own = (part: Partial<PersonalData> = {}): PersonalData => ({
  latestExport: null,
  nextExportAt: null,
  openRequests: [],
  ...part,
});
const pushDevice = (part: Partial<PushDevice> = {}): PushDevice => ({
  ...{ id: 'here', clientName: 'Chrome', osName: 'Windows', deviceName: 'desktop' },
  ...{ current: true, showsText: false, createdAt: time, renewedAt: time },
  ...part,
});
const pushPhone = pushDevice({ id: 'phone', clientName: 'Mobile Chrome', osName: 'Android', current: false });
const pushDevices = (...list: PushDevice[]) => reply(devices.list, { publicKey: 'BPv_', devices: list });
const userAgent = (value: string) => void vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(value);

describeScreen('/_main/settings/', {
  path: '/settings',
  replies: [
    reply(accounts.settings, settings({ phone: '+639171234567' })),
    sessions([phone, device({})]),
    identities(google, sso),
    pushDevices(),
    reply(conversations.settings, chatSettings()),
    reply(personalData.get, own()),
  ],
  loading: 'Loading your settings',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Settings'],
      'ana@example.com',
      '+639171234567',
      'Google',
      'ana.cruz@example.com',
      'Single sign-on',
      'Without an email.',
      ['button', 'Remove Single sign-on'],
      '@Ana',
      'Chrome on Windows',
      'Mobile Chrome on Android',
      'This device',
      ['button', 'Log out Mobile Chrome on Android'],
      ['button', 'Log out the others'],
      ['radio', 'Dark'],
      ['combobox', 'Who may write to me'],
      'This is about new chats. Chats that you have stay open.',
      ['checkbox', /^Read marks/],
      ['checkbox', /^Last seen/],
      ['link', 'Edit profile'],
      // The choices and the devices are in one section.
      ['region', 'Notifications'],
      ['link', 'Choose what notifies you', '/settings/notifications'],
      ['link', 'See blocked and muted people'],
      ['button', 'Request my data'],
      ['link', 'Delete my account'],
    ],
  },
  empty: {
    replies: [
      reply(accounts.settings, settings()),
      sessions([device({ osName: '', clientName: '', ip: '' })]),
      identities(),
    ],
    shows: ['Not set yet.', 'Unknown device'],
    hides: [
      ['button', 'Log out the others'],
      ['button', /^Remove/],
    ],
  },
  longTexts: {
    viewer: sampleSession('Ana', { profile: { name: longWord, username: longWord } }),
    replies: [
      reply(
        accounts.settings,
        settings({ email: `${longWord}@example.com`, pendingEmail: { email: longWord, expiresAt: time } }),
      ),
      identities(identity({ providerEmail: `${longWord}@example.com` })),
    ],
    shows: [`@${longWord}`, `${longWord}@example.com`, ['button', 'Cancel this change']],
  },
  forbidden: guestsSignIn,
  more: {
    'a browser without notifications': {
      shows: ['On this device', 'This browser cannot show notifications.'],
      hides: [['button', 'Turn notifications on']],
    },
    'an iPhone outside of the installed app': {
      prepare: () =>
        userAgent('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari'),
      shows: [/^On an iPhone or iPad they work in the installed app/],
    },
    'notifications that the person blocked': {
      prepare: () => void stubPushBrowser({ permission: 'denied' }),
      shows: [/^Notifications of Tara are blocked in this browser/],
      hides: [['button', 'Turn notifications on']],
    },
    'notifications turned on': {
      prepare: () => void stubPushBrowser(),
      replies: [reply(devices.register, pushDevice())],
      steps: async (who, answer) => {
        await screen.findByRole('button', { name: 'Turn notifications on' });
        answer([pushDevices(pushDevice())]);
        await press(who, 'Turn notifications on');
      },
      shows: ['Notifications are on for this device.', ['button', 'Turn notifications off']],
    },
    'notifications that the person does not allow': {
      prepare: () => void stubPushBrowser({ answer: 'denied' }),
      steps: (who) => press(who, 'Turn notifications on'),
      shows: ['Notifications stay off'],
    },
    'a browser that does not reach its push service': {
      prepare: () => void stubPushBrowser({ hasPushService: false }),
      steps: (who) => press(who, 'Turn notifications on'),
      shows: ['Notifications could not be turned on', ['button', 'Turn notifications on']],
    },
    'devices that get notifications': {
      prepare: () => void stubPushBrowser(),
      replies: [pushDevices(pushPhone, pushDevice()), reply(devices.test, { outcome: 'accepted' })],
      steps: (who) => press(who, 'Test Mobile Chrome on Android'),
      shows: [
        'The test is on its way.',
        ['button', 'Test Chrome on Windows'],
        ['button', 'Remove Mobile Chrome on Android'],
        ['button', 'Turn notifications off'],
      ],
      hides: [['button', 'Remove Chrome on Windows']],
    },
    'a device that gets no notifications any more': {
      replies: [pushDevices(pushPhone), reply(devices.test, { outcome: 'gone' })],
      steps: async (who, answer) => {
        const test = await screen.findByRole('button', { name: 'Test Mobile Chrome on Android' });
        answer([pushDevices()]);
        await who.click(test);
        await vi.waitFor(() => expect(test.isConnected).toBe(false));
      },
      shows: ['This device gets no notifications any more'],
      hides: [['button', 'Test Mobile Chrome on Android']],
    },
    'the text of messages in notifications': {
      prepare: () => void stubPushBrowser(),
      replies: [pushDevices(pushDevice()), reply(devices.update, { status: 'ok' })],
      steps: async (who, answer) => {
        const box = await screen.findByRole('checkbox', { name: /^Show texts/ });
        expect(box).toHaveProperty('checked', false);
        answer([pushDevices(pushDevice({ showsText: true }))]);
        await who.click(box);
        await vi.waitFor(() => expect(box).toHaveProperty('checked', true));
      },
      shows: [
        'What others write, and more than the title of a notification, also on the lock screen of this device.',
      ],
    },
    'the key of the search is switched off, and on again': {
      steps: async (who) => {
        const box = await screen.findByRole('checkbox', { name: /^Open the search with/ });
        await who.click(box);
        expect(searchKey.isOn()).toBe(false);
        await who.click(box);
        expect(searchKey.isOn()).toBe(true);
      },
      shows: ['From every screen, outside of fields.'],
    },
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
    'what another name costs a verified member': {
      viewer: sampleSession('Ana', { profile: { verified: true, sentVerifiedReq: true } }),
      steps: (who) => press(who, 'Change your name'),
      shows: [/Another name takes your verified mark away.*Payouts still go to the verified name/],
    },
    'a name that an admin is verifying': {
      viewer: sampleSession('Ana', { profile: { verified: null, sentVerifiedReq: true } }),
      replies: [refusal(account.updateName, 'profile_name_in_verification')].map((answer) => ({
        ...answer,
        body: {
          ...(answer.body as object),
          fields: { name: problemMessage('profile_name_in_verification') },
        },
      })),
      steps: async (who) => {
        await press(who, 'Change your name');
        await fill(who, { Name: 'Bea' });
        await press(who, 'Save');
      },
      shows: [/You can change it once that is decided/, /Your name cannot be changed now/],
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
    'a member without a password': {
      replies: [
        reply(accounts.settings, settings({ passwordUpdatedAt: null })),
        reply(account.updatePassword, user),
      ],
      steps: async (who, answer) => {
        await press(who, 'Set a password');
        const dialog = await screen.findByRole('dialog', { name: 'Set a password' });
        expect(within(dialog).queryByLabelText('Current password')).toBeNull();
        answer([reply(accounts.settings, settings())]);
        await fill(who, { 'New password': 'kape at pandesal 8', 'New password again': 'kape at pandesal 8' });
        await press(who, 'Save');
        await screen.findByRole('button', { name: 'Change your password' });
      },
      shows: ['Your password was set', /^Last changed/],
      hides: [['button', 'Set a password']],
    },
    'no age of a password that is not set': {
      replies: [reply(accounts.settings, settings({ phone: '+639171234567', passwordUpdatedAt: null }))],
      shows: ['Not set yet.'],
      hides: [/^Last changed/, ['button', 'Change your password']],
    },
    'a first password long after signing in': {
      replies: [
        reply(accounts.settings, settings({ passwordUpdatedAt: null })),
        refusal(account.updatePassword, 'user_sign_in_again'),
      ],
      steps: async (who) => {
        await press(who, 'Set a password');
        await fill(who, { 'New password': 'kape at pandesal 8', 'New password again': 'kape at pandesal 8' });
        await press(who, 'Save');
      },
      shows: [/^You signed in more than 15 minutes ago.*“Forgot your password\?”/, ['button', 'Log out']],
    },
    'another email, and no password to confirm it': {
      replies: [reply(accounts.settings, settings({ passwordUpdatedAt: null }))],
      steps: (who) => press(who, 'Change your email'),
      shows: [['dialog', 'Set a password first']],
    },
    'no phone number': {
      steps: async (who) => {
        await press(who, 'Change your phone number');
        await fill(who, { 'Phone number': '123', 'Current password': 'kape at pandesal 7' });
        await press(who, 'Save');
      },
      shows: ['Must be a phone number, such as +63 917 123 4567'],
    },
    'an export that is being made': {
      replies: [
        reply(
          personalData.get,
          own({ latestExport: { id: 'x', createdAt: time, expiresAt: null, sizeBytes: null } }),
        ),
      ],
      shows: ['We are collecting it. You get an email when it is ready.'],
    },
    'an export that is ready': {
      replies: [
        reply(
          personalData.get,
          own({
            nextExportAt: time,
            latestExport: { id: 'x', createdAt: time, expiresAt: time, sizeBytes: 5 * 1024 * 1024 },
          }),
        ),
      ],
      shows: ['Ready: 5.0 MB, until 2 January.', ['button', 'Download my data']],
      hides: [['button', 'Request my data']],
    },
    'a second export within a day': {
      replies: [refusal(personalData.requestExport, 'account_export_too_soon')],
      steps: (who) => press(who, 'Request my data'),
      shows: ['You can request your data once a day'],
    },
    'who may write': {
      replies: [reply(conversations.updateSettings, chatSettings({ messagesFrom: 'nobody' }))],
      steps: async (who) => {
        const choice = await screen.findByRole('combobox', { name: 'Who may write to me' });
        await who.selectOptions(choice, 'People I have a plan with');
        // What the server stored is shown.
        await vi.waitFor(() => expect(choice).toHaveProperty('value', 'nobody'));
      },
      shows: [['option', 'Verified members'], 'Your choice was saved.'],
    },
    'read marks and last seen, which cannot be stored': {
      replies: [
        reply(conversations.settings, chatSettings({ showLastSeen: false })),
        refusal(conversations.updateSettings, 'general_unavailable'),
      ],
      steps: async (who) => {
        const marks = await screen.findByRole('checkbox', { name: /^Read marks/ });
        await who.click(marks);
        await vi.waitFor(() => expect(marks).toHaveProperty('checked', true));
        expect(screen.getByRole('checkbox', { name: /^Last seen/ })).toHaveProperty('checked', false);
      },
      shows: ['Tara is busy'],
    },
    'a provider removed': {
      replies: [reply(oauth2.deleteIdentity, undefined as never, { params: { identityId: 'google' } })],
      steps: async (who, answer) => {
        await screen.findByText('Google');
        answer([identities(sso)]);
        await askToRemove(who);
        await vi.waitFor(() => expect(screen.queryByText('Google')).toBeNull());
      },
      shows: ['Single sign-on', 'You no longer sign in with it.'],
    },
    'the last way in cannot be removed': {
      replies: [
        identities(google),
        refusal(oauth2.deleteIdentity, 'user_identity_last', { params: { identityId: 'google' } }),
      ],
      steps: askToRemove,
      shows: ['Google', 'This is the only way into your account', 'set a password or confirm an email first'],
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
