import { accounts } from '@tara/contract/accounts/accounts';
import { type OpenRequest, personalData } from '@tara/contract/accounts/personal-data';
import { stages } from '@tara/contract/interactions/stages';
import { problemMessage } from '@tara/contract/problems';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { longWord } from '../../testing/samples.ts';
import { describeScreen, fill, guestsSignIn, press, refusal, reply } from '../../testing/screen.tsx';

const time = '2026-01-02T03:04:05.000+00:00';
const open = (...openRequests: OpenRequest[]) =>
  reply(personalData.get, { latestExport: null, nextExportAt: null, openRequests });
const password = (passwordUpdatedAt: string | null) =>
  reply(accounts.settings, { email: 'ana@example.com', pendingEmail: null, phone: '', passwordUpdatedAt });
const openRequest: OpenRequest = {
  id: 'request',
  planTitle: 'Coffee in Makati',
  otherName: 'Ben',
  stage: 'paid',
  receiptId: 'AnaBen',
};

describeScreen('/_main/settings/delete', {
  path: '/settings/delete',
  replies: [open(), password('2026-01-02T03:04:05.000Z')],
  loading: 'Loading what it means',
  error: 'retry',
  full: {
    shows: [
      ['heading', 'Delete my account'],
      'For 14 days you can sign in and keep your account.',
      ['link', 'download your data'],
      ['button', 'Delete my account'],
    ],
  },
  empty: {
    steps: (who) => press(who, 'Delete my account'),
    shows: ['Enter your password.'],
  },
  longTexts: {
    replies: [open({ ...openRequest, planTitle: longWord, otherName: longWord, receiptId: null })],
    shows: [longWord, `with ${longWord}`],
  },
  forbidden: guestsSignIn,
  more: {
    'a member without a password': {
      replies: [password(null)],
      shows: [
        ['heading', 'Set a password first'],
        ['link', 'your settings', '/settings'],
      ],
      hides: [['button', 'Delete my account']],
    },
    'open paid requests': {
      replies: [open(openRequest)],
      shows: [
        ['heading', 'You have open paid requests'],
        ['link', /Coffee in Makati/],
      ],
      hides: [['button', 'Delete my account']],
    },
    'open paid requests without a chat': {
      replies: [
        open(
          ...stages.map((stage) => ({
            ...openRequest,
            id: stage,
            planTitle: `Plan: ${stage}`,
            stage,
            receiptId: null,
          })),
        ),
      ],
      steps: async () => {
        const links = await screen.findAllByRole('link', { name: /^Plan: / });
        const past = links.filter((link) => link.getAttribute('href') === '/profile/history/Ana');
        expect(past.map(({ textContent }) => textContent)).toEqual([
          expect.stringMatching(/^Plan: fulfilled/),
          expect.stringMatching(/^Plan: disputed/),
          expect.stringMatching(/^Plan: completed/),
          expect.stringMatching(/^Plan: cancelled/),
        ]);
      },
      shows: [['link', /^Plan: requested/]],
    },
    'a wrong password': {
      replies: [refusal(personalData.delete, 'user_invalid_credentials')].map((answer) => ({
        ...answer,
        body: { ...(answer.body as object), fields: { password: problemMessage('user_password_wrong') } },
      })),
      steps: async (who) => {
        await fill(who, { 'Your password': 'not it' });
        await press(who, 'Delete my account');
      },
      shows: ['The password is not correct.'],
    },
    begun: {
      replies: [reply(personalData.delete, { deletesAt: time })],
      steps: async (who) => {
        await fill(who, { 'Your password': 'kape at pandesal 7' });
        await press(who, 'Delete my account');
      },
      shows: ['Your account is hidden', 'It is deleted on 2 January 2026. Sign in before then to keep it.'],
    },
  },
});
