import { accounts } from '@tara/contract/accounts/accounts';
import type { NotificationChannel } from '@tara/contract/notifications/channels';
import { type NotificationSettings, notificationSettings } from '@tara/contract/notifications/settings';
import { unsubscribe } from '@tara/contract/notifications/unsubscribe';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sampleSession } from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, refusal, renderApp, reply } from '../../testing/screen.tsx';
import { SilentSocket, stubServer } from '../../testing/stub-server.ts';

const way = (
  group: NotificationSettings['choices'][number]['group'],
  channel: NotificationChannel,
  part: { isOn?: boolean; canSwitchOff?: boolean } = {},
) => ({ group, channel, isOn: true, canSwitchOff: true, ...part });
const fixed = { canSwitchOff: false };
const settings = (part: Partial<NotificationSettings> = {}): NotificationSettings => ({
  choices: [
    ...[way('plans', 'inApp'), way('plans', 'push'), way('plans', 'email'), way('money', 'inApp', fixed)],
    ...[way('money', 'email', fixed), way('posts', 'inApp'), way('posts', 'email', { isOn: false })],
  ],
  ...{ quietHours: null, timeZone: 'Asia/Manila', dailyEmail: true, pausedUntil: null },
  getsPushes: false,
  ...part,
});
const stored = (part: Partial<NotificationSettings> = {}) => reply(notificationSettings.get, settings(part));
const box = (name: string | RegExp) => screen.findByRole('checkbox', { name });

describeScreen('/_main/settings/notifications', {
  path: '/settings/notifications',
  replies: [
    stored(),
    reply(notificationSettings.choose, settings()),
    reply(notificationSettings.update, settings({ quietHours: { from: 22, until: 7 } })),
    reply(notificationSettings.pause, settings({ pausedUntil: '2030-01-02T03:04:00.000Z' })),
  ],
  loading: 'Loading your settings',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'What notifies you'],
      ['link', 'Settings', '/settings'],
      ['columnheader', 'In the app'],
      ['columnheader', 'Push'],
      ['columnheader', 'Email'],
      ['rowheader', /^Plans/],
      ['checkbox', 'Plans: Email'],
      ['checkbox', 'Plans: Push'],
      ['link', 'in the settings', '/settings#notifications'],
      ['rowheader', /^Money/],
      'Always on',
      ['checkbox', /^Daily email/],
      ['checkbox', /^Quiet hours/],
      ['combobox', 'Time zone'],
      ['button', 'Pause for 1 hour'],
      ['button', 'Pause for 8 hours'],
      ['button', 'Pause for 1 day'],
      ['button', 'Pause for 1 week'],
      /^Security, money, safety and the reminder of your next plan reach you all the same/,
    ],
    hides: [
      ['checkbox', 'Money: Email'],
      ['checkbox', 'Posts: Push'],
      ['combobox', 'From'],
      ['rowheader', /^Admin work/],
    ],
  },
  empty: { none: 'Each member has settings.' },
  longTexts: { none: 'Nobody writes anything here.' },
  forbidden: guestsSignIn,
  more: {
    'a way of a group is switched off alone': {
      steps: async (who) => {
        const [email, inApp] = [await box('Plans: Email'), await box('Plans: In the app')];
        expect(await box('Posts: Email')).toHaveProperty('checked', false);
        await who.click(email);
        await vi.waitFor(() => expect(email).toHaveProperty('checked', false));
        expect(inApp).toHaveProperty('checked', true);
      },
      shows: [['checkbox', 'Plans: Email']],
    },
    'quiet hours begin with a proposal': {
      steps: (who) => press(who, /^Quiet hours/, 'checkbox'),
      shows: [
        ['combobox', 'From'],
        ['combobox', 'Until'],
      ],
    },
    'quiet hours that are chosen': {
      replies: [stored({ quietHours: { from: 0, until: 12 }, timeZone: 'America/New_York' })],
      steps: async () => {
        expect(await screen.findByRole('combobox', { name: 'From' })).toHaveProperty('value', '0');
        expect(await screen.findByRole('combobox', { name: 'Time zone' })).toHaveProperty(
          'value',
          'America/New_York',
        );
      },
      shows: ['Midnight', 'Noon', 'America/New York'],
    },
    'somebody with a device that gets pushes has no daily email': {
      replies: [stored({ getsPushes: true })],
      shows: ['Comes only while none of your devices gets pushes.'],
      hides: [['link', 'in the settings']],
    },
    'another zone than that of the device': {
      replies: [stored({ timeZone: 'Pacific/Apia' })],
      shows: [/^This device is in/, ['button', 'Use that']],
    },
    'a pause is begun': {
      steps: (who) => press(who, 'Pause for 8 hours'),
      shows: ['Paused', /^Until .*2030/, ['button', 'End the pause']],
      hides: [['button', 'Pause for 8 hours']],
    },
    'a choice that is refused': {
      replies: [refusal(notificationSettings.choose, 'notification_group_fixed')],
      steps: async (who) => {
        await who.click(await box('Plans: Email'));
      },
      shows: ['These notifications stay on'],
    },
  },
});

describe('choices that follow at once', () => {
  const server = stubServer();
  beforeAll(() => void vi.stubGlobal('WebSocket', SilentSocket));
  afterEach(cleanup);

  test('are stored one after the other, also a pause', async () => {
    const pausedUntil = '2030-01-02T03:04:00.000Z';
    const update = reply(notificationSettings.update, settings({ dailyEmail: false }));
    const pause = reply(notificationSettings.pause, settings({ dailyEmail: false, pausedUntil }));
    for (const { line, status, body } of [
      ...[reply(accounts.session, sampleSession('Ana')), stored(), update, pause],
    ])
      server.answer(line, status, body);
    renderApp('/settings/notifications');
    const user = userEvent.setup();
    await box(/^Daily email/);
    server.hold([update.line]);
    await press(user, /^Daily email/, 'checkbox');
    await press(user, 'Pause for 8 hours');
    const changes = () =>
      server.requests.map(({ line }) => line).filter((line) => [update.line, pause.line].includes(line));
    // After what both sent.
    await fetch(`${server.origin}/later`);
    expect(changes()).toEqual([update.line]);
    server.release();
    await screen.findByRole('button', { name: 'End the pause' });
    expect(changes()).toEqual([update.line, pause.line]);
  });
});

const where = { params: { token: 'sealed' } };
const ends = (...topics: ('plans' | 'posts' | 'dailyEmail')[]) =>
  reply(unsubscribe.topics, { topics }, where);

describeScreen('/unsubscribe/$token', {
  path: '/unsubscribe/sealed',
  viewer: null,
  replies: [ends('plans'), reply(unsubscribe.confirm, { status: 'ok' }, where)],
  loading: 'Loading what the link ends',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Stop emails about plans?'],
      ['button', 'Stop them'],
      ['link', 'Keep them', '/'],
    ],
    hides: ['These emails have ended'],
  },
  empty: { none: 'Each link ends something.' },
  longTexts: { none: 'Nobody writes anything here.' },
  forbidden: {
    replies: [refusal(unsubscribe.topics, 'unsubscribe_link_not_found', where)],
    shows: [
      ['heading', 'This link does not work'],
      ['link', 'Open my settings', '/settings/notifications'],
    ],
    hides: [['button', 'Stop them']],
  },
  more: {
    'the emails have ended': {
      steps: (who) => press(who, 'Stop them'),
      shows: [
        ['heading', 'These emails have ended'],
        /^Tara does not send you emails about plans any more/,
        ['link', 'Open my settings', '/settings/notifications'],
      ],
      hides: [['button', 'Stop them']],
    },
    'a member, the daily email': {
      viewer: sampleSession('Ana'),
      replies: [ends('dailyEmail')],
      shows: [['heading', 'Stop the daily email?']],
    },
    'several groups': {
      replies: [ends('plans', 'posts')],
      shows: [['heading', 'Stop emails about plans and posts?']],
    },
  },
});
