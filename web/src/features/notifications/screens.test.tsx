import { notifications } from '@tara/contract/notifications/notifications';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  longText,
  longWord,
  sampleAdminSession,
  sampleNotification,
  samplePage,
  samplePerson,
} from '../../testing/samples.ts';
import { describeScreen, guestsSignIn, press, reply, scrollToEnd } from '../../testing/screen.tsx';
import { NotificationSkeletons } from './skeletons.tsx';

type Part = Parameters<typeof sampleNotification>[0];
const listed = (...parts: Part[]) =>
  reply(
    notifications.list,
    samplePage(parts.map((part, index) => sampleNotification({ id: `n${index}`, ...part }))),
  );
const money = reply(
  notifications.list,
  samplePage([sampleNotification({ id: 'm', group: 'money', title: 'Your payout for Coffee arrived' })]),
  { query: { group: 'money' } },
);
const now = new Date();
const daysAgo = (days: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, 0, 1).toISOString();

describeScreen('/_main/notifications', {
  path: '/notifications',
  replies: [
    listed(
      { createdAt: daysAgo(0) },
      {
        title: 'You are verified on Tara',
        group: 'account',
        link: '/explore',
        person: null,
        createdAt: daysAgo(1),
      },
      {
        title: 'Cora liked your post',
        text: '',
        group: 'posts',
        isRead: true,
        createdAt: '2020-03-02T10:00:00.000Z',
      },
    ),
    reply(notifications.markRead, { status: 'ok' }),
    reply(notifications.markAllRead, { status: 'ok' }),
  ],
  loading: 'Loading notifications',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Notifications'],
      ['heading', 'Today'],
      ['heading', 'Yesterday'],
      ['heading', 'Monday, 2 March 2020'],
      ['link', /New: Ben accepted your request ?Ben accepted your request for Coffee\./, '/manage-plans'],
      ['link', /New: You are verified on Tara/, '/explore'],
      ['link', /^(?!New).*Cora liked your post/],
      ['button', 'Mark all as read'],
      ['link', 'Choose what notifies you', '/settings/notifications'],
      ['tab', 'All'],
      ['tab', 'Money'],
    ],
    hides: [['tab', 'Admin work'], 'No notifications'],
  },
  empty: {
    replies: [listed()],
    shows: ['No notifications'],
    hides: [['button', 'Mark all as read']],
  },
  longTexts: {
    replies: [listed({ title: longWord, text: longText, person: samplePerson(longWord) })],
    shows: [longWord, longText],
  },
  forbidden: guestsSignIn,
  more: {
    'an admin has the work of admins beside the other kinds': {
      viewer: sampleAdminSession('Boss'),
      shows: [['tab', 'Admin work']],
    },
    'the address names the kind that is shown': {
      path: '/notifications?group=money',
      replies: [money],
      shows: ['Your payout for Coffee arrived', ['tab', 'Money']],
      hides: ['Ben accepted your request'],
    },
    'a tab shows its kind alone': {
      replies: [money],
      steps: (who) => press(who, 'Money', 'tab'),
      shows: ['Your payout for Coffee arrived'],
      hides: ['Ben accepted your request'],
    },
    'what was seen is marked as read, and shown as new until the list is left': {
      steps: async (_who, answer) => {
        await scrollToEnd();
        answer([listed({ createdAt: daysAgo(0), isRead: true })]);
      },
      shows: [['link', /New: Ben accepted your request/]],
    },
    'all are marked as read by a press': {
      steps: async (who, answer) => {
        answer([listed({ createdAt: daysAgo(0), isRead: true })]);
        await press(who, 'Mark all as read');
      },
      shows: [['link', /^(?!New).*Ben accepted your request/]],
      hides: [/New:/],
    },
  },
});

test('the list has 12 skeletons while it loads', () => {
  const { getByRole, unmount } = render(<NotificationSkeletons />);
  expect(getByRole('status', { name: 'Loading notifications' }).children).toHaveLength(12);
  unmount();
});
